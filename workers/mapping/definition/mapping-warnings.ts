import type { Token } from '../template/template.js';
import type { CompiledField, CompiledMapping } from './compile.js';
import type { MappedField } from './schema.js';
import { foldValue } from './value-map.js';

/** A part of a valid mapping that has no effect, or another one than its author may think. */
export interface MappingWarning {
  field: string;
  code:
    | 'status_without_dedup_key'
    | 'occurrence_without_dedup_key'
    | 'expiry_without_dedup_key'
    | 'final_without_dedup_key'
    | 'optional_key_part'
    | 'unknown_table'
    | 'unknown_column'
    | 'wrong_key_columns';
  message: string;
}

/** Returns what its author should know about a valid mapping. */
export function mappingWarnings({ fields, final }: CompiledMapping): MappingWarning[] {
  const named = (name: MappedField) => fields.find((field) => field.name === name);
  const key = named('dedupKey');
  if (key) return optionalParts(key.template?.tokens ?? []).map(optionalPart);
  const status = named('status');
  return [
    ...(status && !recognizesTests(status) ? [withoutKey('fields.status', 'status_without_dedup_key')] : []),
    ...(named('occurrence') ? [withoutKey('fields.occurrence', 'occurrence_without_dedup_key')] : []),
    ...(named('expiresAt') ? [withoutKey('fields.expiresAt', 'expiry_without_dedup_key')] : []),
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

/**
 * Returns the names of sections that a key leaves out without having no key: it has a tag outside sections, and no inverted section
 * says what to use instead.
 */
function optionalParts(tokens: readonly Token[]): string[] {
  const namesOf = (...kinds: string[]) =>
    tokens.filter(([kind]) => kinds.includes(kind)).map(([, name]) => name);
  const alternatives = namesOf('^');
  if (namesOf('name', '&').length === 0) return [];
  return namesOf('#').filter((name) => !alternatives.includes(name));
}

const optionalPart = (name: string): MappingWarning => ({
  field: 'fields.dedupKey',
  code: 'optional_key_part',
  message:
    `without ${name}, the key is only what is left, and two problems may have the same one. Write {{${name}}} without a section if every event ` +
    `must have it, or add {{^${name}}}…{{/${name}}} with what to use instead, which may be empty`,
});
