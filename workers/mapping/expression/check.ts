import { isMessageVariable, isNeverBool, pathProblem, variableOf } from '../values/message-fields.js';
import {
  AND,
  CONDITIONAL,
  chainOf,
  chainText,
  constantOf,
  type Expr,
  hasVariable,
  INDEX,
  OR,
  RESULT,
  type Reads,
} from './ast.js';
import type { ExpressionError, ExpressionErrorCode } from './expression-error.js';
import {
  isFunction,
  mayBeBool,
  misnamed,
  noOverload,
  resultOf,
  TYPE_NAMES,
  type TypeName,
} from './signatures.js';

const MAX_INT = 2n ** 63n - 1n;

/** Functions whose last argument is a pattern. */
const PATTERNS = ['matches', 'extract'];

/** What a macro takes. The parser leaves a macro with other arguments as an ordinary call. */
const MACROS: Record<string, string> = {
  has: 'has(webhook.a.b)',
  all: 'list.all(x, x.a > 0)',
  exists: 'list.exists(x, x.a > 0)',
  exists_one: 'list.exists_one(x, x.a > 0)',
  existsOne: 'list.existsOne(x, x.a > 0)',
  map: 'list.map(x, x.a)',
  filter: 'list.filter(x, x.a > 0)',
};

/** Returns the node at which a path begins. The parser gives a path the position of its last dot. */
function beginningOf(node: Expr): Expr {
  const { exprKind } = node;
  const operand =
    exprKind.case === 'selectExpr' && !exprKind.value.testOnly ? exprKind.value.operand : undefined;
  return operand ? beginningOf(operand) : node;
}

type Locals = ReadonlySet<string>;

/** The variable that a name may belong to if it is none itself. */
const ROOTS: Record<Reads, (name: string) => string> = {
  payload: () => 'webhook',
  message: (name) => variableOf(name) ?? 'alert.custom',
  row: () => 'row',
};

/** What the mapping, message or recipe around an expression decides. */
export interface CheckOptions {
  /** Whether the mapping has a split, so that there is an `item`. */
  split: boolean;
  /** Default: a payload. */
  reads?: Reads;
  /** Whether a condition must not be a field of a message that is never true or false. */
  isStrict?: boolean;
  /** Returns what is wrong with a pattern, or null: `errorOf` of the mapping's `PatternBudget`, or `compileError` if it is stored. */
  patternError(pattern: string): string | null;
}

/** Checks names, functions and types of a parsed expression. Types that depend on a payload are `dyn` and fit everywhere. */
export class Checker {
  readonly errors: ExpressionError[] = [];
  readonly #startOf: (id: bigint) => number;
  readonly #options: CheckOptions;

  constructor(startOf: (id: bigint) => number, options: CheckOptions) {
    this.#startOf = startOf;
    this.#options = options;
  }

  /** Returns the type of a node. Adds all errors in it. */
  typeOf(node: Expr, locals: Locals): TypeName {
    const { exprKind } = node;
    if (this.#options.reads === 'message') this.#messagePath(node, locals);
    switch (exprKind.case) {
      case 'constExpr':
        return this.#constant(node);
      case 'identExpr':
        return this.#name(node, exprKind.value.name, locals);
      case 'selectExpr':
        this.#container(
          exprKind.value.operand,
          locals,
          ['map', 'dyn'],
          `has no field "${exprKind.value.field}"`,
        );
        return exprKind.value.testOnly ? 'bool' : 'dyn';
      case 'callExpr':
        return this.#call(node, locals);
      case 'listExpr':
        for (const element of exprKind.value.elements) this.typeOf(element, locals);
        return 'list';
      case 'structExpr':
        return this.#map(node, locals);
      case 'comprehensionExpr':
        return this.#comprehension(node, locals);
      default:
        return 'dyn';
    }
  }

