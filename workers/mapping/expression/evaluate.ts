import { type CelValue, isCelError, isCelList, isCelMap, isCelType, isCelUint } from '@bufbuild/cel';
import { LosslessNumber } from 'lossless-json';
import { type BudgetCode, BudgetExceeded } from '../values/budget.js';
import type { JsonObject, JsonValue } from '../values/json-value.js';
import { type Chain, chainOf, chainText, childrenOf, type Expr, INDEX, isVariable } from './ast.js';
import type { CompiledExpression } from './expression.js';
import { ENVIRONMENT } from './functions.js';
import { charge, inScope } from './meter.js';
import { type ExpressionScope, readPath, sourceOf } from './scope.js';

/** What the library's error for an absent path costs, and any other, which tries all forms of a function. */
const [MISSING_STEPS, ERROR_STEPS] = [30, 150];

/** The result of an evaluation. */
export type Evaluated =
  | { value: JsonValue }
  /** The path that leads to nothing, as far as the expression names it: `webhook.labels.team`, `alert.name`. */
  | { missing: string }
  /** The expression cannot be applied to this payload. `start` is the position of the reason, in UTF-16 units. */
  | { error: string; start: number }
  /** A limit of the budget stopped the evaluation. */
  | { exceeded: BudgetCode };

/**
 * Evaluates an expression. Its cost counts against the budget of the scope, so that it stops in the middle of whatever it does.
 * Call `budget.startField()` before. Never throws.
 */
export function evaluate(expression: CompiledExpression, scope: ExpressionScope): Evaluated {
  return evaluatePart(expression, expression.run, expression.steps, scope);
}

/** Evaluates a part of an expression, such as a clause. */
export function evaluatePart(
  expression: CompiledExpression,
  run: CompiledExpression['run'],
  steps: number,
  scope: ExpressionScope,
): Evaluated {
  return inScope(scope, () => {
    try {
      charge(steps);
      const result = run();
      // The standard lets `||` and `exists` ignore errors of their operands, this one as well.
      const code = scope.budget.stopped;
      if (code) return { exceeded: code };
      if (!isCelError(result)) return { value: toJson(result) };
      const failure = failed(expression, result, scope);
      charge('missing' in failure ? MISSING_STEPS : ERROR_STEPS);
      return failure;
    } catch (error) {
      if (error instanceof BudgetExceeded) return { exceeded: error.code };
      if (error instanceof RangeError) return { exceeded: 'too_deep' };
      const message = error instanceof Error ? error.message : String(error);
      return { error: expression.readsOwner ? UNSAID : message, start: 0 };
    }
  });
}

interface Failure {
  message: string;
  exprId: bigint | number | undefined;
}

/** In place of a message that may have the owner of an account in it. */
const UNSAID = 'it cannot use a value, which is left out here because it may be the owner of an account';

const NOT_FOUND = /^field not found: /;
const OUT_OF_BOUNDS = /^index (-?\d+) out of bounds/;

function failed(
  expression: CompiledExpression,
  { message, exprId }: Failure,
  { roots }: ExpressionScope,
): Evaluated {
  const node = exprId === undefined ? undefined : expression.nodes.get(String(exprId));
  const chain = node && chainOf(node);
  const index = OUT_OF_BOUNDS.exec(message)?.[1];
  if (chain && index !== undefined) return { missing: `${chainText(chain)}[${index}]` };
  if (chain && NOT_FOUND.test(message)) return { missing: chainText(chain) };
  const lookup = node && lookupIn(expression, node);
  if (NOT_FOUND.test(message) && !lookup)
    return { missing: expression.readsOwner ? entryOf(node) : message.replace(NOT_FOUND, '') };
  // Nothing can be computed with null, which is as missing as an absent path.
  const read = operandsOf(lookup ?? node);
  const nothing = read.find((operand) => isNull(operand, roots, message));
  if (nothing) return { missing: chainText(nothing) };
  const start = exprId === undefined ? 0 : expression.startOf(exprId);
  const names = [...new Set(read.map(chainText))].join(' and ');
  const why = expression.readsOwner
    ? withoutTexts(message)
    : describe(message.replace(NOT_FOUND, 'the table has no entry '));
  return { error: `${why}${names && `; it reads ${names}`}`, start };
}

/** Returns the lookup of a key in a table that the expression contains. An error of the lookup has the position of the table. */
const lookupIn = ({ nodes }: CompiledExpression, table: Expr): Expr | undefined =>
  table.exprKind.case === 'structExpr'
    ? [...nodes.values()].find((node) => isIndex(node) && childrenOf(node)[0]?.id === table.id)
    : undefined;

const isIndex = ({ exprKind }: Expr): boolean =>
  exprKind.case === 'callExpr' && exprKind.value.function === INDEX;

/** Returns the paths that are operands of a node. */
const operandsOf = (node: Expr | undefined): Chain[] =>
  node ? childrenOf(node).flatMap((child) => chainOf(child) ?? []) : [];

/** Returns whether a path leads to null. What the elements of a comprehension are is known from the error only. */
function isNull({ root, keys }: Chain, roots: ExpressionScope['roots'], message: string): boolean {
  if (!isVariable(root) || roots[root] === undefined) return message.includes('null_type');
  return readPath({ text: '', root, keys: keys.map(String) }, roots) === null;
}

const NO_OVERLOAD = /^found no matching overload for '?([^' ]+)'? applied to '([^']*)'$/;

/** Names what a node reads under a key that is not told. */
function entryOf(node: Expr | undefined): string {
  const [map] = node && isIndex(node) ? operandsOf(node) : [];
  return map ? `${chainText(map)}[…]` : 'a value';
}

/** Says what failed without the texts that were read. */
function withoutTexts(message: string): string {
  if (NOT_FOUND.test(message)) return 'the table has no such entry';
  return NO_OVERLOAD.test(message) ? describe(message) : UNSAID;
}

/** Says in plain words what the library says in terms of its overloads. */
function describe(message: string): string {
  const match = NO_OVERLOAD.exec(message);
  if (!match) return message;
  // `(int, string)`, or `string.(int)` for a function that is called on a value.
  const [, name = '', signature = ''] = match;
  const at = signature.lastIndexOf('.(');
  const target = signature.slice(0, Math.max(0, at));
  const types = signature.slice(signature.indexOf('(', at) + 1, -1);
  const operator = name.replaceAll('_', '').replace('@', '');
  if (!target) return `${operator} cannot be applied to ${types.replaceAll(', ', ' and ')}`;
  return `${name} cannot be applied to ${target}${types ? ` with ${types}` : ''}`;
}

/** @throws BudgetExceeded */
function toJson(value: CelValue): JsonValue {
  charge(1);
  if (typeof value === 'bigint') return integer(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (isCelList(value)) return sourceOf(value) ?? Array.from(value, toJson);
  if (isCelMap(value)) return sourceOf(value) ?? objectOf(value);
  if (isCelUint(value)) return integer(value.value);
  if (isCelType(value)) return value.name;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  // A timestamp or a duration, as the function `string` writes it.
  const text = ENVIRONMENT.funcs.find('string')?.call(0, undefined, [value]);
  return typeof text === 'string' ? text : null;
}

const integer = (value: bigint): JsonValue => {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : new LosslessNumber(String(value));
};

function objectOf(map: Iterable<[unknown, CelValue]>): JsonObject {
  const entries: [string, JsonValue][] = [];
  for (const [key, value] of map) entries.push([String(isCelUint(key) ? key.value : key), toJson(value)]);
  return Object.fromEntries(entries);
}
