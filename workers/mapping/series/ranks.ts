import { ALERT_FIELDS } from '../definition/schema.js';

/**
 * How a field of an item got its value: 2 from the payload, 1 its default, 0 not at all. A field of rank 0 may have text: that of its
 * template, with missing tags left empty. An update only fills what is missing, so its fields have 0.5 from the payload and -1 otherwise.
 *
 * Of items with the same rank the newest provides the text, except for 1.5, where it is the oldest. That is the rank of a field with a value or default
 * where an alert keeps the texts that it was opened with.
 */
export type Rank = -1 | 0 | 0.5 | 1 | 1.5 | 2;

/** The rank of a text that only one with rank 2 replaces. */
export const OPENING: Rank = 1.5;

/** Returns whether a text replaces another one. `isNewer`: whether its item is newer than that of the other. */
export const replaces = (rank: number, other: number, isNewer: boolean): boolean =>
  rank > other || (rank === other && isNewer !== (rank === OPENING));

/** A rank as the text of {@link Ranks} has it. */
export const digitOf = (rank: Rank): string => DIGITS.get(rank) ?? '';

const DIGITS: ReadonlyMap<Rank, string> = new Map([
  [-1, '-'],
  [0, '0'],
  [0.5, 'u'],
  [1, '1'],
  [OPENING, 'o'],
  [2, '2'],
]);
const RANKS: ReadonlyMap<string, Rank> = new Map([...DIGITS].map(([rank, digit]) => [digit, rank]));

/** Returns the rank that a character of the text of {@link Ranks} stands for. */
export const rankOf = (digit: string): Rank => RANKS.get(digit) ?? 0;

/** The ranks of an item's fields. */
export interface Ranks {
  /** As they are stored: one character for each of the alert's own fields, then JSON of the custom ones. Missing characters count as 0. */
  readonly text: string;
  /** In the order of `ALERT_FIELDS`. */
  readonly own: readonly Rank[];
  /** Of custom fields by name, without those that have neither text nor an error. Null if there are none. */
  readonly custom: Readonly<Record<string, Rank>> | null;
  /** Whether one of them is {@link OPENING}. */
  readonly keepsFirst: boolean;
}

/** Ranks by their text. A mapping has only a few combinations. */
const known = new Map<string, Ranks>();
const MAX_KNOWN = 1_000;

/** Returns ranks by the text that is stored. The same text gives the same object, until there are too many. */
export function readRanks(text: string): Ranks {
  const found = known.get(text);
  if (found) return found;
  const end = text.indexOf('{');
  const own = [...(end < 0 ? text : text.slice(0, end)).padEnd(ALERT_FIELDS.length, '0')].map(rankOf);
  const custom: Ranks['custom'] = end < 0 ? null : JSON.parse(text.slice(end));
  const keepsFirst = own.includes(OPENING) || Object.values(custom ?? {}).includes(OPENING);
  const ranks: Ranks = { text, own, custom, keepsFirst };
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(text, ranks);
  return ranks;
}

/**
 * Returns the ranks that an item has when it resolves its alert: it says how the problem ended, not what it was. So it replaces no text, and
 * only adds custom fields that no other item has.
 */
export function resolvedRanks(ranks: Ranks): Ranks {
  const found = resolved.get(ranks);
  if (found) return found;
  const custom = Object.entries(ranks.custom ?? {}).map(
    ([name, rank]) => `${JSON.stringify(name)}:${rank >= OPENING ? 0.5 : -1}`,
  );
  const weakened = ranksOf(digitOf(-1).repeat(ranks.own.length), custom.join());
  resolved.set(ranks, weakened);
  return weakened;
}

const resolved = new WeakMap<Ranks, Ranks>();

/** Returns ranks from their parts. `own` has one character for each field, `custom` the members of a JSON object. */
export const ranksOf = (own: string, custom: string): Ranks =>
  readRanks(custom === '' ? own : `${own}{${custom}}`);

/** Returns whether an item with the first ranks replaces all texts of an older one with the second ones. */
export function replacesAll(ranks: Ranks, others: Ranks): boolean {
  if (ranks === others && !ranks.keepsFirst) return true;
  for (let field = 0; field < others.own.length; field++)
    if (!replaces(ranks.own[field] ?? 0, others.own[field] ?? 0, true)) return false;
  for (const name in others.custom)
    if (!replaces(ranks.custom?.[name] ?? -1, others.custom[name] ?? -1, true)) return false;
  return true;
}
