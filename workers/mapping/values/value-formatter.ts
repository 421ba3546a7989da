import { LosslessNumber } from 'lossless-json';
import { type Budget, BudgetExceeded } from './budget.js';
import {
  isBlank,
  type JsonObject,
  type JsonValue,
  type KeyLists,
  limitText,
  MAX_DEPTH,
  MAX_TEXT,
} from './json-value.js';

/** Names of an object that are sorted for a key. Labels are a few dozen; sorting many thousands would take milliseconds. */
const MAX_SORTED = 1_000;

/** Elements by which a list of scalars is recognized. */
const FIRST_ELEMENTS = 100;

/** Returns whether a value is a list of scalars, which reads better with commas than as JSON. */
const isFlatList = (value: JsonValue): value is JsonValue[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value
    .slice(0, FIRST_ELEMENTS)
    .every((element) => element === null || typeof element !== 'object' || element instanceof LosslessNumber);

/**
 * Formats values as text, none longer than the longest field: scalars as they are, lists of scalars with commas between them, and
 * other lists and objects as JSON.
 */
export class ValueFormatter {
  readonly #budget: Budget;
  readonly #keys: KeyLists;
  /** The JSON of a list or an object, written once for all fields and alerts of an event. */
  #written: Map<object, string> | null = null;
  #writtenKeys: Map<object, string> | null = null;

  constructor(budget: Budget, keys: KeyLists) {
    this.#budget = budget;
    this.#keys = keys;
  }

  /** @throws BudgetExceeded */
  format(value: JsonValue): string {
    if (typeof value === 'string') return limitText(value);
    if (typeof value !== 'object' || value === null) return String(value);
    if (value instanceof LosslessNumber) return limitText(value.value);
    const known = this.#written?.get(value);
    if (known !== undefined) return known;
    const text = limitText(this.#text(value, MAX_TEXT));
    this.#written ??= new Map();
    this.#written.set(value, text);
    return text;
  }

  /**
   * Formats a value as a part of a key: lists and objects as JSON, with the names of objects in alphabetical order, because the same
   * labels in another order identify the same problem.
   * @throws BudgetExceeded
   */
  formatKey(value: JsonValue): string {
    if (typeof value !== 'object' || value === null || value instanceof LosslessNumber)
      return this.format(value);
    const known = this.#writtenKeys?.get(value);
    if (known !== undefined) return known;
    const text = limitText(this.#json(value, MAX_TEXT, MAX_DEPTH, true));
    this.#writtenKeys ??= new Map();
    this.#writtenKeys.set(value, text);
    return text;
  }

  /** Returns at least the first `room` characters of the elements of a list, without blank ones. */
  #listed(list: JsonValue[], room: number): string {
    let text = '';
    for (let index = 0; index < list.length && index <= room && text.length <= room; index++) {
      this.#budget.step();
      const element = list[index];
      if (element === undefined || isBlank(element)) continue;
      const isScalar = typeof element !== 'object' || element instanceof LosslessNumber;
      text += `${text && ', '}${isScalar ? this.format(element) : this.#json(element, room, MAX_DEPTH)}`;
    }
    return text;
  }

  /**
   * Returns the first characters of a list or an object. Takes time that grows with `length` only.
   * @throws BudgetExceeded
   */
  start(value: JsonValue, length: number): string {
    return this.#text(value, length).slice(0, length);
  }

  #text(value: JsonValue, room: number): string {
    return isFlatList(value) ? this.#listed(value, room) : this.#json(value, room, MAX_DEPTH);
  }

  /** Returns at least the first `room` characters of the JSON. */
  #json(value: JsonValue, room: number, depth: number, sorted = false): string {
    this.#budget.step();
    if (typeof value === 'string') return JSON.stringify(value.slice(0, Math.max(room, 0) + 1));
    if (typeof value !== 'object' || value === null) return String(value);
    if (value instanceof LosslessNumber) return value.value;
    if (depth === 0) throw new BudgetExceeded('too_deep');
    return Array.isArray(value)
      ? this.#list(value, room, depth, sorted)
      : this.#object(value, room, depth, sorted);
  }

  #list(list: JsonValue[], room: number, depth: number, sorted: boolean): string {
    let text = '[';
    for (let index = 0; index < list.length && text.length <= room; index++) {
      if (index > 0) text += ',';
      text += this.#json(list[index] ?? null, room - text.length, depth - 1, sorted);
    }
    return `${text}]`;
  }

  #object(object: JsonObject, room: number, depth: number, sorted: boolean): string {
    let text = '{';
    const keys = this.#keys.of(object);
    for (const key of sorted && keys.length <= MAX_SORTED ? [...keys].sort() : keys) {
      if (text.length > room) break;
      if (text.length > 1) text += ',';
      text += `${JSON.stringify(limitText(key))}:`;
      text += this.#json(object[key] ?? null, room - text.length, depth - 1, sorted);
    }
    return `${text}}`;
  }
}
