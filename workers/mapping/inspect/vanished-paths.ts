import type { CompiledMapping } from '../definition/compile.js';
import type { Observation } from './observation.js';
import { usedPaths } from './used-paths.js';

/** A path of a mapping that older events contained and the newest events do not. */
export interface VanishedPath {
  field: string;
  path: string;
  /** The newest event that contained the path. */
  lastSeen: string;
  /** Number of newer events, none of which contains it. */
  missingSince: number;
}

/** Finds what a sender stopped sending. Takes events newest first, all mapped with the same mapping. */
export function vanishedPaths(
  mapping: CompiledMapping,
  observations: readonly Observation[],
): VanishedPath[] {
  const vanished: VanishedPath[] = [];
  /** How many of the newest events do not contain a path; null once an event did. */
  const missing = new Map<string, number | null>();
  for (const observation of observations) {
    for (const { field, path, found } of usedPaths(mapping, observation)) {
      const key = `${field}\n${path}`;
      const missingSince = missing.get(key) ?? (missing.has(key) ? null : 0);
      if (missingSince === null) continue;
      missing.set(key, found ? null : missingSince + 1);
      if (found && missingSince > 0)
        vanished.push({ field, path, lastSeen: observation.eventId, missingSince });
    }
  }
  return vanished;
}
