import type { FilterReason, FilterResult } from '../render/results.js';
import type { Observation } from './observation.js';

/** What a filter drops of several events, and why. */
export interface FilterStatistics {
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
export function filterStatistics(observations: readonly Observation[]): FilterStatistics {
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
