import type { OwnSeverities } from '../../../http/types.ts';
import { isKnownSeverity, SEVERITIES } from './alert-fields.ts';

const fold = (text: string): string => text.trim().toLowerCase();

/** Returns the built-in severity that a word counts as; null if it has no rank. */
export const rankedAs = (ranks: OwnSeverities, word: string): OwnSeverities[number]['as'] | null =>
  ranks.find((one) => fold(one.word) === fold(word))?.as ?? null;

/** Returns whether alerts are sorted by a severity: it is built in, or has a rank. */
export const hasRank = (severity: string, ranks: OwnSeverities = []): boolean =>
  isKnownSeverity(severity) || rankedAs(ranks, severity) !== null;

/** Returns the ranks with a word that counts as another severity, or has no rank any more. */
export function withRank(ranks: OwnSeverities, word: string, as: string | null): OwnSeverities {
  const known = SEVERITIES.find((severity) => severity === as);
  if (!known) return ranks.filter((one) => fold(one.word) !== fold(word));
  if (rankedAs(ranks, word) === null) return [...ranks, { word: word.trim(), as: known }];
  return ranks.map((one) => (fold(one.word) === fold(word) ? { ...one, as: known } : one));
}

/** Returns the words that may have a rank: those that have one, and those of a value map that are not built in. */
export function rankableWords(ranks: OwnSeverities, values: readonly string[]): string[] {
  const words = new Map(ranks.map(({ word }) => [fold(word), word]));
  for (const value of values) {
    const word = value.trim();
    if (word !== '' && !isKnownSeverity(word) && !words.has(fold(word))) words.set(fold(word), word);
  }
  return [...words.values()];
}
