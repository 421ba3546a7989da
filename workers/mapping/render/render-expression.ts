import type { CompiledField } from '../definition/compile.js';
import { positionAt } from '../definition/mapping-error.js';
import { type CompiledExpression, type Evaluated, evaluate, readPath } from '../expression/index.js';
import type { Explainer } from '../suggest/explainer.js';
import type { MissingPath } from '../suggest/missing-path.js';
import { BudgetExceeded } from '../values/budget.js';
import type { JsonValue } from '../values/json-value.js';
import { defaultOrMissing, NONE, toValue } from './field-result.js';
import type { RenderState } from './render-state.js';
import type { FieldResult } from './results.js';

/**
 * Renders a field with its expression, or else its default, as `renderField` does with a template. An error with this payload
 * makes the field missing, with a warning that says where and why.
 */
export function renderExpression(
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
    return { ...toValue(field, result.text), paths, missing: NONE };
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
