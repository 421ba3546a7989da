import type { CompiledMapping } from '../definition/compile.js';
import { lookupsIn, pathsOf } from '../definition/lookups.js';
import type { MappingError } from '../definition/mapping-error.js';
import { type AlertField, SERIES_FIELDS } from '../definition/schema.js';
import { expandJson } from '../payload/expand-json.js';
import { type ParsedPayload, parsePayload } from '../payload/parse-payload.js';
import { type SnsConfirmation, snsConfirmation } from '../payload/sns.js';
import { isValueDeeperThan } from '../payload/value-depth.js';
import { nearestList } from '../suggest/nearest-list.js';
import { PORTION } from '../values/budget.js';
import { type JsonValue, KeyLists, MAX_DEPTH } from '../values/json-value.js';
import { FOUND_NOTHING, type LookupSource } from '../values/looked-up.js';
import type { Path } from '../values/path.js';
import type { EventRequest, RequestSource } from '../values/request.js';
import { itemsOf } from '../values/split.js';
import { truncate } from '../values/truncate.js';
import { Filter } from './filter.js';
import { type LookupKeys, Lookups } from './lookups.js';
import { AlertRenderer } from './render-alert.js';
import { Repetitions } from './repetition.js';
import type {
  EventLookups,
  FieldResult,
  FilterResult,
  Normalized,
  NormalizedAlert,
  Warning,
} from './results.js';

/** Items of a split. An event with more of them fails as a whole. */
export const MAX_ITEMS = 10_000;

/**
 * Maps a payload, as received, to alerts. Workers, remaps and previews all call this function. Without a mapping the result is
 * one incomplete alert. Without a request, paths that start at `request` lead to nothing. Never throws.
 * @param body see {@link prepareAlerts}
 * @param source where the lookups of the mapping find rows; without one, they find nothing
 */
export function normalize(
  mapping: CompiledMapping | null,
  payload: Uint8Array | string,
  request?: EventRequest | RequestSource,
  body: Body = payload,
  source?: LookupSource,
): Normalized {
  return renderAll(prepareAlerts(mapping, parsePayload(payload), request, body, { source }));
}

/** The body of an event, by which its repetitions are recognized; null if they are known by their delivery id. */
type Body = Uint8Array | string | null;

/** What the lookups of an event read. */
interface LookupInput {
  /** Default: they find nothing. */
  source?: LookupSource | undefined;
  /** Those that `lookupKeys` returned for the same event. */
  keys?: LookupKeys | undefined;
}

interface Yielding extends LookupInput {
  request: EventRequest | RequestSource | undefined;
  pause: () => Promise<unknown>;
  body?: Body;
  limit?: number;
}

/** Maps a parsed payload as {@link normalize} does, and waits for `pause` before each portion of alerts after the first. `limit`: only the first alerts. */
export function normalizeYielding(
  mapping: CompiledMapping | null,
  parsed: ParsedPayload,
  { request, pause, body, limit, source, keys }: Yielding,
): Normalized | Promise<Normalized> {
  const all = prepareAlerts(mapping, parsed, request, body, { source, keys });
  const prepared = limit === undefined ? all : { ...all, numbers: all.numbers.slice(0, limit) };
  return prepared.numbers.length <= PORTION ? renderAll(prepared) : renderYielding(prepared, pause);
}

/** Maps a value that `parsePayload` returned, or that never was text. `limit`: only the first alerts. */
export function normalizeValue(
  mapping: CompiledMapping | null,
  value: JsonValue,
  request?: EventRequest | RequestSource,
  limit?: number,
): Normalized {
  const prepared = prepareAlerts(mapping, asParsed(value), request);
  return renderAll({ ...prepared, numbers: prepared.numbers.slice(0, limit) });
}

/**
 * Returns the only item of an event and what it says to its series, without rendering its texts: a fraction of mapping it. Null if it has no key or
 * several items, if the filter drops it, if these depend on a lookup, or if anything is wrong with it.
 */
export function seriesAlone(
  mapping: CompiledMapping,
  payload: ParsedPayload,
  request: EventRequest | RequestSource | undefined,
): { item: number; series: NonNullable<NormalizedAlert['series']> } | null {
  const part = seriesPart(mapping);
  if (part === null) return null;
  const { numbers, render, errors } = prepareAlerts(part, payload, request);
  const [number] = numbers;
  if (number === undefined || numbers.length > 1 || errors.length > 0) return null;
  const { item, series, faults } = render(number);
  return series && faults.length === 0 ? { item, series } : null;
}

const seriesParts = new WeakMap<CompiledMapping, CompiledMapping | null>();
const OF_SERIES: ReadonlySet<string> = new Set(SERIES_FIELDS);

