import type { CompiledMapping } from '../definition/compile.js';
import type { FieldResult, FilterReason, FilterResult, Warning } from '../render/results.js';
import { type Observation, resultsOf } from './observation.js';
import { type VanishedPath, vanishedPaths } from './vanished-paths.js';

export interface FieldStatistics {
  resolved: number;
  defaulted: number;
  missing: number;
  /** Share of the alerts, 0 to 1, for which the payload had a value. */
  fillRate: number;
  /** Texts that are not in the value map, unknown status words and unknown severities, most frequent first. */
  unmapped: { value: string; count: number }[];
  /** How many alerts have each warning of this field, by its code. */
  warnings: Partial<Record<Warning['code'], number>>;
}

export interface Statistics {
  events: number;
  /** Events for which no alerts could be made. */
  failed: number;
  alerts: number;
  complete: number;
  /** By name of the field; custom fields as `custom.NAME`. */
  fields: Record<string, FieldStatistics>;
  vanished: VanishedPath[];
  /** What the filter drops; null if the mapping has none. */
  filter: FilterStatistics | null;
}

/** Returns how well a mapping fits several events, newest first, that were all mapped with it. */
export function statistics(mapping: CompiledMapping, observations: readonly Observation[]): Statistics {
  const alerts = observations.flatMap(({ normalized }) => normalized.alerts);
  const byField = new Map<string, FieldResult[]>();
  for (const alert of alerts) {
    for (const [name, result] of resultsOf(alert)) {
      const results = byField.get(name);
      if (results) results.push(result);
      else byField.set(name, [result]);
    }
  }
  return {
    events: observations.length,
    failed: observations.filter(({ normalized }) => normalized.eventState === 'failed').length,
    alerts: alerts.length,
    complete: alerts.filter(({ state }) => state === 'complete').length,
    fields: Object.fromEntries([...byField].map(([name, results]) => [name, fieldStatistics(results)])),
    vanished: vanishedPaths(mapping, observations),
    filter: mapping.filter ? filterStatistics(observations) : null,
  };
}

function fieldStatistics(results: FieldResult[]): FieldStatistics {
  const count = (kind: FieldResult['result']) => results.filter(({ result }) => result === kind).length;
  const resolved = count('resolved');
  return {
    resolved,
    defaulted: count('defaulted'),
    missing: count('missing'),
    fillRate: resolved / results.length,
    unmapped: unmappedValues(results),
    warnings: countWarnings(results),
  };
}

const UNMAPPED: ReadonlySet<Warning['code']> = new Set([
  'unmapped_value',
  'unknown_status',
  'unknown_severity',
]);

function countWarnings(results: FieldResult[]): FieldStatistics['warnings'] {
  const counts: FieldStatistics['warnings'] = {};
  for (const { code } of results.flatMap(({ warnings }) => warnings)) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

function unmappedValues(results: FieldResult[]): FieldStatistics['unmapped'] {
  const counts = new Map<string, number>();
  for (const { code, value } of results.flatMap(({ warnings }) => warnings)) {
    if (UNMAPPED.has(code) && value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count);
}

/** What a filter drops of several events, and why. */
interface FilterStatistics {
  /** Events that are dropped as a whole. */
  events: number;
  /** Dropped items of a split. */
  items: number;
  /** The clauses that were false, most frequent first, each with the newest event as an example. */
  clauses: { clause: string; count: number; eventId: string; values: FilterReason['values'] }[];
  /** Why the filter could not be decided for some events, most frequent first. */
  undecided: { code: string; message: string; count: number; eventId: string }[];
}

/** Clauses and reasons that are listed. */
const MAX_LISTED = 10;

/** Counts what the filter of a mapping drops of several events, newest first. */
function filterStatistics(observations: readonly Observation[]): FilterStatistics {
  const results = observations.flatMap(({ eventId, normalized: { filter, eventState } }) =>
    filter ? [{ eventId, filter, isFiltered: eventState === 'filtered' }] : [],
  );
  return {
    events: results.filter(({ isFiltered }) => isFiltered).length,
    items: results.reduce((sum, { filter }) => sum + filter.items.length, 0),
    clauses: mostFrequent(results, ({ reason }) =>
      reason ? [{ key: reason.clause, example: { clause: reason.clause, values: reason.values } }] : [],
    ),
    undecided: mostFrequent(results, ({ warnings }) =>
      warnings.map(({ code, message }) => ({ key: message, example: { code, message } })),
    ),
  };
}

function mostFrequent<Example>(
  results: readonly { eventId: string; filter: FilterResult }[],
  pick: (filter: FilterResult) => { key: string; example: Example }[],
): (Example & { count: number; eventId: string })[] {
  const found = new Map<string, Example & { count: number; eventId: string }>();
  for (const { eventId, filter } of results) {
    for (const { key, example } of pick(filter)) {
      const known = found.get(key);
      if (known) known.count += 1;
      else found.set(key, { ...example, count: 1, eventId });
    }
  }
  return [...found.values()].sort((one, other) => other.count - one.count).slice(0, MAX_LISTED);
}
