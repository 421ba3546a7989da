import type { CompiledExpression } from '../expression/index.js';
import type { CompiledTemplate } from '../template/template.js';
import type { LookupPlace } from '../values/looked-up.js';
import type { Path } from '../values/path.js';
import type { Split } from '../values/split.js';
import type { Length } from '../values/truncate.js';
import type { OwnSeverity } from './own-severities.js';
import type { MappedField, TextRule } from './schema.js';

/** A field of a mapping, ready to be rendered any number of times. */
export interface CompiledField {
  /** `severity`, or `custom.NAME`. */
  name: string;
  required: boolean;
  length: Length;
  /** A field has a template, an expression, or neither. */
  template: CompiledTemplate | null;
  expression: CompiledExpression | null;
  default: string | null;
  /** The value map, by the trimmed, lower-case text. */
  values: ReadonlyMap<string, string> | null;
  /** The ranked words of a severity, by the trimmed, lower-case text. */
  ranks: ReadonlyMap<string, OwnSeverity> | null;
}

export interface CompiledMapping {
  /** A path in the payload, without `webhook`. */
  split: Split | null;
  expandJson: readonly Path[];
  /** In the order in which they are made. */
  lookups: readonly CompiledLookup[];
  /** What it is false for becomes no alert. Null without a filter. */
  filter: CompiledExpression | null;
  /** The seven fields of an alert, then those of `SERIES_FIELDS` that the mapping fills. */
  fields: readonly (CompiledField & { name: MappedField })[];
  /** A key is one problem for ever: once it is over, only `reopened` opens an alert again. */
  final: boolean;
  texts: TextRule;
  /** Identical events without a key are counted for so many seconds; null: not. */
  repeatWindowSeconds: number | null;
  /** `key` is the name of the field without `custom.`. */
  custom: readonly { key: string; field: CompiledField }[];
}

/** A lookup of a mapping, ready to be made any number of times. */
export interface CompiledLookup {
  name: string;
  place: LookupPlace;
  /** The parts of its key, one for each key column. */
  key: readonly CompiledField[];
  /** Whether its key differs between the items of a split. */
  usesItem: boolean;
  /** Whether its key uses what another lookup found. */
  usesLookup: boolean;
  /** Whether its key uses the owner of an account, which is personal data. */
  usesOwner: boolean;
  /** The columns that the mapping reads; null: all. */
  columns: ReadonlySet<string> | null;
}
