import {
  type CelFunc,
  type CelInput,
  type CelList,
  CelScalar,
  type CelValue,
  celEnv,
  celFunc,
  celList,
  celMethod,
  isCelError,
  isCelList,
  isCelMap,
  listType,
} from '@bufbuild/cel';
import { strings } from '@bufbuild/cel/ext';
import { VARIABLES } from './ast.js';
import { charge, chargeText, costOf, scope } from './meter.js';
import { extract, matches } from './regex.js';
import { sourceOf } from './scope.js';

const { BOOL, DOUBLE, DYN, INT, STRING } = CelScalar;
const LIST = listType(DYN);

/** The functions that only `boundExpression` calls. No expression can contain their names. */
export const INTERNAL = {
  range: '@range',
  list: '@list',
  append: '@append',
  isBlank: '@is_blank',
  filled: '@filled',
  tested: '@tested',
} as const;

/** Returns a function of the library that counts what it costs before it runs. */
function counted(func: CelFunc): CelFunc {
  const call = (target: CelValue | undefined, args: CelValue[]): CelInput => {
    costOf(func.name, target === undefined ? args : [target, ...args]);
    const result = func.call(0, target, args);
    // Thrown again, because the library adds the position only to what is thrown.
    if (isCelError(result)) throw new Error(result.message);
    return result as CelInput;
  };
  const { name, target, arguments: types, result } = func;
  if (!target) return celFunc(name, types, result, (...args: CelValue[]) => call(undefined, args) as never);
  return celMethod(name, target, types, result, function (this: CelValue, ...args: CelValue[]) {
    return call(this, args) as never;
  });
}

/** Whether the cost of a function depends on its values. Arithmetic of numbers is counted as a node of the expression. */
const isSized = ({ target, arguments: types }: CelFunc): boolean =>
  [target, ...types].some(
    (type) => type !== undefined && !['int', 'uint', 'double', 'bool'].includes(type.name),
  );

/** Of the extension, `format` is left out: what it costs cannot be known from its arguments. */
const library = [...celEnv({ funcs: strings.filter(({ name }) => name !== 'format') }).funcs];

/** Arithmetic of a double and an int. A number of a payload is a double, and a literal such as 1 an int. */
const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '_+_': (a, b) => a + b,
  '_-_': (a, b) => a - b,
  '_*_': (a, b) => a * b,
  '_/_': (a, b) => a / b,
};
const mixedArithmetic = Object.entries(ARITHMETIC).flatMap(([name, compute]) => [
  celFunc(name, [DOUBLE, INT], DOUBLE, (a, b) => compute(a, Number(b))),
  celFunc(name, [INT, DOUBLE], DOUBLE, (a, b) => compute(Number(a), b)),
]);

/** Replaces the library's, which takes a time that grows with the square of the text. */
const replace = celMethod('replace', STRING, [STRING, STRING], STRING, function (from, to) {
  return replaceSome(this, from, to, Number.POSITIVE_INFINITY);
});

const replaceFirst = celMethod('replace', STRING, [STRING, STRING, INT], STRING, function (from, to, most) {
  return replaceSome(this, from, to, most < 0n ? Number.POSITIVE_INFINITY : Number(most));
});

function replaceSome(text: string, from: string, to: string, most: number): string {
  charge(text.length / 10);
  const pieces = text.split(from);
  const replaced = Math.min(most, pieces.length - 1);
  chargeText(text.length + replaced * to.length);
  const rest = pieces.slice(replaced).join(from);
  return [...pieces.slice(0, replaced), rest].join(to);
}

const ITEMS = Symbol('the elements of a list that a comprehension builds');

/** Appends in place. The list is visible to nothing else until its comprehension is done. */
function append(list: CelList & { [ITEMS]?: CelValue[] }, element: CelValue): CelList {
  list[ITEMS]?.push(element);
  return list;
}

function buildList(): CelList {
  const items: CelValue[] = [];
  return Object.assign(celList(items), { [ITEMS]: items });
}

/** Counts the iterations of a comprehension before the first one. `weight` is what one of them costs, in steps. */
function range(values: CelValue, weight: bigint): CelValue {
  const size = values && typeof values === 'object' && 'size' in values ? Number(values.size) : 0;
  charge(size * Number(weight));
  return values;
}

/** Returns whether a field would be missing with this value. */
function isBlankValue(value: CelValue): boolean {
  if (value === null) return true;
  if (typeof value === 'string') return scope().absence.isMissing(value, true);
  if (!isCelList(value) && !isCelMap(value)) return false;
  const source = sourceOf(value);
  return source === undefined ? value.size === 0 : scope().absence.isMissing(source, true);
}

/** The value that {@link testBlank} tested last. */
let tested: CelValue = null;

function testBlank(value: CelValue): boolean {
  tested = value;
  return isBlankValue(value);
}

/** Reports a blank value like an absent path. */
function requireFilled(value: CelValue): CelValue {
  if (isBlankValue(value)) throw new Error('field not found: a part of the text is blank');
  return value;
}

const internal = [
  ...VARIABLES.map((name) => celFunc(`@${name}`, [], DYN, () => scope().variable(name))),
  celFunc(INTERNAL.range, [DYN, INT], DYN, range),
  celFunc(INTERNAL.list, [], LIST, buildList),
  celFunc(INTERNAL.append, [LIST, DYN], LIST, append),
  celFunc(INTERNAL.isBlank, [DYN], BOOL, testBlank),
  celFunc(INTERNAL.filled, [DYN], DYN, requireFilled),
  celFunc(INTERNAL.tested, [], DYN, () => tested as CelInput),
];

const regexes = [
  celMethod('matches', STRING, [STRING], BOOL, function (pattern) {
    return matches(this, pattern);
  }),
  celFunc('matches', [STRING, STRING], BOOL, matches),
  celFunc('extract', [STRING, STRING], DYN, extract),
];

const overridden = new Set([...regexes, replace, replaceFirst].map(({ id }) => id));

/** The functions of an expression: the standard ones, the extension for strings, `extract`, and mixed arithmetic. */
export const FUNCTIONS: readonly CelFunc[] = [
  ...library.filter(({ id }) => !overridden.has(id)).map((func) => (isSized(func) ? counted(func) : func)),
  ...mixedArithmetic,
  replace,
  replaceFirst,
  ...regexes,
];

/** Evaluates expressions with these functions, and with those that `boundExpression` calls. */
export const ENVIRONMENT = celEnv({ funcs: [...FUNCTIONS, ...internal] });
