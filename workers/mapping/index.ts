/**
 * The mapping engine: turns payloads into alerts. It does no I/O, and no payload or mapping makes it throw.
 *
 * - Before a mapping is saved: `compileYielding(body, pause)`, or `compileMapping(body)` where nobody else waits.
 * - In a worker: `normalize(cache.get(revision) ?? cache.add(revision, compileStored(stored)), bytes)`.
 * - In a preview: the same, then `statistics` and `compare` over the results.
 *
 * Import the engine only through this file. The catalogue of sources has a separate `catalogue/index.ts`, because only the
 * API needs it. Each folder of the engine imports only folders listed before it: `values` (JSON values, paths, budget), `payload` (text to
 * value), `template` (parses tags), `expression` (CEL), `definition` (schema and compiler of a mapping), `suggest` (the path that was probably
 * meant), `series` (which items are one alert), `render` (payload to alerts), `message` (what is drawn of an alert for a destination), `row` (the rules of a feed), `inspect`
 * (statistics, comparison, field tree).
 */

export {
  type CompiledLookup,
  type CompiledMapping,
  type CompileResult,
  compileMapping,
  compileStored,
  compileYielding,
  mergesEvents,
  ownRankOf,
} from './definition/compile.js';
export { MappingCache } from './definition/mapping-cache.js';
export type { MappingError } from './definition/mapping-error.js';
export { type MappingWarning, mappingWarnings } from './definition/mapping-warnings.js';
export { type RequestNames, requestNames } from './definition/request-names.js';
export {
  ALERT_FIELDS,
  type AlertField,
  MAPPED_FIELDS,
  type MappedField,
  type Mapping,
  mappingSchema,
  REQUIRED_FIELDS,
  type SeriesField,
} from './definition/schema.js';
export { severityRank } from './definition/severities.js';
export { type AlertComparison, type Change, compare } from './inspect/compare.js';
export { type FieldNode, type FieldTree, fieldTree, lookupNodes } from './inspect/field-tree.js';
export { foundPaths } from './inspect/found-paths.js';
export type { Observation } from './inspect/observation.js';
export { renamedPath } from './inspect/renamed-path.js';
export {
  type DatedObservation,
  previewSeries,
  type SeriesPreview,
} from './inspect/series-preview.js';
export { type FieldStatistics, type Statistics, statistics } from './inspect/statistics.js';
export { lookedUpPaths, resultOf, usedPaths } from './inspect/used-paths.js';
export type { VanishedPath } from './inspect/vanished-paths.js';
export {
  type BodySource,
  type CompiledBody,
  compileBody,
  compileFilter,
  type MessageFilter,
} from './message/compile-message.js';
export { drawBody, type FilterVerdict, judgeMessage } from './message/draw-message.js';
export type { MessageValues } from './message/message-state.js';
export { type ParsedPayload, parsePayload } from './payload/parse-payload.js';
export { leadsToSns } from './payload/sns.js';
export {
  MAY_STATE_TRUNCATION,
  type StatedTruncation,
  statedTruncation,
} from './payload/stated-truncation.js';
export { eventTypeOf } from './recognize/event-type.js';
export {
  type Candidate,
  type PreparedTemplate,
  prepareTemplate,
  type Recognizable,
  Recognizer,
  tryTemplate,
} from './recognize/recognizer.js';
export { type KeptLookup, keptFirst, keptLookups, keptSource } from './render/kept-lookups.js';
export type { LookupKeys } from './render/lookups.js';
export {
  asParsed,
  lookupKeys,
  MAX_ITEMS,
  normalize,
  normalizeValue,
  normalizeYielding,
  type PreparedAlerts,
  prepareAlerts,
  seriesAlone,
} from './render/normalize.js';
export type {
  EventLookups,
  FieldResult,
  FilterReason,
  FilterResult,
  Normalized,
  NormalizedAlert,
  Warning,
} from './render/results.js';
export { ranksOfAlert, toSeriesItem } from './render/to-series-item.js';
export { compileRowRule, type RowRule, RowState } from './row/row-rule.js';
export { comparableOf, isNotNewer, isOlder, MIXED, NO_VALUE } from './series/comparable.js';
export { expiryTime } from './series/expiry-text.js';
export {
  changesAlert,
  type Folded,
  foldItems,
  goingOnAt,
  type ItemOutcome,
  NO_ITEMS,
  noItemsOf,
  outcomeOf,
  type SeriesState,
} from './series/fold.js';
export {
  type End,
  endOf,
  isFiring,
  isWithin,
  type Occurrence,
  rankOfItem,
  severityItemOf,
  severityOf,
  severityOfAlert,
  withItem,
} from './series/occurrence.js';
export { isOwnKey, OWN_KEY_PREFIX } from './series/own-key.js';
export {
  digitOf,
  type Rank,
  type Ranks,
  ranksOf,
  readRanks,
  replaces,
  replacesAll,
  resolvedRanks,
} from './series/ranks.js';
export { repeatWindowMs } from './series/repeat-key.js';
export {
  comparePositions,
  type ItemError,
  type ItemOrigin,
  type ItemStatus,
  type Position,
  type SeriesItem,
} from './series/series-item.js';
export { type ShownAlert, shownAlert, stateOfErrors } from './series/shown-alert.js';
export { type Status, statusOfWord } from './series/status-words.js';
export { RowItem, type StoredItem } from './series/stored-item.js';
export { outcomeOfStored, type StoredStatus, statusOfStored, storedStatus } from './series/stored-status.js';
export type { MissingPath } from './suggest/missing-path.js';
export { type JsonValue, MAX_DEPTH } from './values/json-value.js';
export {
  describeResult,
  FOUND_NOTHING,
  type Found,
  LOOKUP_LIMITS,
  type LookupPlace,
  type LookupResult,
  type LookupRow,
  type LookupSource,
  lookupKey,
  type Miss,
} from './values/looked-up.js';
export type { MessageField } from './values/message-fields.js';
export { formatPath } from './values/path.js';
export { type EventRequest, parseRequest, type RequestValues, storedRequest } from './values/request.js';
export { truncate } from './values/truncate.js';
