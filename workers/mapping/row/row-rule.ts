import { positionAt } from '../definition/mapping-error.js';
import {
  type CompiledExpression,
  compileError,
  compileExpression,
  type Evaluated,
  ExpressionScope,
  evaluate,
  PatternBudget,
} from '../expression/index.js';
import { Budget, EXCEEDED } from '../values/budget.js';
import { type JsonObject, type JsonValue, KeyLists } from '../values/json-value.js';

/** An expression over `row`: the texts of a file's columns by name. */
export type RowRule = CompiledExpression;

/**
 * Compiles a rule. Returns it, or everything that is wrong with it, with line and column.
 * @param result `bool` for a condition
 * @param isStored whether it was saved earlier: limits that are newer than it do not apply
 */
export function compileRowRule(
  source: string,
  result: 'bool' | 'value',
  isStored = false,
): { rule: RowRule } | { errors: string[] } {
  const patterns = new PatternBudget();
  const patternError = isStored ? compileError : (pattern: string) => patterns.errorOf(pattern);
  const options = { split: false, reads: 'row', isStrict: !isStored, patternError } as const;
  const compiled = compileExpression(source, { ...options, result });
  if ('expression' in compiled) return { rule: compiled.expression };
  const errors = compiled.errors.map(({ message, start }) => {
    const { line, column } = positionAt(source, start);
    return `line ${line}, column ${column}: ${message.replaceAll('webhook.', 'row.')}`;
  });
  return { errors };
}

/** Evaluates rules over a row. Its budget is that of an event. */
export class RowState {
  readonly #scope: ExpressionScope;

  constructor(row: JsonObject) {
    this.#scope = new ExpressionScope(
      { webhook: null, item: undefined, request: undefined, row },
      new Budget(),
      new KeyLists(),
    );
  }

  /** Returns the value of a rule, or why there is none. Never throws. */
  apply(rule: RowRule): { value: JsonValue } | { fault: string } {
    this.#scope.budget.startField();
    const result = evaluate(rule, this.#scope);
    return 'value' in result ? result : { fault: faultOf(rule, result) };
  }
}

function faultOf({ source }: RowRule, result: Exclude<Evaluated, { value: JsonValue }>): string {
  if ('exceeded' in result) return EXCEEDED[result.exceeded].replace('payload', 'row');
  if ('missing' in result) return `${result.missing} has no value`;
  const { line, column } = positionAt(source, result.start);
  return `line ${line}, column ${column}: ${result.error}`;
}
