import type { CompiledField, CompiledMapping } from './compile.js';
import type { MappedField } from './schema.js';
import { foldValue } from './value-map.js';

/** A part of a valid mapping that has no effect. */
export interface MappingWarning {
  field: string;
  code: 'status_without_dedup_key' | 'occurrence_without_dedup_key' | 'final_without_dedup_key';
  message: string;
}

/** Returns what its author should know about a valid mapping. */
export function mappingWarnings({ fields, final }: CompiledMapping): MappingWarning[] {
  const named = (name: MappedField) => fields.find((field) => field.name === name);
  if (named('dedupKey')) return [];
  const status = named('status');
  return [
    ...(status && !recognizesTests(status) ? [withoutKey('fields.status', 'status_without_dedup_key')] : []),
    ...(named('occurrence') ? [withoutKey('fields.occurrence', 'occurrence_without_dedup_key')] : []),
    ...(final ? [withoutKey('final', 'final_without_dedup_key')] : []),
  ];
}

/** A test stands alone, with or without a key. */
const recognizesTests = ({ values, expression }: CompiledField): boolean =>
  expression !== null || [...(values?.values() ?? [])].some((value) => foldValue(value) === 'test');

const withoutKey = (field: string, code: MappingWarning['code']): MappingWarning => ({
  field,
  code,
  message: 'has no effect without `fields.dedupKey`: each event becomes an alert of its own',
});
