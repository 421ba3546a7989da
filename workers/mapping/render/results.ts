import type { AlertField } from '../definition/schema.js';
import type { MissingPath } from '../suggest/explain.js';

/** What a person should know of a value that is there nevertheless. */
export interface Warning {
  code: 'unmapped_value' | 'unexpanded_macro' | 'cut' | 'invalid_text' | 'not_expanded';
  message: string;
  /** `unmapped_value`: what the value map does not know. `unexpanded_macro`: the macro. */
  value?: string;
}

/** What became of one field. `missing` may still have text: that of its template with the missing tags left empty. */
export interface FieldResult {
  value: string | null;
  result: 'resolved' | 'defaulted' | 'missing';
  /** Every path that the template names. */
  paths: readonly string[];
  missing: readonly MissingPath[];
  /** Paths of sections, and inside of them, that found nothing while the rest made a text: no fault. */
  absent?: readonly string[];
  warnings: readonly Warning[];
}

export interface Fault {
  code:
    | 'missing'
    | 'no_mapping'
    | 'split_not_array'
    | 'too_many_items'
    | 'not_json'
    | 'too_deep'
    | 'too_many_steps'
    | 'too_much_output';
  message: string;
  /** The alert's field, `custom.NAME` for one of the mapping's own; null: the fault is of the event or alert as a whole. */
  field: string | null;
  path?: string;
}

export interface NormalizedAlert {
  /** Its place among the event's alerts, from 0: with the event's id it makes the alert's. */
  item: number;
  /** `incomplete`: a required field is missing, or the split found no list; the faults say which. */
  state: 'complete' | 'incomplete';
  fields: Record<AlertField, FieldResult>;
  custom: Record<string, FieldResult>;
  faults: readonly Fault[];
}

export interface Normalized {
  /** `failed`: no alerts could be made of it; the raw payload is kept, and the faults say why. */
  eventState: 'normalized' | 'failed';
  alerts: NormalizedAlert[];
  faults: readonly Fault[];
  warnings: readonly Warning[];
}
