import { type CompiledField, foldValue } from '../definition/compile.js';
import type { Explainer } from '../suggest/explain.js';
import type { CompiledTemplate } from '../template/template.js';
import { BudgetSpent } from '../values/budget.js';
import { hasWords } from '../values/json-value.js';
import type { Path } from '../values/path.js';
import { cut } from '../values/truncate.js';
import { findMacro } from './macros.js';
import type { Rendering } from './rendering.js';
import type { FieldResult, Warning } from './results.js';
import { renderTokens } from './template-writer.js';

const NONE: readonly never[] = Object.freeze([]);

/** Renders a field of one alert: template, then default, value map, length. `rendering.spent` tells what it took too much of. */
export function renderField(field: CompiledField, rendering: Rendering, explainer: Explainer): FieldResult {
  const { template } = field;
  rendering.spent = null;
  if (!template) return withoutText(field, NONE, NONE);
  const text = renderWithin(template, rendering);
  if (rendering.spent) return withoutText(field, template.paths, NONE);
  const blank = text === '' || isHollow(text, rendering);
  const failed = rendering.missing.length > 0 || !blank ? rendering.missing : rendering.silent;
  if (!blank && failed.length === 0) return resolved(field, text, rendering.silent);
  const missing = failed.map((path) => explainer.explain(path, rendering));
  if (blank || field.default !== null) return withoutText(field, template.paths, missing);
  return { ...finish(field, text), result: 'missing', paths: template.paths, missing };
}

/** Separators between sections that all found nothing, such as `: `, are no text. */
const isHollow = (text: string, { found, silent }: Rendering): boolean =>
  found === 0 && silent.length > 0 && !hasWords(text);

function renderWithin({ names, tokens }: CompiledTemplate, rendering: Rendering): string {
  rendering.spent = rendering.budget.spent;
  if (rendering.spent) return '';
  rendering.startField(names);
  try {
    return renderTokens(tokens, rendering).trim();
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error;
    rendering.spent = error.code;
    return '';
  }
}

function withoutText(
  field: CompiledField,
  paths: FieldResult['paths'],
  missing: FieldResult['missing'],
): FieldResult {
  if (field.default === null) return { value: null, result: 'missing', paths, missing, warnings: NONE };
  return { value: cut(field.default, field.length), result: 'defaulted', paths, missing, warnings: NONE };
}

function resolved(field: CompiledField, text: string, silent: readonly Path[]): FieldResult {
  const { value, warnings } = finish(field, text);
  const paths = field.template?.paths ?? NONE;
  const result: FieldResult = { value, result: 'resolved', paths, missing: NONE, warnings };
  if (silent.length > 0) result.absent = silent.map((path) => path.text);
  return result;
}

/** A number as JSON writes it, of up to 15 digits on each side of the point. */
const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?(?:[eE][-+]?\d{1,3})?$/;

/** Returns the value that the map has for a text. `2.0` and `2e0` find `2`, because they are the same number. */
function mappedValue(values: ReadonlyMap<string, string>, text: string): string | undefined {
  return values.get(foldValue(text)) ?? (NUMBER.test(text) ? values.get(String(Number(text))) : undefined);
}

/** A text through the value map, to its length. */
function finish(field: CompiledField, text: string): { value: string; warnings: readonly Warning[] } {
  const mapped = field.values ? mappedValue(field.values, text) : undefined;
  if (mapped !== undefined) return { value: mapped, warnings: NONE };
  const fitting = cut(text, field.length);
  const value = fitting.toWellFormed();
  const macro = findMacro(value);
  if (value === text && !macro && !field.values) return { value, warnings: NONE };
  return { value, warnings: warningsOf(field, { text, fitting, value, macro }) };
}

interface Finished {
  text: string;
  /** Cut, if need be. */
  fitting: string;
  /** Without half surrogate pairs. */
  value: string;
  macro: string | null;
}

function warningsOf(field: CompiledField, { text, fitting, value, macro }: Finished): Warning[] {
  const warnings: Warning[] = [];
  if (field.values) {
    warnings.push({
      code: 'unmapped_value',
      message: 'the value map does not know it',
      value: cut(value, 'short'),
    });
  }
  if (macro !== null) {
    warnings.push({ code: 'unexpanded_macro', message: `its sender did not expand ${macro}`, value: macro });
  }
  if (value !== fitting) {
    warnings.push({ code: 'invalid_text', message: 'half surrogate pairs were replaced by U+FFFD' });
  }
  if (fitting !== text) {
    const limit = field.length === 'short' ? '255 characters' : '16 KiB';
    warnings.push({ code: 'cut', message: `cut to ${limit}` });
  }
  return warnings;
}
