import type { JsonValue } from '../../../../workers/mapping/index.js';

/**
 * What a source sends about one or more problems, and the alerts that a person would expect of it. The shape of the payloads is that of
 * payloads which somebody else published; the values are our own.
 */
export interface Story {
  what: string;
  /** Where the shape is published: a repository and path, or the address of a page. */
  shape: string;
  /** The headers of each request, by name in lower case, if the mapping reads them. */
  headers?: Record<string, string>;
  /** The payloads in the order in which they arrive, each with what it reports: fired, repeated, resolved, another problem. */
  steps: readonly (readonly [what: string, payload: JsonValue])[];
  /** All alerts after the last step, in the order in which they were opened. */
  alerts: readonly ExpectedAlert[];
}

/** Null is a field that is missing, or a status of an alert without a key. */
export interface ExpectedAlert {
  title: string | null;
  severity: string | null;
  description: string | null;
  source: string;
  service: string | null;
  environment: string | null;
  /** Left out: nothing. */
  resolution?: string | null;
  /** Checked if given. */
  team?: string | null;
  status: string | null;
  eventCount: number;
}
