/**
 * The mapping engine: what turns payloads into alerts. Pure; no input makes it throw. In a worker:
 * `normalize(cache.get(revision) ?? cache.add(revision, stored), bytes)`; before saving: `compileMapping(body)`; in a
 * preview: the same, and `statistics` and `compare` over the results. The catalogue of sources stands apart, in
 * `catalogue/index.ts`, as only the API needs it.
 */

export {
  type CompiledMapping,
  type CompileResult,
  compileMapping,
  compileStored,
  type MappingError,
} from './compile.js';
export { type AlertComparison, type Change, compare } from './inspect/compare.js';
export { type FieldStatistics, type Observation, type Statistics, statistics } from './inspect/statistics.js';
export type { VanishedPath } from './inspect/vanished-paths.js';
export { MappingCache } from './mapping-cache.js';
export { type FieldNode, type FieldTree, fieldTree } from './payload/field-tree.js';
export { MAX_DEPTH, type ParsedPayload, parsePayload } from './payload/parse-payload.js';
export { type Alerts, alertsOf, MAX_ITEMS, normalize, normalizeValue } from './render/normalize.js';
export type {
  Fault,
  FieldResult,
  MissingPath,
  Normalized,
  NormalizedAlert,
  Warning,
} from './render/results.js';
export type { JsonValue } from './render/values.js';
export { ALERT_FIELDS, type AlertField, type Mapping, mappingSchema, REQUIRED_FIELDS } from './schema.js';
