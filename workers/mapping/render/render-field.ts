import type { CompiledField } from '../definition/compile.js';
import { positionAt } from '../definition/mapping-error.js';
import { type CompiledExpression, type Evaluated, evaluate, readPath } from '../expression/index.js';
import type { Explainer } from '../suggest/explainer.js';
import type { MissingPath } from '../suggest/missing-path.js';
import type { CompiledTemplate } from '../template/template.js';
import { BudgetExceeded } from '../values/budget.js';
import { hasWords, type JsonValue } from '../values/json-value.js';
import type { Path } from '../values/path.js';
import { defaultOrMissing, NONE, toValue, unexpanded } from './field-result.js';
import { isMacro } from './macros.js';
import type { RenderState } from './render-state.js';
import type { FieldResult, Warning } from './results.js';
import { renderTokens } from './template-writer.js';

/**
 * Renders a field of one alert: its template or expression, or else its default, then the value map, then the limit of its length. Sets
 * `state.exceeded` if a limit of the budget stopped it.
 */
export function renderField(field: CompiledField, state: RenderState, explainer: Explainer): FieldResult {
  const { template, expression } = field;
  state.exceeded = null;
  let result: FieldResult;
  if (expression) {
    state.startField(field);
    result = renderExpression(field, expression, state, explainer);
  } else if (template) {
    state.startField(field);
    result = renderTemplate(field, template, state, explainer);
  } else return defaultOrMissing(field, NONE, NONE);
  const { placeholder } = state;
  return placeholder === null
    ? result
    : { ...result, warnings: [...result.warnings, asWarning(placeholder)] };
}

const asWarning = (value: string): Warning =>
  isMacro(value)
    ? unexpanded(value)
    : { code: 'placeholder', message: `the sender wrote ${value} in place of a value`, value };

function renderTemplate(
  field: CompiledField,
  template: CompiledTemplate,
  state: RenderState,
  explainer: Explainer,
): FieldResult {
  const text = renderWithinBudget(template, state);
  if (state.exceeded) return defaultOrMissing(field, template.paths, NONE);
  const blank = text === '' || saysNothing(text, state);
  const failed = state.missing.length > 0 || !blank ? state.missing : state.absent;
  if (!blank && failed.length === 0) return resolved(field, text, state.absent);
  const missing = failed.map((path) => explainer.explain(path, state));
  if (blank || field.default !== null) return defaultOrMissing(field, template.paths, missing);
  return { ...toValue(field, text), result: 'missing', paths: template.paths, missing };
}

/** Returns whether no tag found a value, and only words that need one are left, or separators between sections, such as `: `. */
const saysNothing = (text: string, { found, absent, missing }: RenderState): boolean =>
  found === 0 && (missing.length > 0 || (absent.length > 0 && !hasWords(text)));

function renderWithinBudget({ tokens }: CompiledTemplate, state: RenderState): string {
  state.exceeded = state.budget.exceeded;
  if (state.exceeded) return '';
  try {
    return renderTokens(tokens, state).trim();
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error;
    state.exceeded = error.code;
    return '';
  }
}

function resolved(field: CompiledField, text: string, absent: readonly Path[]): FieldResult {
  const { value, result: kind, warnings } = toValue(field, text);
  const paths = field.template?.paths ?? NONE;
  const result: FieldResult = { value, result: kind, paths, missing: NONE, warnings };
  if (absent.length > 0) result.absent = absent.map((path) => path.text);
  return result;
}

/**
 * Renders a field with its expression, or else its default, as `renderField` does with a template. An error with this payload
 * makes the field missing, with a warning that says where and why.
 */
function renderExpression(
  field: CompiledField,
  expression: CompiledExpression,
  state: RenderState,
  explainer: Explainer,
): FieldResult {
  const paths = expression.paths.map(({ text }) => text);
  const result = evaluateWithinBudget(expression, state);
  if ('exceeded' in result) {
    state.exceeded = result.exceeded;
    return defaultOrMissing(field, paths, NONE);
  }
  if ('error' in result) {
    const { column, line } = positionAt(expression.source, result.start);
    const message = `the expression failed at line ${line}, column ${column}: ${result.error}`;
    return {
      ...defaultOrMissing(field, paths, NONE),
      warnings: [{ code: 'expression_error', message }],
    };
  }
  if ('text' in result && result.text !== '') {
    const { value, result: kind, warnings } = toValue(field, result.text);
    return { value, result: kind, paths, missing: NONE, warnings };
  }
  const named = 'missing' in result ? result.missing : null;
  return defaultOrMissing(field, paths, missingPaths(expression, named, state, explainer));
}

/** Evaluates and formats. A value that a tag renders as nothing is an empty text. */
function evaluateWithinBudget(
  expression: CompiledExpression,
  state: RenderState,
): Exclude<Evaluated, { value: JsonValue }> | { text: string } {
  const { exceeded } = state.budget;
  if (exceeded) return { exceeded };
  const result = evaluate(expression, state.expressions);
  if (!('value' in result)) return result;
  try {
    const text = state.isMissing(result.value) ? '' : state.format(result.value).trim();
    state.budget.write(text.length);
    return { text };
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error;
    return { exceeded: error.code };
  }
}

/** Returns the path that was missing, as far as it is known, or else all paths that lead to nothing. */
function missingPaths(
  { paths }: CompiledExpression,
  named: string | null,
  state: RenderState,
  explainer: Explainer,
): MissingPath[] {
  // The path breaks off at `named`: the expression says where it was to lead.
  const whole = named === null ? [] : paths.filter(({ text }) => isWithin(text, named)).slice(0, 1);
  if (named !== null && whole.length === 0) return [{ path: named, nearest: null }];
  const failed = named === null ? paths.filter((path) => state.isMissing(readPath(path, state))) : whole;
  return failed.map((path) => explainer.explain(path, state));
}

const isWithin = (path: string, start: string): boolean =>
  path === start || (path.startsWith(start) && /^[.[]/.test(path.slice(start.length)));