  /** Checks that a node is a condition, as far as that is known without a payload. */
  condition(node: Expr, locals: Locals, what: string): void {
    const type = this.typeOf(node, locals);
    const problem =
      type !== 'bool' && type !== 'dyn'
        ? `this is of type ${type}`
        : type === 'dyn' && this.#options.isStrict && this.#isNeverBool(node, locals)
          ? 'this never is: compare it, such as with == or !='
          : null;
    if (problem) this.fail(node, 'type_error', `${what} must be true or false; ${problem}`);
  }

  #isNeverBool(node: Expr, locals: Locals): boolean {
    const chain = chainOf(node);
    if (chain)
      return isMessageVariable(chain.root) && !locals.has(chain.root) && isNeverBool(chain.root, chain.keys);
    if (node.exprKind.case !== 'callExpr') return false;
    const { function: name, target, args } = node.exprKind.value;
    if (name === INDEX) return false;
    if (name === CONDITIONAL) return args.slice(1).every((arg) => this.#isNeverBool(arg, locals));
    if (name === 'first' && !target) return args.every((arg) => this.#isNeverBool(arg, locals));
    return isFunction(name, target !== undefined) && !mayBeBool(name, target !== undefined);
  }

  fail(node: Expr, code: ExpressionErrorCode, message: string): TypeName {
    this.errors.push({ code, message, start: this.#startOf(beginningOf(node).id) });
    return 'dyn';
  }

  /** Finds fields that no message has. Of a longer path, each part is checked on its own. */
  #messagePath(node: Expr, locals: Locals): void {
    const { root, keys } = chainOf(node) ?? { root: '', keys: [] };
    if (!isMessageVariable(root) || locals.has(root)) return;
    const problem = pathProblem(root, keys);
    if (problem && (keys.length === 1 || !pathProblem(root, keys.slice(0, -1))))
      this.fail(node, 'unknown_name', problem);
  }

  #constant(node: Expr): TypeName {
    const value = constantOf(node);
    if (typeof value === 'bigint') return this.#integer(node, value);
    if (typeof value === 'string') return 'string';
    if (typeof value === 'boolean') return 'bool';
    if (value === null) return 'null_type';
    return value instanceof Uint8Array ? 'bytes' : 'double';
  }

  #integer(node: Expr, value: bigint): TypeName {
    const isUint =
      node.exprKind.case === 'constExpr' && node.exprKind.value.constantKind.case === 'uint64Value';
    const most = isUint ? 2n * MAX_INT + 1n : MAX_INT;
    if (value > most || value < -MAX_INT - 1n)
      return this.fail(node, 'syntax_error', 'the number has more than 64 bits');
    return isUint ? 'uint' : 'int';
  }

