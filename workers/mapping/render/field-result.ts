import type { CompiledField } from '../definition/compile.js';
import { foldValue } from '../definition/value-map.js';
import { truncate } from '../values/truncate.js';
import { findMacro } from './macros.js';
import type { FieldResult, Warning } from './results.js';

export const NONE: readonly never[] = Object.freeze([]);

/** Returns a field whose template or expression found nothing: its default, or else nothing. */
export function defaultOrMissing(
  field: CompiledField,
  paths: FieldResult['paths'],
  missing: FieldResult['missing'],
): FieldResult {
  if (field.default === null) return { value: null, result: 'missing', paths, missing, warnings: NONE };
  return {
    value: truncate(field.default, field.length),
    result: 'defaulted',
    paths,
    missing,
    warnings: NONE,
  };
}

/** A number as JSON writes it, with up to 15 digits on each side of the decimal point. */
const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?(?:[eE][-+]?\d{1,3})?$/;

/** Returns the value that the map has for a text. `2.0` and `2e0` find `2`, because they are the same number. */
function mappedValue(values: ReadonlyMap<string, string>, text: string): string | undefined {
  return values.get(foldValue(text)) ?? (NUMBER.test(text) ? values.get(String(Number(text))) : undefined);
}

/** Applies the value map and the limit of the field's length to a rendered text. */
export function toValue(field: CompiledField, text: string): { value: string; warnings: readonly Warning[] } {
  const mapped = field.values ? mappedValue(field.values, text) : undefined;
  if (mapped !== undefined) return { value: mapped, warnings: NONE };
  const truncated = truncate(text, field.length);
  const value = truncated.toWellFormed();
  const macro = findMacro(value);
  if (value === text && !macro && !field.values) return { value, warnings: NONE };
  return { value, warnings: warningsOf(field, { text, truncated, value, macro }) };
}

interface UnmappedValue {
  text: string;
  /** The text, truncated if necessary. */
  truncated: string;
  /** The same without lone surrogates. */
  value: string;
  macro: string | null;
}

const CUT: Readonly<Record<CompiledField['length'], Warning>> = {
  short: { code: 'cut', message: 'truncated to 255 characters' },
  long: { code: 'cut', message: 'truncated to 16 KiB' },
  key: { code: 'hashed', message: 'longer than 255 characters; its SHA-256 hash is used' },
};

function warningsOf(field: CompiledField, { text, truncated, value, macro }: UnmappedValue): Warning[] {
  const warnings: Warning[] = [];
  if (field.values) {
    warnings.push({
      code: 'unmapped_value',
      message: 'the value map has no entry for it',
      value: truncate(value, 'short'),
    });
  }
  if (macro !== null) {
    const message = `the sender did not expand the macro ${macro}`;
    warnings.push({ code: 'unexpanded_macro', message, value: macro });
  }
  if (value !== truncated) {
    warnings.push({ code: 'invalid_text', message: 'lone surrogates were replaced with U+FFFD' });
  }
  if (truncated !== text) {
    warnings.push(CUT[field.length]);
  }
  return warnings;
}
