import type { AlertField, Mapping } from '../definition/schema.js';
import type { JsonValue } from '../values/json-value.js';

/** One source of alerts, whole: what it sends, how that is mapped, and what comes of it. */
export interface CatalogueSource {
  /** Stable; what `template` says when a webhook is made. */
  name: string;
  title: string;
  /** Where the source says what it sends. */
  documentation: string;
  /** The shape that it sends, with values of our own. */
  sample: JsonValue;
  mapping: Mapping;
  /** The alerts of the sample; fields that are not named are missing. */
  expected: Partial<Record<AlertField, string>>[];
}
