import { plan, unparse } from '@bufbuild/cel';
import { Budget } from '../values/budget.js';
import type { JsonValue } from '../values/json-value.js';
import { ValueFormatter } from '../values/value-formatter.js';
import type { Expr } from './ast.js';
import { boundExpression, stepsOf } from './bound.js';
import { evaluatePart } from './evaluate.js';
import { type CompiledExpression, pathsOf } from './expression.js';
import { ENVIRONMENT } from './functions.js';
import { type ExpressionRoots, ExpressionScope, readPath } from './scope.js';

/** Characters of a clause and of a value, and values of a clause: enough to see why, and short enough for a column. */
const MAX_CLAUSE = 300;
const MAX_VALUE = 100;
const MAX_READS = 5;

/** Why a condition is false: the clause that is, and what it read. */
export interface FalseClause {
  /** The clause as CEL, up to 300 characters: one of those that `&&` joins at the top, or the whole expression. */
  clause: string;
  /** Up to five paths that the clause names, with their values as text. Null if a path leads to nothing. */
  reads: { path: string; value: string | null }[];
}

/**
 * Returns the first clause of a condition that is false, or null if none is. Call it when `evaluate` returned false. It has a
 * separate budget, because the result is only an explanation. Never throws.
 * @param shown the roots whose values the reason has, without what must not be shown
 */
export function explainFalse(
  expression: CompiledExpression,
  scope: ExpressionScope,
  shown = scope.roots,
): FalseClause | null {
  const own = new ExpressionScope(scope.roots, new Budget(), scope.keys, scope.absence);
  const clause =
    expression.clauses.length === 1
      ? expression.clauses[0]
      : expression.clauses.find((clause) => isFalse(expression, clause, own));
  return clause ? { clause: textOf(expression, clause), reads: readsOf(clause, own, shown) } : null;
}

function isFalse(expression: CompiledExpression, clause: Expr, scope: ExpressionScope): boolean {
  const bound = boundExpression(clause);
  scope.budget.startField();
  const steps = stepsOf(bound);
  const result = evaluatePart(expression, plan(ENVIRONMENT, bound), steps, scope);
  return 'value' in result && result.value === false;
}

function textOf({ source, clauses, sourceInfo }: CompiledExpression, clause: Expr): string {
  const text =
    clauses.length === 1
      ? source.trim()
      : unparse({ $typeName: 'cel.expr.ParsedExpr', expr: clause, sourceInfo });
  return shorten(text, MAX_CLAUSE);
}

function readsOf(clause: Expr, scope: ExpressionScope, shown: ExpressionRoots): FalseClause['reads'] {
  return pathsOf(clause)
    .slice(0, MAX_READS)
    .map((path) => ({ path: path.text, value: valueText(readPath(path, shown), scope) }));
}

function valueText(value: JsonValue | undefined, scope: ExpressionScope): string | null {
  if (value === undefined || (value === null && scope.absence.readsEmpty)) return null;
  return shorten(new ValueFormatter(new Budget(), scope.keys).format(value), MAX_VALUE);
}

const shorten = (text: string, most: number): string =>
  (text.length > most ? `${text.slice(0, most - 1)}…` : text).toWellFormed();
