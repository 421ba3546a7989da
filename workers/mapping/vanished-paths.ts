import type { CompiledMapping } from './compile.js';
import type { FieldResult, NormalizedAlert } from './results.js';
import type { AlertField } from './schema.js';
import type { Observation } from './statistics.js';

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
  return [...mapping.fields, ...mapping.custom.map(({ field }) => field)].flatMap(({ name, template }) =>
    (template?.outer ?? []).flatMap((path) => vanishedPath(name, path, observations) ?? []),
  );
}

function vanishedPath(
  field: string,
  path: string,
  observations: readonly Observation[],
): VanishedPath | null {
  let missingSince = 0;
  for (const { eventId, normalized } of observations) {
    const results = normalized.alerts.flatMap((alert) => resultOf(alert, field) ?? []);
    if (results.some((result) => hasFound(result, path))) {
      return missingSince > 0 ? { field, path, lastSeen: eventId, missingSince } : null;
    }
    if (results.length > 0) missingSince += 1;
  }
  return null;
}

function hasFound({ paths, missing, absent }: FieldResult, path: string): boolean {
  return paths.includes(path) && !missing.some((failed) => failed.path === path) && !absent?.includes(path);
}

function resultOf({ fields, custom }: NormalizedAlert, field: string): FieldResult | undefined {
  if (!field.startsWith('custom.')) return fields[field as AlertField];
  return custom[field.slice('custom.'.length)];
}
