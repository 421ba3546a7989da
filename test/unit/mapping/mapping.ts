import { expect } from '@jest/globals';
import {
  type CompiledMapping,
  compileMapping,
  type FieldResult,
  type JsonValue,
  type Mapping,
  type MappingError,
  type Normalized,
  type NormalizedAlert,
  normalize,
} from '../../../workers/mapping/index.js';

/** Compiles a valid mapping. */
export function compiled(mapping: unknown): CompiledMapping {
  const result = compileMapping(mapping);
  if ('errors' in result) throw new Error(JSON.stringify(result.errors));
  return result.mapping;
}

/** Returns the errors of an invalid mapping. */
export function errorsOf(mapping: unknown): MappingError[] {
  const result = compileMapping(mapping);
  return 'errors' in result ? result.errors : [];
}

export const bytes = (payload: unknown): Buffer => Buffer.from(JSON.stringify(payload));

/** Maps a payload, as bytes, with a mapping as clients send it. */
export function run(mapping: Mapping, payload: unknown): Normalized {
  return normalize(compiled(mapping), Buffer.isBuffer(payload) ? payload : bytes(payload));
}

export function only({ alerts }: Normalized): NormalizedAlert {
  expect(alerts).toHaveLength(1);
  return alerts[0] as NormalizedAlert;
}

/** Returns the result of one template as the title. */
export function title(template: string, payload: unknown, more: object = {}): FieldResult {
  return only(run({ fields: { title: { template, ...more } } }, payload)).fields.title;
}

/** Returns the values of the fields that have one. */
export function valuesOf({ fields }: NormalizedAlert): Record<string, string> {
  const given = Object.entries(fields).flatMap(([name, { value, result }]): [string, string][] =>
    value === null || result === 'missing' ? [] : [[name, value]],
  );
  return Object.fromEntries(given);
}

/** Returns a value as the API sends it: hints are objects of a class, which find their properties when these are read. */
export const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

export type { JsonValue };
