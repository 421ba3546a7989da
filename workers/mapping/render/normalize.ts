import type { CompiledMapping } from '../definition/compile.js';
import { ALERT_FIELDS, type AlertField } from '../definition/schema.js';
import { expandJson } from '../payload/expand-json.js';
import { isDeeperThan, type ParsedPayload, parsePayload } from '../payload/parse-payload.js';
import { type SnsConfirmation, snsConfirmation } from '../payload/sns.js';
import { nearestList } from '../suggest/nearest-list.js';
import { type JsonValue, KeyLists, MAX_DEPTH } from '../values/json-value.js';
import { followAlone } from '../values/lookup.js';
import type { Path } from '../values/path.js';
import { cut } from '../values/truncate.js';
import { AlertRenderer } from './render-alert.js';
import type { Fault, FieldResult, Normalized, NormalizedAlert, Warning } from './results.js';

/** Items of a split; an event with more of them fails as a whole. */
export const MAX_ITEMS = 1_000;

/**
 * Turns a payload, as it came, into alerts: bytes, or the text of the JSON document. The same for the worker, for
 * remapping and for the preview. Without a mapping there is one incomplete alert. Throws nothing.
 */
export function normalize(mapping: CompiledMapping | null, payload: Uint8Array | string): Normalized {
  return renderAll(alertsOf(mapping, parsePayload(payload)));
}

/** The same for a value that `parsePayload` gave, or that never was text. */
export function normalizeValue(mapping: CompiledMapping | null, value: JsonValue): Normalized {
  return renderAll(alertsOf(mapping, isDeeperThan(value, MAX_DEPTH) ? { fault: 'too_deep' } : { value }));
}

/** The alerts of an event before they are rendered. One by one and in order they are those of `normalize`. */
export interface Alerts {
  count: number;
  /** Renders one. What those before it have taken counts: an event's alerts share one budget. */
  render(number: number): NormalizedAlert;
  faults: readonly Fault[];
  warnings: readonly Warning[];
}

/** Makes ready to render the alerts of a parsed payload. */
export function alertsOf(mapping: CompiledMapping | null, parsed: ParsedPayload): Alerts {
  if ('fault' in parsed) return none(PAYLOAD_FAULTS[parsed.fault]);
  const confirmation = snsConfirmation(parsed.value);
  if (confirmation) return one(() => confirmationAlert(confirmation));
  return mapping ? withMapping(mapping, parsed.value) : one(unmappedAlert);
}

const PAYLOAD_FAULTS: Record<'not_json' | 'too_deep', Fault> = {
  not_json: { code: 'not_json', field: null, message: 'the payload is no JSON' },
  too_deep: { code: 'too_deep', field: null, message: `the payload is nested deeper than ${MAX_DEPTH}` },
};

function withMapping(mapping: CompiledMapping, value: JsonValue): Alerts {
  const { payload, warnings } = expandJson(value, mapping.expandJson);
  const renderer = new AlertRenderer(mapping, payload);
  if (!mapping.split) return one(() => renderer.render(0), warnings);
  const items = followAlone(payload, mapping.split.keys);
  if (!Array.isArray(items)) {
    const fault = noList(mapping.split, payload);
    return one(() => withFault(renderer.render(0), fault), warnings);
  }
  if (items.length > MAX_ITEMS) return none(tooManyItems(mapping.split, items.length));
  const render = (number: number) => renderer.render(number, items[number]);
  return { count: items.length, render, faults: [], warnings };
}

const one = (render: () => NormalizedAlert, warnings: readonly Warning[] = []): Alerts => ({
  count: 1,
  render,
  faults: [],
  warnings,
});

/** An event of which no alerts can be made. */
const none = (fault: Fault): Alerts => ({
  count: 0,
  render: () => {
    throw new RangeError('there is no such alert');
  },
  faults: [fault],
  warnings: [],
});

function renderAll({ count, render, faults, warnings }: Alerts): Normalized {
  const alerts: NormalizedAlert[] = [];
  for (let number = 0; number < count; number++) alerts.push(render(number));
  return { eventState: faults.length > 0 ? 'failed' : 'normalized', alerts, faults, warnings };
}

const withFault = (alert: NormalizedAlert, fault: Fault): NormalizedAlert => ({
  ...alert,
  state: 'incomplete',
  faults: [fault, ...alert.faults],
});

function noList(split: Path, payload: JsonValue): Fault {
  const { text } = split;
  const near = nearestList(payload, split.keys, new KeyLists());
  return {
    code: 'split_not_array',
    field: null,
    message: `there is no list at ${text} to split${near ? `; the nearest is ${near}` : ''}`,
    path: text,
  };
}

function tooManyItems({ text }: Path, count: number): Fault {
  return {
    code: 'too_many_items',
    field: null,
    message: `${count} items at ${text}; at most ${MAX_ITEMS}`,
    path: text,
  };
}

function unmappedAlert(): NormalizedAlert {
  const fault: Fault = {
    code: 'no_mapping',
    field: null,
    message: 'the integration has no mapping that can be used',
  };
  return { item: 0, state: 'incomplete', fields: fixedFields({}), custom: {}, faults: [fault] };
}

function confirmationAlert({ title, description }: SnsConfirmation): NormalizedAlert {
  const fields = fixedFields({
    title: cut(title, 'short'),
    severity: 'info',
    description: cut(description, 'long'),
    source: 'Amazon SNS',
  });
  return { item: 0, state: 'complete', fields, custom: {}, faults: [] };
}

/** Fields that no template made. */
function fixedFields(values: Partial<Record<AlertField, string>>): NormalizedAlert['fields'] {
  const entries = ALERT_FIELDS.map((name): [AlertField, FieldResult] => {
    const value = values[name] ?? null;
    const result = value === null ? 'missing' : 'resolved';
    return [name, { value, result, paths: [], missing: [], warnings: [] }];
  });
  return Object.fromEntries(entries) as NormalizedAlert['fields'];
}
