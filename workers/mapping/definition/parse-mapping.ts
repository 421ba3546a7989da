import type { MappingError } from './mapping-error.js';
import { type Mapping, mappingSchema } from './schema.js';

/** Checks the shape of a mapping. Returns all errors at once. A stored mapping keeps what it had when it was saved. */
export function parseMapping(
  input: unknown,
  stored: boolean,
): { mapping: Mapping } | { errors: MappingError[] } {
  const dropped = stored ? [] : droppedNames(input);
  if (dropped.length > 0) return { errors: dropped };
  const parsed = mappingSchema.safeParse(input);
  return parsed.success ? { mapping: parsed.data } : { errors: parsed.error.issues.map(schemaError) };
}

/** Returns an error for each `__proto__`: zod silently drops that key of a record, and nothing that was sent may be lost. */
function droppedNames(input: unknown): MappingError[] {
  const { fields, custom, lookups }: { fields?: unknown; custom?: unknown; lookups?: unknown } = isRecord(
    input,
  )
    ? input
    : {};
  const values = [...entriesOf('fields', fields), ...entriesOf('custom', custom)].map(
    ([at, field]): [string, unknown] => [`${at}.values`, isRecord(field) ? field.values : undefined],
  );
  return [['custom', custom] as const, ['lookups', lookups] as const, ...values].flatMap(([at, record]) =>
    isRecord(record) && Object.hasOwn(record, '__proto__')
      ? [{ field: `${at}.__proto__`, code: 'invalid_mapping', message: 'must not be named __proto__' }]
      : [],
  );
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const entriesOf = (at: string, record: unknown): [string, unknown][] =>
  isRecord(record) ? Object.entries(record).map(([name, field]) => [`${at}.${name}`, field]) : [];

function schemaError({ path, message }: { path: PropertyKey[]; message: string }): MappingError {
  return { field: path.map(String).join('.'), code: 'invalid_mapping', message };
}
