import type { CompiledField } from '../definition/compile.js';
import type { Explainer } from '../suggest/explainer.js';
import type { CompiledTemplate } from '../template/template.js';
import { BudgetExceeded } from '../values/budget.js';
import { hasWords } from '../values/json-value.js';
import type { Path } from '../values/path.js';
import { defaultOrMissing, NONE, toValue, unexpanded } from './field-result.js';
import { isMacro } from './macros.js';
import { renderExpression } from './render-expression.js';
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
  if (!template && !expression) return defaultOrMissing(field, NONE, NONE);
  state.startField(field);
  const result = expression
    ? renderExpression(field, expression, state, explainer)
    : renderTemplate(field, template as CompiledTemplate, state, explainer);
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