/** Null if it depends on a lookup. */
function seriesPart(mapping: CompiledMapping): CompiledMapping | null {
  const known = seriesParts.get(mapping);
  if (known !== undefined) return known;
  const fields = mapping.fields.filter(({ name }) => OF_SERIES.has(name));
  const alone = { ...mapping, fields, custom: [], lookups: [], repeatWindowSeconds: null };
  const part = lookupsIn(pathsOf(alone)).length > 0 ? null : alone;
  seriesParts.set(mapping, part);
  return part;
}

/** Returns a value that never was text as a parsed payload. */
export const asParsed = (value: JsonValue): ParsedPayload =>
  isValueDeeperThan(value, MAX_DEPTH) ? { error: 'too_deep' } : { value };

/** The alerts of an event before they are rendered. Rendered one by one, in order, they equal those of `normalize`. */
export interface PreparedAlerts {
  /** Numbers of the alerts, ascending. An alert has the number of its item, and an item that the filter dropped has none. */
  numbers: readonly number[];
  /** Renders one alert. The alerts of an event share one budget, so the result depends on those rendered before. */
  render(number: number): NormalizedAlert;
  errors: readonly MappingError[];
  warnings: readonly Warning[];
  /** What the filter of the mapping did; null if it kept everything without a warning. */
  filter: FilterResult | null;
  /** What was looked up so far. Absent if the mapping has no lookups. */
  lookups?: EventLookups;
}

/** Prepares the alerts of a parsed payload for rendering. Without its body, no item without a key belongs to a series. */
export function prepareAlerts(
  mapping: CompiledMapping | null,
  parsed: ParsedPayload,
  request?: EventRequest | RequestSource,
  body: Body = null,
  lookups: LookupInput = {},
): PreparedAlerts {
  if ('error' in parsed) return failed(PAYLOAD_ERRORS[parsed.error]);
  const confirmation = snsConfirmation(parsed.value);
  if (confirmation) return one(() => confirmationAlert(confirmation));
  return mapping ? withMapping(mapping, parsed.value, { request, body }, lookups) : one(unmappedAlert);
}

const PAYLOAD_ERRORS: Record<'not_json' | 'too_deep', MappingError> = {
  not_json: { code: 'not_json', field: null, message: 'the payload is not valid JSON' },
  too_deep: {
    code: 'too_deep',
    field: null,
    message: `the payload is nested more than ${MAX_DEPTH} levels deep`,
  },
};

function withMapping(
  mapping: CompiledMapping,
  value: JsonValue,
  { request: given, body }: { request: EventRequest | RequestSource | undefined; body: Body },
  { source = () => FOUND_NOTHING, keys }: LookupInput,
): PreparedAlerts {
  const request = typeof given === 'function' ? given : () => given;
  const { payload, warnings } = expandJson(value, mapping.expandJson);
  const lookups =
    mapping.lookups.length > 0 ? new Lookups(mapping, payload, { request, source, keys }) : null;
  const filter =
    mapping.filter && new Filter(mapping.filter, mapping, { webhook: payload, request, lookups });
  const whole = filter && !mapping.filter?.usesItem ? filter.ofEvent() : null;
  // Without spreads, after which each member takes V8 2 µs.
  const kept: Pick<PreparedAlerts, 'filter' | 'lookups' | 'warnings'> = {
    warnings: whole ? [...warnings, ...whole.warnings] : warnings,
    filter: whole,
  };
  if (lookups) kept.lookups = lookups;
  if (whole?.reason) return { ...NO_ALERTS, ...kept };
  const counts = body !== null && mapping.repeatWindowSeconds !== null;
  const repetitions = counts ? new Repetitions(mapping, body, request) : null;
  const renderer = new AlertRenderer(mapping, payload, request, { repetitions, lookups });
  if (!mapping.split) return one(() => renderer.render(0), kept);
  const items = itemsOf(payload, mapping.split);
  if (!items) {
    const error = noList(mapping.split, payload);
    return one(() => withError(renderer.render(0), error), kept);
  }
  if (items.length > MAX_ITEMS) return failed(tooManyItems(mapping.split, items.length));
  const render = (number: number) => renderer.render(number, items[number]);
  const all: PreparedAlerts = { numbers: [...items.keys()], render, errors: [], ...kept };
  return mapping.filter?.usesItem && filter ? withoutDropped(all, filter.ofItems(items)) : all;
}

/** Makes the lookups of a parsed payload and nothing else, so that their source gets to know the keys. Returns those. */
export function lookupKeys(
  mapping: CompiledMapping,
  parsed: ParsedPayload,
  request: RequestSource,
  source: LookupSource,
): LookupKeys {
  if ('error' in parsed) return [];
  const { payload } = expandJson(parsed.value, mapping.expandJson);
  const lookups = new Lookups(mapping, payload, { request, source });
  const items = mapping.split ? itemsOf(payload, mapping.split) : null;
  if (!items) lookups.visit(0);
  else if (items.length <= MAX_ITEMS)
    for (const [number, item] of items.entries()) lookups.visit(number, item);
  return lookups.keys;
}

