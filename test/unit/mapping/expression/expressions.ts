import {
  type CompiledExpression,
  compileExpression,
  type Evaluated,
  type ExpressionOptions,
  ExpressionScope,
  evaluate,
  PatternBudget,
} from '../../../../workers/mapping/expression/index.js';
import { parsePayload } from '../../../../workers/mapping/payload/parse-payload.js';
import { Budget } from '../../../../workers/mapping/values/budget.js';
import { type JsonValue, KeyLists } from '../../../../workers/mapping/values/json-value.js';
import type { EventRequest } from '../../../../workers/mapping/values/request.js';

const OPTIONS: ExpressionOptions = {
  result: 'value',
  split: true,
  patternError: (pattern) => new PatternBudget().errorOf(pattern),
};

/** Compiles an expression that must be valid. */
export function compiled(source: string, options: Partial<ExpressionOptions> = {}): CompiledExpression {
  const result = compileExpression(source, { ...OPTIONS, ...options });
  if ('errors' in result) throw new Error(JSON.stringify(result.errors));
  return result.expression;
}

/** Returns the errors of an expression as `code @start: message`. */
export function errorsOf(source: string, options: Partial<ExpressionOptions> = {}): string[] {
  const result = compileExpression(source, { ...OPTIONS, ...options });
  return 'errors' in result
    ? result.errors.map(({ code, start, message }) => `${code} @${start}: ${message}`)
    : [];
}

/** Parses a JSON text like the payload of an event. */
export function payload(json: string): JsonValue {
  const parsed = parsePayload(json);
  if ('error' in parsed) throw new Error(parsed.error);
  return parsed.value;
}

interface Roots {
  item?: JsonValue;
  request?: EventRequest;
}

export const scopeOf = (webhook: JsonValue, { item, request }: Roots = {}): ExpressionScope =>
  new ExpressionScope({ webhook, item, request }, new Budget(), new KeyLists());

/** Evaluates an expression as the only field of an event. */
export function evaluated(source: string, webhook: JsonValue, roots: Roots = {}): Evaluated {
  const scope = scopeOf(webhook, roots);
  scope.budget.startField();
  return evaluate(compiled(source), scope);
}
