import type { CompiledMapping } from './compile.js';
import { cut } from './cut.js';
import { expandJson } from './expand-json.js';
import { followAlone } from './lookup.js';
import { isDeeperThan, MAX_DEPTH, type ParsedPayload, parsePayload } from './parse-payload.js';
import type { Path } from './path.js';
import { AlertRenderer } from './render-alert.js';
import type { Fault, FieldResult, Normalized, NormalizedAlert } from './results.js';
import { ALERT_FIELDS, type AlertField } from './schema.js';
import { type SnsConfirmation, snsConfirmation } from './sns.js';
import type { JsonValue } from './values.js';

/** Items of a split; an event with more of them fails as a whole. */
export const MAX_ITEMS = 1_000;

/**
 * Turns a payload, as it came, into alerts: bytes, or the text of the JSON document. The same for the worker, for
 * remapping and for the preview. Without a mapping there is one incomplete alert. Throws nothing.
 */
export function normalize(mapping: CompiledMapping | null, payload: Uint8Array | string): Normalized {
  return withParsed(mapping, parsePayload(payload));
}

/** The same for a value that `parsePayload` gave, or that never was text. */
export function normalizeValue(mapping: CompiledMapping | null, value: JsonValue): Normalized {
  return withParsed(mapping, isDeeperThan(value, MAX_DEPTH) ? { fault: 'too_deep' } : { value });
}

function withParsed(mapping: CompiledMapping | null, parsed: ParsedPayload): Normalized {
  if ('fault' in parsed) return failed(PAYLOAD_FAULTS[parsed.fault]);
  const confirmation = snsConfirmation(parsed.value);
  if (confirmation) return normalized([confirmationAlert(confirmation)]);
  return mapping ? withMapping(mapping, parsed.value) : normalized([unmappedAlert()]);
}

const PAYLOAD_FAULTS: Record<'not_json' | 'too_deep', Fault> = {
  not_json: { code: 'not_json', field: null, message: 'the payload is no JSON' },
  too_deep: { code: 'too_deep', field: null, message: `the payload is nested deeper than ${MAX_DEPTH}` },
};

function withMapping(mapping: CompiledMapping, value: JsonValue): Normalized {
  const { payload, warnings } = expandJson(value, mapping.expandJson);
  const renderer = new AlertRenderer(mapping, payload);
  if (!mapping.split) return normalized([renderer.render(0)], warnings);
  const items = followAlone(payload, mapping.split.keys);
  if (!Array.isArray(items)) {
    const alert = renderer.render(0);
    const faults = [noList(mapping.split), ...alert.faults];
    return normalized([{ ...alert, state: 'incomplete', faults }], warnings);
  }
  if (items.length > MAX_ITEMS) return failed(tooManyItems(mapping.split, items.length));
  return normalized(
    items.map((item, number) => renderer.render(number, item)),
    warnings,
  );
}

function noList({ text }: Path): Fault {
  return {
    code: 'split_not_array',
    field: null,
    message: `there is no list at ${text} to split`,
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

const failed = (fault: Fault): Normalized => ({
  eventState: 'failed',
  alerts: [],
  faults: [fault],
  warnings: [],
});

function normalized(alerts: NormalizedAlert[], warnings: Normalized['warnings'] = []): Normalized {
  return { eventState: 'normalized', alerts, faults: [], warnings };
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
