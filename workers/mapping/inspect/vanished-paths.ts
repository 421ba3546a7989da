import type { CompiledMapping } from '../definition/compile.js';
import type { FieldResult, Normalized, NormalizedAlert } from '../render/results.js';
import type { Path } from '../values/path.js';
import { expectedPaths } from './found-paths.js';
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
 * are looked up in every payload: those of tags outside sections and of the outermost sections, and those of expressions and the
 * filter that neither `has` tests nor `first` replaces.
 */
export function vanishedPaths(
  mapping: CompiledMapping,
  observations: readonly Observation[],
): VanishedPath[] {
  // A single event has no older one to be compared with.
  if (observations.length < 2) return [];
  const fields = [...mapping.fields, ...mapping.custom.map(({ field }) => field)];
  return [
    ...expectedPaths(mapping).flatMap(([field, paths]) =>
      vanishedOfField(field, textsOf(paths), observations, ({ found }) => found && [...found]),
    ),
    ...fields.flatMap(({ name, template }) =>
      vanishedOfField(name, template?.alwaysLookedUp ?? [], observations, ({ normalized }) =>
        foundByTemplate(normalized, name),
      ),
    ),
  ];
}

const textsOf = (paths: readonly Path[]): string[] => paths.map(({ text }) => text);

/** `foundIn` returns the paths that an event contains, or undefined if the event says nothing about them. */
function vanishedOfField(
  field: string,
  paths: readonly string[],
  observations: readonly Observation[],
  foundIn: (observation: Observation) => readonly string[] | undefined,
): VanishedPath[] {
  const vanished = new Map<string, VanishedPath>();
  const unseen = new Set(paths);
  let missingSince = 0;
  for (const observation of observations) {
    if (unseen.size === 0) break;
    const found = foundIn(observation);
    for (const path of found ?? []) {
      if (unseen.delete(path) && missingSince > 0)
        vanished.set(path, { field, path, lastSeen: observation.eventId, missingSince });
    }
    if (found) missingSince += 1;
  }
  return paths.flatMap((path) => vanished.get(path) ?? []);
}

/** Returns the paths that a template found in any alert of an event; undefined if the event has no alerts. */
function foundByTemplate({ alerts }: Normalized, field: string): string[] | undefined {
  const results = alerts.flatMap((alert) => resultOf(alert, field) ?? []);
  return results.length === 0 ? undefined : [...new Set(results.flatMap(foundPathsOf))];
}

function foundPathsOf({ paths, missing, absent = [] }: FieldResult): readonly string[] {
  if (missing.length === 0 && absent.length === 0) return paths;
  const failed = new Set([...missing.map(({ path }) => path), ...absent]);
  return paths.filter((path) => !failed.has(path));
}

function resultOf({ fields, custom }: NormalizedAlert, field: string): FieldResult | undefined {
  const own: Readonly<Partial<Record<string, FieldResult>>> = fields;
  if (!field.startsWith('custom.')) return own[field];
  return custom[field.slice('custom.'.length)];
}
