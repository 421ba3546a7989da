import type { Normalized, NormalizedAlert } from '../render/results.js';
import { resultsOf } from './observation.js';

/** A field that another mapping fills differently. */
export interface Change {
  field: string;
  before: string | null;
  after: string | null;
}

/** One alert under the old and the new mapping. A state is null if that mapping makes no such alert. */
export interface AlertComparison {
  item: number;
  before: NormalizedAlert['state'] | null;
  after: NormalizedAlert['state'] | null;
  changes: Change[];
}

/** Compares the results of two mappings for the same event, item by item: a filter may drop some. */
export function compare(before: Normalized, after: Normalized): AlertComparison[] {
  const [old, now] = [before, after].map(({ alerts }) => new Map(alerts.map((alert) => [alert.item, alert])));
  const items = new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])]);
  return [...items]
    .sort((one, other) => one - other)
    .map((item) => compareAlerts(item, old?.get(item), now?.get(item)));
}

function compareAlerts(item: number, before?: NormalizedAlert, after?: NormalizedAlert): AlertComparison {
  const old = new Map(before ? resultsOf(before) : []);
  const now = new Map(after ? resultsOf(after) : []);
  const changes = [...new Set([...old.keys(), ...now.keys()])].flatMap((field): Change[] => {
    const change = { field, before: old.get(field)?.value ?? null, after: now.get(field)?.value ?? null };
    return change.before === change.after ? [] : [change];
  });
  return { item, before: before?.state ?? null, after: after?.state ?? null, changes };
}
