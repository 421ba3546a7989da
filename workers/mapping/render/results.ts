import type { MappingError } from '../definition/mapping-error.js';
import type { AlertField, SeriesField, TextRule } from '../definition/schema.js';
import type { Expiry } from '../series/expiry-text.js';
import type { ItemStatus } from '../series/series-item.js';
import type { MissingPath } from '../suggest/missing-path.js';
import type { LookupLimit, LookupResult, Miss } from '../values/looked-up.js';

/** A remark about a value that is used nevertheless, or the error of an expression that has none with this payload. */
export interface Warning {
  code:
    | 'unmapped_value'
    | 'unexpanded_macro'
    | 'placeholder'
    | 'cut'
    | 'hashed'
    | 'unknown_severity'
    | 'unknown_status'
    | 'missing_status'
    | 'missing_dedup_key'
    | 'expiry_not_a_time'
    | 'reserved_dedup_key'
    | 'owner_not_an_email'
    | 'occurrence_not_comparable'
    | 'invalid_text'
    | 'not_expanded'
    | 'expression_error'
    | 'filter_missing'
    | 'filter_error'
    | LookupLimit;
  message: string;
  /**
   * `unmapped_value`: the text that is not in the value map. `unknown_status`, `unknown_severity`: the
   * word. `unexpanded_macro`: the macro. `placeholder`: the
   * word. `not_expanded`, `filter_missing`: the path. `occurrence_not_comparable`, `owner_not_an_email`: the text. `expression_error` of an event: the lookup
   * whose key it is.
   */
  value?: string;
}

/** The result of one field. A field that is `missing` may still have text: that of its template, with missing tags left empty. */
export interface FieldResult {
  value: string | null;
  result: 'resolved' | 'defaulted' | 'missing';
  /** Every path that the template or expression names. */
  paths: readonly string[];
  missing: readonly MissingPath[];
  /** Paths of sections, and of tags inside sections, that found nothing while the rest produced a text. This is not an error. */
  absent?: readonly string[];
  warnings: readonly Warning[];
}

export interface NormalizedAlert {
  /** Index among the event's alerts. Together with the event's id it determines the alert's id. */
  item: number;
  /** `incomplete`: a required field is missing, or the split found no list; `faults` says which. */
  state: 'complete' | 'incomplete';
  /** `status`, `dedupKey`, `occurrence` and `expiresAt` only if the mapping fills them. The value of `status` is a `Status`. */
  fields: Record<AlertField, FieldResult> & Partial<Record<SeriesField, FieldResult>>;
  custom: Record<string, FieldResult>;
  /** The series that the item belongs to. Null without a dedupKey and for a test: then the alert stands alone. */
  series: {
    /** One that was generated if the item has none and its repetitions are counted, see `repeatKey`. */
    dedupKey: string;
    status: ItemStatus;
    /** See `comparableOf`; null if the item has none. */
    occurrence: string | null;
    /** The key is one problem for ever. */
    final: boolean;
    /** Which event of the alert its texts come from. */
    texts: TextRule;
    /** When the alert expires unless another event comes; null: as its integration says. */
    expiry: Expiry | null;
  } | null;
  /** What was looked up for it, by the name of the lookup. Absent if the mapping has no lookups. */
  lookups?: Readonly<Record<string, LookupResult>>;
  /** The alert's errors, by the name that the API and the tables have for them. */
  faults: readonly MappingError[];
}

/** What the filter of a mapping did with an event. */
export interface FilterResult {
  /** Why the event, or the first item that was dropped, was dropped: a clause that is false. Null if nothing was dropped. */
  reason: FilterReason | null;
  /** The numbers of the dropped items, ascending. */
  items: readonly number[];
  /** Why the filter could not be decided. What it could not decide is kept. */
  warnings: readonly Warning[];
}

export interface FilterReason {
  clause: string;
  /** The paths that the clause reads, with their values. Null if a path leads to nothing. */
  values: readonly { path: string; value: string | null }[];
  /** Number of the item; null if the filter dropped the whole event. */
  item: number | null;
}

/** What was looked up for an event. */
export interface EventLookups {
  /** Returns it as text, to be kept with the event; null if nothing was looked up. `keptSource` reads it. */
  kept(): string | null;
  /** Returns the keys under which there is no row, each once. */
  misses(): Miss[];
  /** Returns why keys could not be made, or were not looked up. */
  warnings(): Warning[];
}

/** The result of mapping one event. */
export interface Normalized {
  /**
   * `filtered`: the filter dropped all of it. `failed`: no alerts could be made; `faults` says why. The raw payload is kept in
   * both cases.
   */
  eventState: 'normalized' | 'filtered' | 'failed';
  alerts: NormalizedAlert[];
  faults: readonly MappingError[];
  /** Including those of the filter and of the lookups. */
  warnings: readonly Warning[];
  /** Null if the mapping has no filter, or the filter kept everything without a warning. */
  filter: FilterResult | null;
  /** Absent if the mapping has no lookups. */
  lookups?: EventLookups;
}
