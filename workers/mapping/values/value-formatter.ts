import { LosslessNumber } from 'lossless-json';
import { type Budget, BudgetExceeded } from './budget.js';
import {
  type JsonObject,
  type JsonValue,
  type KeyLists,
  limitText,
  MAX_DEPTH,
  MAX_TEXT,
} from './json-value.js';

/** Formats values as text: scalars as they are, lists and objects as JSON, none longer than the longest field. */
export class ValueFormatter {
  readonly #budget: Budget;
  readonly #keys: KeyLists;
  /** The JSON of a list or an object, written once for all fields and alerts of an event. */
  #written: Map<object, string> | null = null;

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
    const text = limitText(this.#json(value, MAX_TEXT, MAX_DEPTH));
    this.#written ??= new Map();
    this.#written.set(value, text);
    return text;
  }

  /**
   * Returns the first characters of a list or an object as JSON. Takes time that grows with `length` only.
   * @throws BudgetExceeded
   */
  start(value: JsonValue, length: number): string {
    return this.#json(value, length, MAX_DEPTH).slice(0, length);
  }

  /** Returns at least the first `room` characters of the JSON. */
  #json(value: JsonValue, room: number, depth: number): string {
    this.#budget.step();
    if (typeof value === 'string') return JSON.stringify(value.slice(0, Math.max(room, 0) + 1));
    if (typeof value !== 'object' || value === null) return String(value);
    if (value instanceof LosslessNumber) return value.value;
    if (depth === 0) throw new BudgetExceeded('too_deep');
    return Array.isArray(value) ? this.#list(value, room, depth) : this.#object(value, room, depth);
  }

  #list(list: JsonValue[], room: number, depth: number): string {
    let text = '[';
    for (let index = 0; index < list.length && text.length <= room; index++) {
      if (index > 0) text += ',';
      text += this.#json(list[index] as JsonValue, room - text.length, depth - 1);
    }
    return `${text}]`;
  }

  #object(object: JsonObject, room: number, depth: number): string {
    let text = '{';
    for (const key of this.#keys.of(object)) {
      if (text.length > room) break;
      if (text.length > 1) text += ',';
      text += `${JSON.stringify(limitText(key))}:`;
      text += this.#json(object[key] as JsonValue, room - text.length, depth - 1);
    }
    return `${text}}`;
  }
}
