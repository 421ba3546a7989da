import { LosslessNumber } from 'lossless-json';
import { type Budget, BudgetSpent } from './budget.js';
import {
  type JsonObject,
  type JsonValue,
  type KeyLists,
  LONGEST_PIECE,
  longestPiece,
  MAX_DEPTH,
} from './json-value.js';

/** Turns values into text: scalars as they are, lists and objects as JSON; each no longer than any field can be. */
export class ValueFormatter {
  readonly #budget: Budget;
  readonly #keys: KeyLists;
  /** A list's or object's JSON, made once for all fields and alerts of an event. */
  #made: Map<object, string> | null = null;

  constructor(budget: Budget, keys: KeyLists) {
    this.#budget = budget;
    this.#keys = keys;
  }

  toText(value: JsonValue): string {
    if (typeof value === 'string') return value.length > LONGEST_PIECE ? longestPiece(value) : value;
    if (typeof value !== 'object' || value === null) return String(value);
    if (value instanceof LosslessNumber) return longestPiece(value.value);
    const known = this.#made?.get(value);
    if (known !== undefined) return known;
    const text = longestPiece(this.#json(value, LONGEST_PIECE, MAX_DEPTH));
    this.#made ??= new Map();
    this.#made.set(value, text);
    return text;
  }

  /** JSON of at least `room` characters, or the whole. */
  #json(value: JsonValue, room: number, depth: number): string {
    this.#budget.step();
    if (typeof value === 'string') return JSON.stringify(value.slice(0, Math.max(room, 0) + 1));
    if (typeof value !== 'object' || value === null) return String(value);
    if (value instanceof LosslessNumber) return value.value;
    if (depth === 0) throw new BudgetSpent('too_deep');
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
      text += `${JSON.stringify(longestPiece(key))}:`;
      text += this.#json(object[key] as JsonValue, room - text.length, depth - 1);
    }
    return `${text}}`;
  }
}
