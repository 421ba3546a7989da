import type { AlertField, Mapping } from '../definition/schema.js';
import type { JsonValue } from '../values/json-value.js';

/** A source of alerts: its sample payload, the mapping, and the expected alerts. */
export interface CatalogueSource {
  /** The value of `template` in a request that creates a webhook. Never changes. */
  name: string;
  title: string;
  /** Link to the source's documentation of its payload. */
  documentation: string;
  /** A payload in the shape that the source sends, with invented values. */
  sample: JsonValue;
  mapping: Mapping;
  /** The alerts that the mapping makes of the sample. Fields that are not listed are missing. */
  expected: Partial<Record<AlertField, string>>[];
}
