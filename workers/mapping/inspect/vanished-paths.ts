import type { CompiledMapping } from '../definition/compile.js';
import type { AlertField } from '../definition/schema.js';
import type { FieldResult, NormalizedAlert } from '../render/results.js';
import type { Observation } from './observation.js';

/** A path that a mapping reads, that older events had, and the newest have not. */
export interface VanishedPath {
  field: string;
  path: string;
  /** The newest event that still had it. */
  lastSeen: string;
  /** Newer events, none of which has it. */
  missingSince: number;
}

/**
 * Finds what a sender has stopped to send; events newest first, all by one mapping. Of the mapping's paths only those that
 * are looked up in every payload can tell: the ones outside of sections and of the outermost sections.
 */
export function vanishedPaths(
  mapping: CompiledMapping,
  observations: readonly Observation[],
): VanishedPath[] {
  // One event has nothing before it.
  if (observations.length < 2) return [];
  return [...mapping.fields, ...mapping.custom.map(({ field }) => field)].flatMap(({ name, template }) =>
    vanishedOf(name, template?.outer ?? [], observations),
  );
}

function vanishedOf(
  field: string,
  paths: readonly string[],
  observations: readonly Observation[],
): VanishedPath[] {
  const lastSeen = new Map<string, VanishedPath>();
  const unseen = new Set(paths);
  let missingSince = 0;
  for (const { eventId, normalized } of observations) {
    if (unseen.size === 0) break;
    const results = normalized.alerts.flatMap((alert) => resultOf(alert, field) ?? []);
    for (const path of takeFound(unseen, results)) {
      if (missingSince > 0) lastSeen.set(path, { field, path, lastSeen: eventId, missingSince });
    }
    if (results.length > 0) missingSince += 1;
  }
  return paths.flatMap((path) => lastSeen.get(path) ?? []);
}

/** Takes out of `unseen` what any of the results has found. */
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
