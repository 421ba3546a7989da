import { type CelList, type CelMap, type CelValue, celList, celMap, celUint } from '@bufbuild/cel';
import { LosslessNumber } from 'lossless-json';
import type { Budget } from '../values/budget.js';
import { isBlank, isObject, type JsonObject, type JsonValue, type KeyLists } from '../values/json-value.js';
import type { Path } from '../values/path.js';
import { isHollow } from '../values/placeholder.js';
import type { EventRequest } from '../values/request.js';
import type { Variable } from './ast.js';

/** The values that expressions read. */
export interface ExpressionRoots {
  webhook: JsonValue;
  /** Undefined without a split. */
  item: JsonValue | undefined;
  /** Undefined for an event of an older release. */
  request: EventRequest | undefined;
  /** The rows that the lookups of the mapping found, by name. */
  lookup?: JsonValue;
  /** Of a message, which has none of the others. */
  alert?: JsonValue;
  transition?: JsonValue;
  /** Of a feed's file: the texts of its columns by name. It has none of the others. */
  row?: JsonValue;
}

/** Which values are as good as absent ones. */
export interface Absence {
  /** Whether a text stands for "no value": a path that leads to one is missing. */
  isPlaceholder(text: string): boolean;
  /** Whether a value says nothing. `isOptional`: another one may replace it. */
  isMissing(value: JsonValue, isOptional: boolean): boolean;
  /** Whether absent values and null are read as empty texts. `has` still finds that they are absent. */
  readsEmpty?: boolean;
}

/** Texts are taken as they are sent. */
const AS_SENT: Absence = {
  isPlaceholder: () => false,
  isMissing: (value) => isHollow(value, isBlank),
};

/** The JSON that a list or map of an expression shows. */
const SOURCE = Symbol('the JSON value');

/** Returns the JSON value that a list or map was made of, or undefined if the expression made it. */
export const sourceOf = (value: (CelList | CelMap) & { [SOURCE]?: JsonValue }): JsonValue | undefined =>
  value[SOURCE];

/** Elements of a list that are converted in the time of one step. */
const CONVERTED_PER_STEP = 10;

const [MIN_INT, MAX_INT, MAX_UINT] = [-(2n ** 63n), 2n ** 63n - 1n, 2n ** 64n - 1n];

/** The values that the expressions of one event read, and the budget that they share. Converts values when they are read. */
export class ExpressionScope {
  readonly roots: ExpressionRoots;
  readonly budget: Budget;
  readonly keys: KeyLists;
  readonly absence: Absence;
  /** Converted lists. A list of a hundred thousand elements takes milliseconds, and a thousand alerts may read the same one. */
  readonly #lists = new Map<JsonValue[], CelList>();

  /** The roots are read at each evaluation: `item` may change between alerts. */
  constructor(roots: ExpressionRoots, budget: Budget, keys: KeyLists, absence: Absence = AS_SENT) {
    this.roots = roots;
    this.budget = budget;
    this.keys = keys;
    this.absence = absence;
  }

  /**
   * Returns the value of a variable. An absent one is an empty map, so that every path in it is missing.
   * @throws BudgetExceeded
   */
  variable(name: Variable): CelValue {
    return this.convert(this.roots[name] ?? {});
  }

  /**
   * Returns a JSON value as CEL defines it: a number is a double. An integer beyond 2^53 is an int or uint, so ids keep their
   * digits.
   * @throws BudgetExceeded
   */
  convert(value: JsonValue): CelValue {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return this.#list(value);
    if (value instanceof LosslessNumber) return numberOf(value.value);
    const view = new ObjectView(value, this);
    const map = Object.assign(celMap(view), { [SOURCE]: value });
    return this.absence.readsEmpty ? Object.assign(map, { has: (key: string) => view.has(key) }) : map;
  }

  #list(list: JsonValue[]): CelList {
    const known = this.#lists.get(list);
    if (known) return known;
    this.budget.step(Math.ceil(list.length / CONVERTED_PER_STEP));
    const converted = Object.assign(celList(list.map((element) => this.convert(element))), {
      [SOURCE]: list,
    });
    this.#lists.set(list, converted);
    return converted;
  }
}

function numberOf(digits: string): CelValue {
  if (!/^-?\d+$/.test(digits) || digits.length > 20) return Number(digits);
  const integer = BigInt(digits);
  if (integer >= MIN_INT && integer <= MAX_INT) return integer;
  return integer > 0n && integer <= MAX_UINT ? celUint(integer) : Number(digits);
}

/** Shows a JSON object as a map. Converts a value when it is read, and finds own properties only. */
class ObjectView implements ReadonlyMap<string, CelValue> {
  readonly #object: JsonObject;
  readonly #scope: ExpressionScope;

  constructor(object: JsonObject, scope: ExpressionScope) {
    this.#object = object;
    this.#scope = scope;
  }

  get size(): number {
    return this.#list().length;
  }

  get(key: string): CelValue | undefined {
    if (this.has(key)) return this.#scope.convert(this.#object[key] ?? null);
    return this.#scope.absence.readsEmpty ? '' : undefined;
  }

  has(key: string): boolean {
    if (typeof key !== 'string' || !Object.hasOwn(this.#object, key)) return false;
    const value = this.#object[key];
    if (value === null && this.#scope.absence.readsEmpty) return false;
    return typeof value !== 'string' || !this.#scope.absence.isPlaceholder(value);
  }

  keys(): MapIterator<string> {
    return this.#list().values();
  }

  *values(): MapIterator<CelValue> {
    for (const key of this.#list()) yield this.#scope.convert(this.#object[key] ?? null);
  }

  *entries(): MapIterator<[string, CelValue]> {
    for (const key of this.#list()) yield [key, this.#scope.convert(this.#object[key] ?? null)];
  }

  [Symbol.iterator](): MapIterator<[string, CelValue]> {
    return this.entries();
  }

  forEach(callback: (value: CelValue, key: string, map: ReadonlyMap<string, CelValue>) => void): void {
    for (const [key, value] of this.entries()) callback(value, key, this);
  }

  #list(): readonly string[] {
    const keys = this.#scope.keys.of(this.#object);
    this.#scope.budget.step(Math.ceil(keys.length / CONVERTED_PER_STEP));
    return keys;
  }
}

/** Returns the value that an expression reads at a path: own properties and elements, without the shortcuts of templates. */
export function readPath({ root, keys }: Path, roots: ExpressionRoots): JsonValue | undefined {
  let value: JsonValue | undefined = root === 'element' ? undefined : roots[root];
  for (const key of keys) {
    if (Array.isArray(value)) value = /^\d+$/.test(key) ? value[Number(key)] : undefined;
    else value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}
