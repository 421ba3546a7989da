import { type CompiledField, rankedSeverity } from '../definition/compile.js';
import { foldValue } from '../definition/value-map.js';
import { toPlainText } from '../values/plain-text.js';
import { isKey, type Length, truncate } from '../values/truncate.js';
import { findMacro, isMacro } from './macros.js';
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

/** What becomes of a rendered text. */
type Finished = Pick<FieldResult, 'value' | 'warnings'> & { result: 'resolved' | 'defaulted' };

/** Any of the characters that a macro, an entity of HTML or a color of a terminal has. One search rules out all of them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colors start with a control character
const SPECIAL = /[$#{&\u001b\u009b]/;

/**
 * Applies the value map and the limit of the field's length to a rendered text. A severity that is neither in the map nor known
 * gives way to the default, because nothing can be sorted or colored by it. So does a macro without other words.
 */
export function toValue(field: CompiledField, text: string): Finished {
  const known = knownValue(field, text);
  if (known !== null) return { value: known, result: 'resolved', warnings: NONE };
  const isSpecial = SPECIAL.test(text);
  if (!isSpecial || isKey(field.length)) return unknownValue(field, text, isSpecial);
  const plain = plainText(text);
  const value = plain === text ? null : knownValue(field, plain);
  return value === null
    ? unknownValue(field, plain, isSpecial)
    : { value, result: 'resolved', warnings: NONE };
}

/** Returns what the value map has for a text, or a severity that is known or ranked, or null. */
function knownValue({ name, values, ranks }: CompiledField, text: string): string | null {
  const mapped = values ? mappedValue(values, text) : undefined;
  if (mapped !== undefined) return mapped;
  return name === 'severity' ? rankedSeverity(text, ranks) : null;
}

function unknownValue(field: CompiledField, text: string, isSpecial: boolean): Finished {
  const truncated = truncate(text, field.length);
  const value = truncated.toWellFormed();
  const isWhole = isMacro(value);
  const macro = isWhole ? value : isSpecial ? findMacro(value) : null;
  const isSeverity = field.name === 'severity';
  if (value === text && !macro && !field.values && !isSeverity)
    return { value, result: 'resolved', warnings: NONE };
  const warnings = warningsOf(field, { text, truncated, value, macro });
  if (!(isSeverity || isWhole) || field.default === null) return { value, result: 'resolved', warnings };
  return { value: truncate(field.default, field.length), result: 'defaulted', warnings };
}

/** Decodes once: what is decoded may look like an entity. Returns the text itself if nothing else is left. */
function plainText(text: string): string {
  const plain = toPlainText(text).trim();
  return plain === '' ? text : plain;
}

export const unexpanded = (macro: string): Warning => ({
  code: 'unexpanded_macro',
  message: `the sender did not expand the macro ${macro}`,
  value: macro,
});

interface UnmappedValue {
  text: string;
  /** The text, truncated if necessary. */
  truncated: string;
  /** The same without lone surrogates. */
  value: string;
  macro: string | null;
}

const CUT: Readonly<Record<Exclude<Length, 'lookupKey'>, Warning>> = {
  short: { code: 'cut', message: 'truncated to 255 characters' },
  title: { code: 'cut', message: 'truncated to 255 characters' },
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
  } else if (field.name === 'severity') {
    const message = 'not a known severity; map it to critical, error, warning or info';
    warnings.push({ code: 'unknown_severity', message, value: truncate(value, 'short') });
  }
  if (macro !== null) warnings.push(unexpanded(macro));
  if (value !== truncated) {
    warnings.push({ code: 'invalid_text', message: 'lone surrogates were replaced with U+FFFD' });
  }
  if (truncated !== text && field.length !== 'lookupKey') {
    warnings.push(CUT[field.length]);
  }
  return warnings;
}
