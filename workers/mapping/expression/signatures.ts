import type { CelFunc } from '@bufbuild/cel';
import { FUNCTIONS } from './functions.js';

/** A type by its name in CEL: `string`, `list`, `google.protobuf.Timestamp`. `dyn` is known only with a payload. */
export type TypeName = string;

/** Types that are also values: `type(x) == string`. */
export const TYPE_NAMES: readonly string[] = [
  'bool',
  'bytes',
  'double',
  'int',
  'list',
  'map',
  'null_type',
  'string',
  'type',
  'uint',
];

const overloads = (name: string, isMethod: boolean): CelFunc[] =>
  FUNCTIONS.filter((func) => func.name === name && (func.target !== undefined) === isMethod);

export const isFunction = (name: string, isMethod: boolean): boolean => overloads(name, isMethod).length > 0;

/** Returns whether a function or operator may return true or false. */
export const mayBeBool = (name: string, isMethod: boolean): boolean =>
  overloads(name, isMethod).some(({ result }) => fits(result.name, 'bool'));

const fits = (type: TypeName, expected: TypeName): boolean =>
  type === expected || type === 'dyn' || expected === 'dyn';

/** Returns the type of a call's result, or null if the function does not take these types. */
export function resultOf(
  name: string,
  target: TypeName | undefined,
  types: readonly TypeName[],
): TypeName | null {
  const fitting = overloads(name, target !== undefined).filter(
    (func) =>
      func.arguments.length === types.length &&
      (target === undefined || fits(target, func.target?.name ?? 'dyn')) &&
      types.every((type, index) => fits(type, func.arguments[index]?.name ?? 'dyn')),
  );
  if (fitting.length === 0) return null;
  const results = new Set(fitting.map(({ result }) => result.name));
  return results.size === 1 ? (fitting[0]?.result.name ?? 'dyn') : 'dyn';
}

/** Operators by the name of their function. */
const OPERATOR = /^_?(@?in|!|-|[-+*/%<>=!]+)_?$/;

const written = (name: string): string => OPERATOR.exec(name)?.[1]?.replace('@', '') ?? name;

/** Says which types a function or operator was given, and what to do. */
export function noOverload(name: string, target: TypeName | undefined, types: readonly TypeName[]): string {
  if (!/^\w/.test(name) || name.startsWith('_')) {
    return `${written(name)} cannot be applied to ${types.join(' and ')}${operatorHint(name, types)}`;
  }
  const call = `${target ? `${target}.` : ''}${name}(${types.join(', ')})`;
  const forms = overloads(name, target !== undefined).map(signature);
  return `${call} does not exist; there is ${[...new Set(forms)].slice(0, 4).join(', ')}`;
}

const signature = ({ name, target, arguments: types }: CelFunc): string =>
  `${target ? `${target.name}.` : ''}${name}(${types.map((type) => type.name).join(', ')})`;

function operatorHint(name: string, types: readonly TypeName[]): string {
  if (name === '_+_' && types.includes('string')) return '; string(x) makes a text of a value';
  if (types.includes('string')) return '; int(x) or double(x) makes a number of a text';
  return name === '_%_' ? '; int(x) makes an integer of a number' : '';
}

/** What other languages call a function. */
const OTHER_NAMES: Record<string, string> = {
  toLowerCase: 'lowerAscii',
  lowercase: 'lowerAscii',
  lower: 'lowerAscii',
  toUpperCase: 'upperAscii',
  uppercase: 'upperAscii',
  upper: 'upperAscii',
  includes: 'contains',
  len: 'size',
  length: 'size',
  count: 'size',
  test: 'matches',
  match: 'matches',
  str: 'string',
  toString: 'string',
  number: 'double',
  parseInt: 'int',
  coalesce: 'first',
  default: 'first',
  any: 'exists',
  some: 'exists',
  every: 'all',
  find: 'filter',
  now: 'timestamp',
};

/** Says that there is no such function, and which one was probably meant. */
export function misnamed(name: string, isMethod: boolean): string {
  if (isFunction(name, !isMethod)) {
    return isMethod ? `"${name}" is written as ${name}(value)` : `"${name}" is written as value.${name}()`;
  }
  const other = Object.hasOwn(OTHER_NAMES, name)
    ? OTHER_NAMES[name]
    : [...FUNCTIONS.map((func) => func.name), 'has', 'exists', 'filter', 'first'].find(
        (known) => known.toLowerCase() === name.toLowerCase(),
      );
  return `"${name}" is not a function${other ? `; did you mean ${other}?` : ''}`;
}
