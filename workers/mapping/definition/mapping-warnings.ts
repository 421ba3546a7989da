import type { CompiledMapping } from './compile.js';

/** A part of a valid mapping that has no effect. */
export interface MappingWarning {
  field: string;
  code: 'status_without_dedup_key';
  message: string;
}

/** Returns what its author should know about a valid mapping. */
export function mappingWarnings({ fields }: CompiledMapping): MappingWarning[] {
  const names = fields.map(({ name }) => name);
  return names.includes('status') && !names.includes('dedupKey') ? [STATUS_WITHOUT_KEY] : [];
}

const STATUS_WITHOUT_KEY: MappingWarning = {
  field: 'fields.status',
  code: 'status_without_dedup_key',
  message: 'has no effect without `fields.dedupKey`: each event becomes an alert of its own',
};
