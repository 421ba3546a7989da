import {
  ADD,
  CONDITIONAL,
  callNode,
  chainOf,
  childrenOf,
  constantOf,
  type Expr,
  INDEX,
  intNode,
  isVariable,
  measure,
  RESULT,
  selectNode,
} from './ast.js';
import { INTERNAL } from './functions.js';

/** What evaluating one node costs, in steps. */
export const NODE_STEPS = 3;

/** Returns what evaluating a node costs without the iterations of its comprehensions, in steps. */
export const stepsOf = (node: Expr): number => measure(node, Number.POSITIVE_INFINITY).nodes * NODE_STEPS;

/**
 * Rewrites a checked expression so that its cost is counted and grows with the input:
 *
 * - Variables become calls that convert the payload when it is read. The library would look up every prefix of a path.
 * - A comprehension counts its iterations before the first one.
 * - `map` and `filter` append to one list. As the standard defines them they copy it for each element.
 * - `first(a, b)` becomes conditionals, so that `b` is evaluated only if `a` has no value. A sum in it has none if one of its parts is blank.
 * - `a["b"]` becomes a selection, so that an error has the position of the key.
 */
export function boundExpression(node: Expr, hidden: ReadonlySet<string> = new Set(), inFirst = false): Expr {
  const { exprKind, id } = node;
  const inner = (child: Expr) => boundExpression(child, hidden, inFirst);
  switch (exprKind.case) {
    case 'identExpr': {
      const { name } = exprKind.value;
      return isVariable(name) && !hidden.has(name) ? callNode(id, `@${name}`, []) : node;
    }
    case 'selectExpr':
      return with_(node, {
        ...exprKind.value,
        operand: exprKind.value.operand && inner(exprKind.value.operand),
      });
    case 'callExpr': {
      const { target, args } = exprKind.value;
      if (exprKind.value.function === 'first' && !target)
        return firstOf(
          id,
          args.map((arg) => boundExpression(arg, hidden, true)),
        );
      if (exprKind.value.function === INDEX) return index(node, exprKind.value, args.map(inner));
      // The target of a namespaced function, such as `strings` of `strings.quote`, is not a variable and stays as it is.
      return with_(node, {
        ...exprKind.value,
        ...(target && { target: inner(target) }),
        args: args.map((arg) =>
          inFirst && exprKind.value.function === ADD ? filled(arg, inner(arg)) : inner(arg),
        ),
      });
    }
    case 'listExpr':
      return with_(node, { ...exprKind.value, elements: exprKind.value.elements.map(inner) });
    case 'structExpr':
      return with_(node, {
        ...exprKind.value,
        entries: exprKind.value.entries.map((entry) => ({
          ...entry,
          keyKind:
            entry.keyKind.case === 'mapKey'
              ? { case: 'mapKey' as const, value: inner(entry.keyKind.value) }
              : entry.keyKind,
          ...(entry.value && { value: inner(entry.value) }),
        })),
      });
    case 'comprehensionExpr':
      return comprehension(node, hidden, inFirst);
    default:
      return node;
  }
}

/** Returns a part of a sum, bound, so that a blank one is missing, unless the expression made it: a list may have no elements to join. */
const filled = (part: Expr, bound: Expr): Expr =>
  isOfPayload(part) ? callNode(part.id, INTERNAL.filled, [bound]) : bound;

/** Returns whether a value is at a path, made of one alone, or what `first` finds. */
function isOfPayload(node: Expr): boolean {
  const { exprKind } = node;
  if (exprKind.case !== 'callExpr') return ![undefined, RESULT].includes(chainOf(node)?.root);
  const { function: name, target, args } = exprKind.value;
  if (name === 'first' && !target) return args.at(-1)?.exprKind.case !== 'constExpr';
  if (name === ADD || name === CONDITIONAL) return false;
  const subject = target ?? args[0];
  return subject !== undefined && isOfPayload(subject);
}

const with_ = (node: Expr, value: unknown): Expr =>
  ({ ...node, exprKind: { case: node.exprKind.case, value } }) as Expr;

function index(node: Expr, call: object, args: Expr[]): Expr {
  const [operand, key] = args;
  const field = key && constantOf(key);
  if (operand && typeof field === 'string') return selectNode(node.id, operand, field);
  return with_(node, { ...call, args });
}

/** Nothing is evaluated between the test of an alternative and the use of its value. */
function firstOf(id: bigint, [alternative, ...others]: Expr[]): Expr {
  if (!alternative) throw new RangeError('first() has no alternatives');
  if (others.length === 0) return alternative;
  // True if it is an error too, such as that of an absent path.
  const isMissing = callNode(id, '@not_strictly_false', [callNode(id, INTERNAL.isBlank, [alternative])]);
  return callNode(id, CONDITIONAL, [isMissing, firstOf(id, others), callNode(id, INTERNAL.tested, [])]);
}

function comprehension(node: Expr, hidden: ReadonlySet<string>, inFirst: boolean): Expr {
  if (node.exprKind.case !== 'comprehensionExpr') return node;
  const fold = node.exprKind.value;
  const inside = new Set([...hidden, fold.iterVar]);
  if (!fold.loopStep || !fold.iterRange) return node;
  const step = boundExpression(fold.loopStep, inside, inFirst);
  const isList = fold.accuInit?.exprKind.case === 'listExpr';
  const weight = stepsOf(step) + NODE_STEPS;
  return with_(node, {
    ...fold,
    iterRange: callNode(fold.iterRange.id, INTERNAL.range, [
      boundExpression(fold.iterRange, hidden),
      intNode(node.id, weight),
    ]),
    accuInit: isList ? callNode(node.id, INTERNAL.list, []) : fold.accuInit,
    loopStep: isList ? appending(step) : step,
  });
}

/** Returns the step of `map` or `filter`, `@result + [x]` alone or in a condition, with an append in its place. */
function appending(step: Expr): Expr {
  if (step.exprKind.case !== 'callExpr') return step;
  const { function: name, args } = step.exprKind.value;
  const [first, second, third] = args;
  if (!first || !second) return step;
  if (name === CONDITIONAL && third) return callNode(step.id, name, [first, appending(second), third]);
  const isResult = first.exprKind.case === 'identExpr' && first.exprKind.value.name === RESULT;
  if (name !== ADD || !isResult) return step;
  return callNode(step.id, INTERNAL.append, [first, ...childrenOf(second)]);
}
