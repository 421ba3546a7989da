import type { AlertField, Mapping } from '../mapping.js';

/** A sender whose payloads are known: how they look, and how they become alerts. */
export interface CatalogueSource {
  /** What an integration's `template` says; never changed, because it is stored. */
  name: string;
  title: string;
  /** Where the sender documents its payload; null for shapes of nobody in particular. */
  documentation: string | null;
  sample: unknown;
  mapping: Mapping;
  /** What the mapping makes of the sample. */
  expected: Partial<Record<AlertField, string>>[];
}
