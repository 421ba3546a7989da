import { type CompiledField, foldValue } from '../definition/compile.js';
import type { Explainer } from '../suggest/explainer.js';
import type { CompiledTemplate } from '../template/template.js';
import { BudgetExceeded } from '../values/budget.js';
import { hasWords } from '../values/json-value.js';
import type { Path } from '../values/path.js';
import { truncate } from '../values/truncate.js';
import { findMacro } from './macros.js';
import type { RenderState } from './render-state.js';
import type { FieldResult, Warning } from './results.js';
import { renderTokens } from './template-writer.js';

const NONE: readonly never[] = Object.freeze([]);

/**
 * Renders a field of one alert: its template, or else its default, then the value map, then the limit of its length. Sets
 * `state.exceeded` if a limit of the budget stopped it.
 */
export function renderField(field: CompiledField, state: RenderState, explainer: Explainer): FieldResult {
  const { template } = field;
  state.exceeded = null;
  if (!template) return defaultOrMissing(field, NONE, NONE);
  const text = renderWithinBudget(template, state);
  if (state.exceeded) return defaultOrMissing(field, template.paths, NONE);
  const blank = text === '' || isOnlySeparators(text, state);
  const failed = state.missing.length > 0 || !blank ? state.missing : state.absent;
  if (!blank && failed.length === 0) return resolved(field, text, state.absent);
  const missing = failed.map((path) => explainer.explain(path, state));
  if (blank || field.default !== null) return defaultOrMissing(field, template.paths, missing);
  return { ...toValue(field, text), result: 'missing', paths: template.paths, missing };
}

/** Returns whether all sections found nothing and only separators between them, such as `: `, are left. */
const isOnlySeparators = (text: string, { found, absent }: RenderState): boolean =>
  found === 0 && absent.length > 0 && !hasWords(text);

function renderWithinBudget({ tagPaths, tokens }: CompiledTemplate, state: RenderState): string {
  state.exceeded = state.budget.exceeded;
  if (state.exceeded) return '';
  state.startField(tagPaths);
  try {
    return renderTokens(tokens, state).trim();
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error;
    state.exceeded = error.code;
    return '';
  }
}

function defaultOrMissing(
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

function resolved(field: CompiledField, text: string, absent: readonly Path[]): FieldResult {
  const { value, warnings } = toValue(field, text);
  const paths = field.template?.paths ?? NONE;
  const result: FieldResult = { value, result: 'resolved', paths, missing: NONE, warnings };
  if (absent.length > 0) result.absent = absent.map((path) => path.text);
  return result;
}

/** A number as JSON writes it, with up to 15 digits on each side of the decimal point. */
const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?(?:[eE][-+]?\d{1,3})?$/;

/** Returns the value that the map has for a text. `2.0` and `2e0` find `2`, because they are the same number. */
function mappedValue(values: ReadonlyMap<string, string>, text: string): string | undefined {
  return values.get(foldValue(text)) ?? (NUMBER.test(text) ? values.get(String(Number(text))) : undefined);
}

/** Applies the value map and the limit of the field's length to a rendered text. */
function toValue(field: CompiledField, text: string): { value: string; warnings: readonly Warning[] } {
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
    const limit = field.length === 'short' ? '255 characters' : '16 KiB';
    warnings.push({ code: 'cut', message: `truncated to ${limit}` });
  }
  return warnings;
}
