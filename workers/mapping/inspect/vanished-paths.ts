import type { CompiledMapping } from '../definition/compile.js';
import type { AlertField } from '../definition/schema.js';
import type { FieldResult, NormalizedAlert } from '../render/results.js';
import type { Observation } from './observation.js';

/** A path of a mapping that older events contained and the newest events do not. */
export interface VanishedPath {
  field: string;
  path: string;
  /** The newest event that contained the path. */
  lastSeen: string;
  /** Number of newer events, none of which contains it. */
  missingSince: number;
}

/**
 * Finds what a sender stopped sending. Takes events newest first, all mapped with the same mapping. Considers only the paths that
 * are looked up in every payload: those of tags outside sections and of the outermost sections.
 */
export function vanishedPaths(
  mapping: CompiledMapping,
  observations: readonly Observation[],
): VanishedPath[] {
  // A single event has no older one to be compared with.
  if (observations.length < 2) return [];
  return [...mapping.fields, ...mapping.custom.map(({ field }) => field)].flatMap(({ name, template }) =>
    vanishedOfField(name, template?.alwaysLookedUp ?? [], observations),
  );
}

function vanishedOfField(
  field: string,
  paths: readonly string[],
  observations: readonly Observation[],
): VanishedPath[] {
  const vanished = new Map<string, VanishedPath>();
  const unseen = new Set(paths);
  let missingSince = 0;
  for (const { eventId, normalized } of observations) {
    if (unseen.size === 0) break;
    const results = normalized.alerts.flatMap((alert) => resultOf(alert, field) ?? []);
    for (const path of takeFound(unseen, results)) {
      if (missingSince > 0) vanished.set(path, { field, path, lastSeen: eventId, missingSince });
    }
    if (results.length > 0) missingSince += 1;
  }
  return paths.flatMap((path) => vanished.get(path) ?? []);
}

/** Removes from `unseen`, and returns, the paths that any of the results found. */
function takeFound(unseen: Set<string>, results: readonly FieldResult[]): string[] {
  const found: string[] = [];
  for (const { paths, missing, absent = [] } of results) {
    if (unseen.size === 0) break;
    const failed = new Set([...missing.map(({ path }) => path), ...absent]);
    for (const path of unseen) {
      if (failed.has(path) || !paths.includes(path)) continue;
      found.push(path);
      unseen.delete(path);
    }
  }
  return found;
}

function resultOf({ fields, custom }: NormalizedAlert, field: string): FieldResult | undefined {
  if (!field.startsWith('custom.')) return fields[field as AlertField];
  return custom[field.slice('custom.'.length)];
}