/** Leaves out the items that the filter dropped. The other items keep their numbers, and so their alerts keep their ids. */
function withoutDropped(alerts: PreparedAlerts, filter: FilterResult | null): PreparedAlerts {
  if (!filter) return alerts;
  const dropped = new Set(filter.items);
  return {
    ...alerts,
    numbers: alerts.numbers.filter((number) => !dropped.has(number)),
    warnings: [...alerts.warnings, ...filter.warnings],
    filter,
  };
}

const NO_ALERTS: PreparedAlerts = {
  numbers: [],
  render: () => {
    throw new RangeError('no such alert');
  },
  errors: [],
  warnings: [],
  filter: null,
};

/** @param kept spread last: each member after a spread takes V8 2 µs */
const one = (
  render: () => NormalizedAlert,
  kept: Pick<PreparedAlerts, 'warnings' | 'filter' | 'lookups'> = { warnings: [], filter: null },
): PreparedAlerts => ({ numbers: [0], render, errors: [], ...kept });

/** An event that cannot be mapped to alerts. */
const failed = (error: MappingError): PreparedAlerts => ({ ...NO_ALERTS, errors: [error] });

const renderAll = (prepared: PreparedAlerts): Normalized =>
  toNormalized(prepared, prepared.numbers.map(prepared.render));

async function renderYielding(prepared: PreparedAlerts, pause: () => Promise<unknown>): Promise<Normalized> {
  const alerts: NormalizedAlert[] = [];
  for (const [index, number] of prepared.numbers.entries()) {
    if (index > 0 && index % PORTION === 0) await pause();
    alerts.push(prepared.render(number));
  }
  return toNormalized(prepared, alerts);
}

function toNormalized(
  { errors, warnings, filter, lookups }: PreparedAlerts,
  alerts: NormalizedAlert[],
): Normalized {
  const normalized: Normalized = {
    eventState: stateOf(alerts, errors, filter),
    alerts,
    faults: errors,
    warnings,
    filter,
  };
  if (!lookups) return normalized;
  normalized.lookups = lookups;
  normalized.warnings = [...warnings, ...lookups.warnings()];
  return normalized;
}

function stateOf(
  alerts: readonly NormalizedAlert[],
  errors: readonly MappingError[],
  filter: FilterResult | null,
): Normalized['eventState'] {
  if (errors.length > 0) return 'failed';
  return alerts.length === 0 && filter?.reason ? 'filtered' : 'normalized';
}

const withError = (alert: NormalizedAlert, error: MappingError): NormalizedAlert => ({
  ...alert,
  state: 'incomplete',
  faults: [error, ...alert.faults],
});

function noList(split: Path, payload: JsonValue): MappingError {
  const { text } = split;
  const near = nearestList(payload, split.keys, new KeyLists());
  return {
    code: 'split_not_array',
    field: null,
    message: `no list at ${text} to split${near ? `; did you mean ${near}?` : ''}`,
    path: text,
  };
}

function tooManyItems({ text }: Path, count: number): MappingError {
  const [found, limit] = [count, MAX_ITEMS].map((number) => number.toLocaleString('en-US'));
  return {
    code: 'too_many_items',
    field: null,
    message: `the list at ${text} has ${found} items; the limit is ${limit}`,
    path: text,
  };
}

function unmappedAlert(): NormalizedAlert {
  const error: MappingError = {
    code: 'no_mapping',
    field: null,
    message: 'no mapping yet: choose a template for the payload, or draw one',
  };
  return { item: 0, state: 'incomplete', fields: fixedFields({}), custom: {}, series: null, faults: [error] };
}

function confirmationAlert({ title, description }: SnsConfirmation): NormalizedAlert {
  const fields = fixedFields({
    title: truncate(title, 'short'),
    severity: 'info',
    description: truncate(description, 'long'),
    source: 'Amazon SNS',
  });
  return { item: 0, state: 'complete', fields, custom: {}, series: null, faults: [] };
}

/** Returns fields that no template rendered. */
function fixedFields(values: Partial<Record<AlertField, string>>): Record<AlertField, FieldResult> {
  const field = (value: string | null = null): FieldResult => {
    const result = value === null ? 'missing' : 'resolved';
    return { value, result, paths: [], missing: [], warnings: [] };
  };
  return {
    title: field(values.title),
    severity: field(values.severity),
    description: field(values.description),
    source: field(values.source),
    service: field(values.service),
    environment: field(values.environment),
    team: field(values.team),
    ownerEmail: field(values.ownerEmail),
  };
}
