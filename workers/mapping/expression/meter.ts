import { Budget } from '../values/budget.js';
import { KeyLists } from '../values/json-value.js';
import { ExpressionScope } from './scope.js';

/** The scope of the evaluation that runs. Functions of CEL get nothing but their arguments, and evaluation is synchronous. */
let current = new ExpressionScope(
  { webhook: null, item: undefined, request: undefined },
  new Budget(),
  new KeyLists(),
);

/** Returns the scope of the evaluation that runs. */
export const scope = (): ExpressionScope => current;

/**
 * Runs an evaluation in a scope. The library creates an error for every absent key. Without its stack, which nobody reads, it takes
 * a tenth of the time.
 */
export function inScope<T>(of: ExpressionScope, work: () => T): T {
  const outer = current;
  const { stackTraceLimit } = Error;
  current = of;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    current = outer;
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/**
 * Counts steps of the evaluation that runs.
 * @throws BudgetExceeded
 */
export const charge = (steps: number): void => current.budget.step(Math.ceil(steps));

/**
 * Counts characters that the evaluation writes.
 * @throws BudgetExceeded
 */
export const chargeText = (characters: number): void => current.budget.write(characters);
