import { type CelResult, plan } from '@bufbuild/cel';
import type { Path } from '../values/path.js';
import {
  AND,
  CONDITIONAL,
  chainOf,
  chainText,
  childrenOf,
  constantOf,
  type Expr,
  isVariable,
} from './ast.js';
import { boundExpression, stepsOf } from './bound.js';
import { Checker, type CheckOptions } from './check.js';
import type { ExpressionError } from './expression-error.js';
import { ENVIRONMENT } from './functions.js';
import { type ParsedExpression, parseExpression } from './parse.js';

export interface ExpressionOptions extends CheckOptions {
  /** `bool` for a condition such as a filter. */
  result: 'bool' | 'value';
}

/** An expression that is parsed, checked and planned. `evaluate` applies it to a payload. */
export interface CompiledExpression {
  source: string;
  run: () => CelResult;
  /** What one evaluation costs without its comprehensions, in steps. */
  steps: number;
  /** The paths that the expression names, each once. A path of an element of a comprehension is not one of them. */
  paths: readonly Path[];
  /** The paths again: those of a `first` or of a condition are together, because a payload has only some of them. */
  alternatives: readonly (readonly Path[])[];
  /** Those of the paths that a payload should have: `has` does not test them, and they are no alternatives of `first`. */
  expectedPaths: readonly Path[];
  /** The texts in quotes. */
  texts: readonly string[];
  /** Whether a path starts at the item, so that the result differs between the items of a split. */
  usesItem: boolean;
  /** Whether it reads the owner of an account, so that its errors must not have the texts that it reads. */
  readsOwner: boolean;
  /** The clauses that `&&` joins, in order. One if there is no `&&`. */
  clauses: readonly Expr[];
  /** The nodes as they were written, by id. An error of an evaluation has the id of its node. */
  nodes: ReadonlyMap<string, Expr>;
  sourceInfo: ParsedExpression['sourceInfo'];
  startOf(id: bigint | number): number;
}

export type CompiledExpressionResult = { expression: CompiledExpression } | { errors: ExpressionError[] };

/**
 * Compiles an expression of the Common Expression Language. Returns all errors, each with its position: syntax, unknown variables
 * and functions, types as far as they are known without a payload, patterns and limits. Never throws.
 */
export function compileExpression(source: string, options: ExpressionOptions): CompiledExpressionResult {
  const result = parseExpression(source);
  if ('errors' in result) return result;
  const { root, sourceInfo, startOf } = result.parsed;
  const checker = new Checker(startOf, options);
  if (options.result === 'bool') checker.condition(root, new Set(), 'the expression');
  else checker.typeOf(root, new Set());
  if (checker.errors.length > 0) return { errors: checker.errors.sort((a, b) => a.start - b.start) };
  const bound = boundExpression(root);
  const paths = pathsOf(root);
  return {
    expression: {
      source,
      run: plan(ENVIRONMENT, bound),
      steps: stepsOf(bound),
      paths,
      alternatives: alternativesOf(root, new Set(paths.map(({ text }) => text))),
      expectedPaths: expectedPaths(root, paths),
      texts: textsOf(root),
      usesItem: paths.some(({ root }) => root === 'item'),
      readsOwner: false,
      clauses: clausesOf(root),
      nodes: nodesOf(root),
      sourceInfo,
      startOf,
    },
  };
}

/** Returns the paths that start at a variable, in order, each once and as long as it is known. */
export function pathsOf(root: Expr): Path[] {
  const found = new Map<string, Path>();
  const visit = (node: Expr, hidden: ReadonlySet<string>) => {
    const chain = chainOf(node);
    if (chain) {
      if (!isVariable(chain.root) || hidden.has(chain.root)) return;
      const text = chainText(chain);
      found.set(text, { text, root: chain.root, keys: chain.keys.map(String) });
      return;
    }
    const inside =
      node.exprKind.case === 'comprehensionExpr' ? new Set([...hidden, node.exprKind.value.iterVar]) : hidden;
    for (const child of childrenOf(node)) visit(child, inside);
  };
  visit(root, new Set());
  return [...found.values()];
}

/** Returns the paths by the outermost `first` or condition around them. `known` leaves out those of the elements of a comprehension. */
function alternativesOf(root: Expr, known: ReadonlySet<string>): Path[][] {
  const ofOne = (node: Expr): Path[][] => {
    if (isChoice(node) || chainOf(node)) return [pathsOf(node)];
    return childrenOf(node).flatMap(ofOne);
  };
  return ofOne(root)
    .map((paths) => paths.filter(({ text }) => known.has(text)))
    .filter((paths) => paths.length > 0);
}

const isChoice = ({ exprKind }: Expr): boolean =>
  exprKind.case === 'callExpr' && ['first', CONDITIONAL].includes(exprKind.value.function);

/** Returns the texts in quotes, with keys and patterns. */
function textsOf(node: Expr): string[] {
  const text = constantOf(node);
  return typeof text === 'string' ? [text] : childrenOf(node).flatMap(textsOf);
}

function expectedPaths(root: Expr, paths: readonly Path[]): Path[] {
  const optional = optionalPaths(root);
  return paths.filter((path) => !optional.some((start) => isWithin(path, start)));
}

/** Returns the paths that the expression tests with `has`, and the alternatives of `first`. */
function optionalPaths(node: Expr): Path[] {
  const { exprKind } = node;
  const isTest = exprKind.case === 'selectExpr' && exprKind.value.testOnly;
  const isFirst = exprKind.case === 'callExpr' && exprKind.value.function === 'first';
  return isTest || isFirst ? pathsOf(node) : childrenOf(node).flatMap(optionalPaths);
}

const isWithin = ({ root, keys }: Path, start: Path): boolean =>
  root === start.root && start.keys.every((key, index) => keys[index] === key);

function clausesOf(node: Expr): Expr[] {
  if (node.exprKind.case !== 'callExpr' || node.exprKind.value.function !== AND) return [node];
  return node.exprKind.value.args.flatMap(clausesOf);
}

function nodesOf(root: Expr): Map<string, Expr> {
  const nodes = new Map<string, Expr>();
  const visit = (node: Expr) => {
    nodes.set(String(node.id), node);
    for (const child of childrenOf(node)) visit(child);
  };
  visit(root);
  return nodes;
}
