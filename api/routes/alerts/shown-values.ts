import { createHash } from 'node:crypto';
import { ALERT_FIELDS, digitOf, type Rank, rankOf, type SeriesItem } from '../../../workers/mapping/index.js';

/** A text of `ShownValues` as a cursor carries it. */
export const SHOWN_VALUES = /^([A-Za-z0-9_-]{6}[-0u12][A-Za-z0-9_-]{8}){0,120}$/;
const NAME = 6;
const ENTRY = NAME + 9;
const MAX_FIELDS = 120;

/**
 * The values that an alert shows, as its events are added in order. It keeps digests instead of values, so that the position in a
 * timeline can carry them: each page then reads only its own events.
 */
export class ShownValues {
  /** Rank and digest of the value, by digest of the name. */
  readonly #fields = new Map<string, string>();

  /** @param text of an earlier instance, see {@link SHOWN_VALUES} */
  constructor(text = '') {
    for (let at = 0; at < text.length; at += ENTRY)
      this.#fields.set(text.slice(at, at + NAME), text.slice(at + NAME, at + ENTRY));
  }

  /** Adds the next item. Returns the names of the fields that show another value now: `title`, `custom.zone`. */
  add({ values, ranks, custom }: SeriesItem): string[] {
    const changed: string[] = [];
    const show = (name: string, value: string | null, rank: Rank) => {
      const key = digest(name, NAME);
      const known = this.#fields.get(key);
      if (known ? rank < rankOf(known.charAt(0)) : this.#fields.size >= MAX_FIELDS) return;
      const shown = value === null ? NONE : digest(value, NONE.length);
      if (shown !== (known?.slice(1) ?? NONE)) changed.push(name);
      this.#fields.set(key, digitOf(rank) + shown);
    };
    for (const [index, name] of ALERT_FIELDS.entries())
      show(name, values[index] ?? null, ranks.own[index] ?? 0);
    for (const [name, rank] of Object.entries(ranks.custom ?? {}))
      show(`custom.${name}`, custom[name] ?? null, rank);
    return changed;
  }

  toString(): string {
    return [...this.#fields].map((entry) => entry.join('')).join('');
  }
}

/** In place of the digest of a value: the field has none. */
const NONE = '--------';

const digest = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, length);
