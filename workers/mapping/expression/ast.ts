import type { Expr } from '@bufbuild/cel-spec/cel/expr/syntax_pb.js';
import { isMessageVariable } from '../values/message-fields.js';
import { formatPath, type PathRoot } from '../values/path.js';

export type { Expr };

/** The variables of an expression: those of a mapping, those of a message, and that of a recipe. Each is the root of paths. */
export const VARIABLES = ['webhook', 'item', 'request', 'lookup', 'alert', 'transition', 'row'] as const;

export type Variable = (typeof VARIABLES)[number] & PathRoot;

export const isVariable = (name: string): name is Variable => VARIABLES.some((variable) => variable === name);

/** What an expression reads: the payload of an event, a message to a destination, or a row of a feed's file. */
export type Reads = 'payload' | 'message' | 'row';

const readsOf = (name: Variable): Reads =>
  name === 'row' ? 'row' : isMessageVariable(name) ? 'message' : 'payload';

/** Returns whether an expression that reads this has a variable. */
export const hasVariable = (name: string, reads: Reads): boolean =>
  isVariable(name) && readsOf(name) === reads;

/** Name that the parser gives to the result of a comprehension. No expression can contain it. */
export const RESULT = '@result';

export const INDEX = '_[_]';
export const CONDITIONAL = '_?_:_';
export const AND = '_&&_';
export const OR = '_||_';
export const ADD = '_+_';

/** Builds a call. It has the position of the node that it replaces. */
export const callNode = (id: bigint, name: string, args: Expr[]): Expr => ({
  $typeName: 'cel.expr.Expr',
  id,
  exprKind: { case: 'callExpr', value: { $typeName: 'cel.expr.Expr.Call', function: name, args } },
});

export const intNode = (id: bigint, value: number): Expr => ({
  $typeName: 'cel.expr.Expr',
  id,
  exprKind: {
    case: 'constExpr',
    value: {
      $typeName: 'cel.expr.Constant',
      constantKind: { case: 'int64Value', value: BigInt(value) },
    },
  },
});

export const selectNode = (id: bigint, operand: Expr, field: string): Expr => ({
  $typeName: 'cel.expr.Expr',
  id,
  exprKind: {
    case: 'selectExpr',
    value: { $typeName: 'cel.expr.Expr.Select', operand, field, testOnly: false },
  },
});

/** Returns the parts of a node that are evaluated. */
export function childrenOf({ exprKind }: Expr): Expr[] {
  switch (exprKind.case) {
    case 'selectExpr':
      return exprKind.value.operand ? [exprKind.value.operand] : [];
    case 'callExpr':
      return exprKind.value.target ? [exprKind.value.target, ...exprKind.value.args] : exprKind.value.args;
    case 'listExpr':
      return exprKind.value.elements;
    case 'structExpr':
      return exprKind.value.entries.flatMap(({ keyKind, value }) => [
        ...(keyKind.case === 'mapKey' ? [keyKind.value] : []),
        ...(value ? [value] : []),
      ]);
    case 'comprehensionExpr': {
      const { iterRange, accuInit, loopCondition, loopStep, result } = exprKind.value;
      return [iterRange, accuInit, loopCondition, loopStep, result].filter((node) => node !== undefined);
    }
    default:
      return [];
  }
}

/** Counts nodes, and the levels of the deepest one. Stops at `most` nodes. */
export function measure(root: Expr, most: number): { nodes: number; depth: number } {
  let [nodes, depth] = [0, 0];
  const left: [Expr, number][] = [[root, 1]];
  for (let next = left.pop(); next && nodes <= most; next = left.pop()) {
    const [node, level] = next;
    nodes += 1;
    depth = Math.max(depth, level);
    for (const child of childrenOf(node)) left.push([child, level + 1]);
  }
  return { nodes, depth };
}

/** A chain of keys that are known without a payload: `webhook.alerts[0].labels["a.b"]`. */
export interface Chain {
  root: string;
  keys: (string | number)[];
}

/** Returns the chain of keys that a node reads, or null if it is anything else. */
export function chainOf({ exprKind }: Expr): Chain | null {
  if (exprKind.case === 'identExpr') return { root: exprKind.value.name, keys: [] };
  if (exprKind.case === 'selectExpr') {
    return extend(exprKind.value.operand, exprKind.value.field);
  }
  if (exprKind.case !== 'callExpr' || exprKind.value.function !== INDEX) return null;
  const [operand, index] = exprKind.value.args;
  const key = index && constantOf(index);
  if (typeof key === 'string') return extend(operand, key);
  return typeof key === 'bigint' && key >= 0n ? extend(operand, Number(key)) : null;
}

function extend(operand: Expr | undefined, key: string | number): Chain | null {
  const chain = operand ? chainOf(operand) : null;
  return chain && { root: chain.root, keys: [...chain.keys, key] };
}

/** Returns the value of a literal, or undefined. */
export function constantOf({ exprKind }: Expr): unknown {
  if (exprKind.case !== 'constExpr') return undefined;
  const { constantKind } = exprKind.value;
  return constantKind.case === 'nullValue' ? null : constantKind.value;
}

/** Returns a chain as a path is written. */
export const chainText = ({ root, keys }: Chain): string => formatPath(root, keys);
