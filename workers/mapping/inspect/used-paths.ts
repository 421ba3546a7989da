import type { CompiledMapping } from '../definition/compile.js';
import type { FieldResult, Normalized, NormalizedAlert } from '../render/results.js';
import { expectedPaths } from './found-paths.js';
import type { Observation } from './observation.js';

/** A path that a mapping looks up in every payload, and whether an event has a value there. */
export interface UsedPath {
  /** As in the errors of an alert: custom fields as `custom.NAME`. The filter counts as a field. */
  field: string;
  path: string;
  found: boolean;
}

/**
 * Returns the paths that a mapping looks up in every payload: those of tags outside sections and of the outermost sections, and those of
 * expressions and the filter that neither `has` tests nor `first` replaces.
 */
export function lookedUpPaths(
  mapping: CompiledMapping,
): { field: string; path: string; isOfTemplate: boolean }[] {
  const fields = [...mapping.fields, ...mapping.custom.map(({ field }) => field)];
  return [
    ...expectedPaths(mapping).flatMap(([field, paths]) =>
      paths.map(({ text }) => ({ field, path: text, isOfTemplate: false })),
    ),
    ...fields.flatMap(({ name, template }) =>
      (template?.alwaysLookedUp ?? []).map((path) => ({ field: name, path, isOfTemplate: true })),
    ),
  ];
}

/** Returns what an event says about these paths. An event without alerts says nothing about those of templates. */
export function usedPaths(mapping: CompiledMapping, { normalized, found }: Observation): UsedPath[] {
  const byTemplate = new Map<string, ReadonlySet<string> | null>();
  return lookedUpPaths(mapping).flatMap(({ field, path, isOfTemplate }) => {
    if (isOfTemplate && !byTemplate.has(field)) byTemplate.set(field, foundByTemplate(normalized, field));
    const paths = isOfTemplate ? byTemplate.get(field) : found;
    return paths ? [{ field, path, found: paths.has(path) }] : [];
  });
}

/** Returns the paths that a template found in any alert of an event; null if the event has no alerts. */
function foundByTemplate({ alerts }: Normalized, field: string): ReadonlySet<string> | null {
  const results = alerts.flatMap((alert) => resultOf(alert, field) ?? []);
  return results.length === 0 ? null : new Set(results.flatMap(foundPathsOf));
}

function foundPathsOf({ paths, missing, absent = [] }: FieldResult): readonly string[] {
  if (missing.length === 0 && absent.length === 0) return paths;
  const failed = new Set([...missing.map(({ path }) => path), ...absent]);
  return paths.filter((path) => !failed.has(path));
}

/** Returns the result of a field, by its name as in an alert's errors. */
export function resultOf({ fields, custom }: NormalizedAlert, field: string): FieldResult | undefined {
  const own: Readonly<Partial<Record<string, FieldResult>>> = fields;
  if (!field.startsWith('custom.')) return own[field];
  return custom[field.slice('custom.'.length)];
}
