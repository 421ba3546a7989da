import type { CompiledMapping } from '../definition/compile.js';
import type { FieldResult, Warning } from '../render/results.js';
import { type FilterStatistics, filterStatistics } from './filter-statistics.js';
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
