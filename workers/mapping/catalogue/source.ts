import type { MappedField, Mapping } from '../definition/schema.js';
import type { JsonValue } from '../values/json-value.js';

/** How a source can prove that an event comes from it. */
export interface ProposedSignature {
  /** The name of a signature preset, see `GET /v2/signature-presets`. */
  scheme: string;
  /** The proposed values of the preset's parameters. */
  parameters?: Record<string, string>;
  /** Where to find or enter the secret in the source. */
  setup: string;
}

/** A source of alerts: its sample payload, the mapping, and the expected alerts. */
export interface CatalogueSource {
  /** The value of `template` in a request that creates a webhook. Never changes. */
  name: string;
  title: string;
  /** Link to the source's documentation of its payload. */
  documentation: string;
  /** What to set in the source's webhook, after its URL. Absent if its defaults are right. */
  options?: string;
  /** Of the API of another product that Muster understands: the path below the webhook URL that its senders use. See docs/drop-in.md. */
  dropInPath?: string;
  /** Absent if the source documents neither a signature nor its own headers. */
  signature?: ProposedSignature;
  /** How often the source repeats what still fires, in seconds, unless it is set to something else. Absent if it does not. */
  repeatSeconds?: number;
  /** A payload in the shape that the source sends, with invented values. */
  sample: JsonValue;
  /** Payloads in the shape of other events and older versions, as far as the source would not be recognized by the sample alone. */
  otherSamples?: readonly JsonValue[];
  /**
   * How the payload that ends the sample's problem differs from the sample, as a JSON Merge Patch (RFC 7396). Absent if the source
   * sends none.
   */
  recovery?: JsonValue;
  mapping: Mapping;
  /** The alerts that the mapping makes of the sample. Fields that are not listed are missing. */
  expected: Partial<Record<MappedField, string>>[];
}
