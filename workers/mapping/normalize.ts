import { type CompiledField, compileField, type FieldResult, fillField, UNMAPPED } from './field.js';
import { ALERT_FIELDS, type AlertField, type Mapping, REQUIRED_FIELDS } from './mapping.js';
import { parsePath, valueAt } from './path.js';
import type { Scope } from './template.js';

const MAX_LENGTH = 255;
/** In UTF-16 units, which are 3 bytes of UTF-8 at most. */
const MAX_DESCRIPTION = 16 * 1_024;
const MAX_ITEMS = 1_000;

/** A mapping whose templates are read. */
export interface CompiledMapping {
  split: { path: string; steps: string[] } | null;
  fields: ReadonlyMap<AlertField, CompiledField>;
  custom: ReadonlyMap<string, CompiledField>;
}

/** Why no alert could be made, or one is incomplete. */
export interface MappingFault {
  field: string | null;
  code: string;
  message: string;
}

export interface NormalizedAlert {
  state: 'complete' | 'incomplete';
  fields: Record<AlertField, FieldResult>;
  custom: Record<string, FieldResult>;
  /** Why it is incomplete. */
  faults: MappingFault[];
}

/** What a payload came to: its alerts, or `faults` that say why none could be made. */
export interface Normalized {
  alerts: NormalizedAlert[];
  faults: MappingFault[];
}

/** Reads a mapping's templates once. @throws TemplateFault */
export function compileMapping(mapping: Mapping): CompiledMapping {
  const fields = ALERT_FIELDS.flatMap((name) => {
    const field = mapping.fields[name];
    const maxLength = name === 'description' ? MAX_DESCRIPTION : MAX_LENGTH;
    return field ? [[name, compileField(field, maxLength)] as const] : [];
  });
  const custom = Object.entries(mapping.custom).map(
    ([name, field]) => [name, compileField(field, MAX_LENGTH)] as const,
  );
  const split = mapping.split === null ? null : { path: mapping.split, steps: parsePath(mapping.split) };
  return { split, fields: new Map(fields), custom: new Map(custom) };
}

/** Makes alerts of a payload. Pure; without a mapping it makes one incomplete alert. */
export function normalize(payload: unknown, mapping: CompiledMapping | null): Normalized {
  if (!mapping) return { alerts: [incomplete(NO_MAPPING)], faults: [] };
  if (!mapping.split) return { alerts: [makeAlert(mapping, { webhook: payload })], faults: [] };
  const { path, steps } = mapping.split;
  const items = valueAt(payload, steps);
  if (!Array.isArray(items)) {
    const alert = makeAlert(mapping, { webhook: payload });
    return {
      alerts: [{ ...alert, state: 'incomplete', faults: [noArray(path), ...alert.faults] }],
      faults: [],
    };
  }
  if (items.length > MAX_ITEMS) return { alerts: [], faults: [tooMany(items.length)] };
  return { alerts: items.map((item) => makeAlert(mapping, { webhook: payload, item })), faults: [] };
}

function makeAlert(mapping: CompiledMapping, scope: Scope): NormalizedAlert {
  const fields = {} as Record<AlertField, FieldResult>;
  const faults: MappingFault[] = [];
  for (const name of ALERT_FIELDS) {
    const field = mapping.fields.get(name);
    const result = field ? fillField(field, scope) : UNMAPPED;
    fields[name] = result;
    if (result.result === 'missing' && REQUIRED_FIELDS.includes(name)) faults.push(missing(name, result));
  }
  const custom = Object.fromEntries(
    [...mapping.custom].map(([name, field]) => [name, fillField(field, scope)]),
  );
  return { state: faults.length > 0 ? 'incomplete' : 'complete', fields, custom, faults };
}

function incomplete(fault: MappingFault): NormalizedAlert {
  const fields = Object.fromEntries(ALERT_FIELDS.map((name) => [name, UNMAPPED]));
  return {
    state: 'incomplete',
    fields: fields as Record<AlertField, FieldResult>,
    custom: {},
    faults: [fault],
  };
}

function missing(field: AlertField, { paths, missing: [first] }: FieldResult): MappingFault {
  if (paths.length === 0)
    return { field, code: 'unmapped', message: 'the mapping says nothing of this field' };
  const nearest = first?.nearest ? `; nearest: ${first.nearest}` : '';
  return { field, code: 'missing', message: `${first?.path ?? paths[0]} is missing${nearest}` };
}

const NO_MAPPING: MappingFault = {
  field: null,
  code: 'no_mapping',
  message: 'the integration has no mapping yet',
};

const noArray = (path: string): MappingFault => ({
  field: null,
  code: 'split_not_found',
  message: `there is no array at ${path}`,
});

const tooMany = (count: number): MappingFault => ({
  field: null,
  code: 'too_many_items',
  message: `${count} items are more than the ${MAX_ITEMS} that one event may hold`,
});
