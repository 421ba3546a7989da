/**
 * Expressions of the Common Expression Language (CEL) over an event: `webhook`, `item` and `request`.
 *
 * - When a mapping is saved: `compileExpression(text, { result: 'bool', split, patternError })` returns the expression, or all errors with code,
 *   message and position (`start`).
 * - For each event: `new ExpressionScope({ webhook, item, request }, budget, keys)`, then for each evaluation
 *   `budget.startField()` and `evaluate(expression, scope)`. The result is a value, a missing path, an error, or an exceeded
 *   limit. Only the value `false` is false.
 * - If a condition is false: `explainFalse(expression, scope)` returns the clause that is, and the values that it read.
 */

export { type Evaluated, evaluate } from './evaluate.js';
export { explainFalse, type FalseClause } from './explain-false.js';
export {
  type CompiledExpression,
  type CompiledExpressionResult,
  compileExpression,
  type ExpressionOptions,
} from './expression.js';
export type { ExpressionError, ExpressionErrorCode } from './expression-error.js';
export { MAX_EXPRESSION } from './parse.js';
export { compileError, PatternBudget } from './regex.js';
export { type ExpressionRoots, ExpressionScope, readPath } from './scope.js';
