import type { FieldResult, Normalized, NormalizedAlert } from '../render/results.js';

/** The alerts that a mapping makes of one stored event. */
export interface Observation {
  eventId: string;
  normalized: Normalized;
  /** What `foundPaths` returns for the event. Absent if it is not JSON. */
  found?: ReadonlySet<string>;
}

/** Returns all field results of an alert, named as in its errors and in statistics: custom fields as `custom.NAME`. */
export function resultsOf({ fields, custom }: NormalizedAlert): [name: string, result: FieldResult][] {
  return [
    ...Object.entries(fields),
    ...Object.entries(custom).map(([key, result]): [string, FieldResult] => [`custom.${key}`, result]),
  ];
}
