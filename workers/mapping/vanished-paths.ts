import type { FieldResult } from './results.js';
import { type Observation, resultsOf } from './statistics.js';

/** A path that a mapping reads, that older events had, and the newest have not. */
export interface VanishedPath {
  field: string;
  path: string;
  /** The newest event that still had it. */
  lastSeen: string;
  /** Newer events, none of which has it. */
  missingSince: number;
}

/** Finds what a sender has stopped to send; events newest first. */
export function vanishedPaths(observations: readonly Observation[]): VanishedPath[] {
  const missingSince = new Map<string, number>();
  const settled = new Set<string>();
  const vanished: VanishedPath[] = [];
  for (const { eventId, normalized } of observations) {
    for (const [key, found] of pathsOf(normalized.alerts.flatMap(resultsOf))) {
      if (settled.has(key)) continue;
      if (!found) missingSince.set(key, (missingSince.get(key) ?? 0) + 1);
      else {
        settled.add(key);
        const [field, path] = JSON.parse(key) as [string, string];
        const since = missingSince.get(key);
        if (since) vanished.push({ field, path, lastSeen: eventId, missingSince: since });
      }
    }
  }
  return vanished;
}

/** Whether any alert of one event found something at each path that its fields read. */
function pathsOf(results: [string, FieldResult][]): Map<string, boolean> {
  const found = new Map<string, boolean>();
  for (const [field, { paths, missing }] of results) {
    const failed = new Set(missing.map(({ path }) => path));
    for (const path of paths) {
      const key = JSON.stringify([field, path]);
      found.set(key, found.get(key) === true || !failed.has(path));
    }
  }
  return found;
}