  #name(node: Expr, name: string, locals: Locals): TypeName {
    if (locals.has(name)) return 'dyn';
    const { split, reads = 'payload' } = this.#options;
    if (name === 'item' && !split && reads === 'payload') {
      return this.fail(
        node,
        'no_item',
        '"item" can be used only if the mapping has a split; start with webhook',
      );
    }
    if (hasVariable(name, reads)) return 'dyn';
    if (TYPE_NAMES.includes(name)) return 'type';
    const root = ROOTS[reads](name);
    return this.fail(
      node,
      'unknown_name',
      `"${name}" is not a variable; write ${root}.${name}, or "${name}" for a text`,
    );
  }

  #container(node: Expr | undefined, locals: Locals, allowed: TypeName[], problem: string): void {
    if (!node) return;
    const type = this.typeOf(node, locals);
    if (!allowed.includes(type)) this.fail(node, 'type_error', `a value of type ${type} ${problem}`);
  }

  #call(node: Expr, locals: Locals): TypeName {
    if (node.exprKind.case !== 'callExpr') return 'dyn';
    const { function: name, target, args } = node.exprKind.value;
    const chain = target && chainOf(target);
    const qualified = chain && `${chainText(chain)}.${name}`;
    if (qualified && isFunction(qualified, false))
      return this.#apply(node, qualified, undefined, args, locals);
    if (name === INDEX) return this.#index(args, locals);
    if (name === CONDITIONAL) return this.#conditional(args, locals);
    if (name === AND || name === OR || name === '@not_strictly_false') return this.#logic(args, locals);
    if (name === 'first' && !target) return this.#first(node, args, locals);
    if (isFunction(name, target !== undefined)) return this.#apply(node, name, target, args, locals);
    if (target) this.typeOf(target, locals);
    const macro = MACROS[name];
    if (macro) return this.fail(node, 'type_error', `${name} is written as ${macro}`);
    for (const arg of args) this.typeOf(arg, locals);
    return this.fail(node, 'unknown_function', misnamed(name, target !== undefined));
  }

  #apply(node: Expr, name: string, target: Expr | undefined, args: Expr[], locals: Locals): TypeName {
    const before = this.errors.length;
    const on = target && this.typeOf(target, locals);
    const types = args.map((arg) => this.typeOf(arg, locals));
    // An error inside makes the type unknown, and one mistake is reported once.
    if (this.errors.length > before) return 'dyn';
    const result = resultOf(name, on, types);
    if (result === null) return this.fail(node, 'type_error', noOverload(name, on, types));
    const last = args.at(-1);
    if (last && PATTERNS.includes(name)) this.#pattern(last);
    return result;
  }

  #pattern(node: Expr): void {
    const pattern = constantOf(node);
    const problem =
      typeof pattern === 'string'
        ? this.#options.patternError(pattern)
        : 'the pattern must be a text in quotes';
    if (problem) this.fail(node, 'invalid_pattern', problem);
  }

  #index(args: Expr[], locals: Locals): TypeName {
    const [operand, key] = args;
    this.#container(operand, locals, ['list', 'map', 'dyn'], 'has no elements');
    if (key) this.typeOf(key, locals);
    return 'dyn';
  }

  #logic(args: Expr[], locals: Locals): TypeName {
    for (const arg of args) this.condition(arg, locals, 'a condition');
    return 'bool';
  }

  #conditional(args: Expr[], locals: Locals): TypeName {
    const [condition, yes, no] = args;
    if (!condition || !yes || !no) return 'dyn';
    this.condition(condition, locals, 'a condition');
    const [one, other] = [this.typeOf(yes, locals), this.typeOf(no, locals)];
    return one === other ? one : 'dyn';
  }

  #first(node: Expr, args: Expr[], locals: Locals): TypeName {
    if (args.length < 2)
      return this.fail(node, 'type_error', 'first takes two or more values: first(webhook.a, webhook.b)');
    const [first = 'dyn', ...others] = args.map((arg) => this.typeOf(arg, locals));
    return others.every((type) => type === first) ? first : 'dyn';
  }

  #map(node: Expr, locals: Locals): TypeName {
    if (node.exprKind.case !== 'structExpr') return 'dyn';
    const { messageName, entries } = node.exprKind.value;
    if (messageName)
      return this.fail(node, 'type_error', `messages such as ${messageName}{} are not supported`);
    for (const { keyKind, value } of entries) {
      if (keyKind.case === 'mapKey') this.typeOf(keyKind.value, locals);
      if (value) this.typeOf(value, locals);
    }
    return 'map';
  }

  #comprehension(node: Expr, locals: Locals): TypeName {
    if (node.exprKind.case !== 'comprehensionExpr') return 'dyn';
    const { iterRange, iterVar, accuInit, loopStep } = node.exprKind.value;
    this.#container(iterRange, locals, ['list', 'map', 'dyn'], 'has no elements');
    if (loopStep) this.typeOf(loopStep, new Set([...locals, iterVar, RESULT]));
    return accuInit?.exprKind.case === 'listExpr' ? 'list' : 'bool';
  }
}
