import type { MappingError } from './mapping-error.js';
import type { OwnSeverities } from './schema.js';
import { knownSeverity, ownRank } from './severities.js';
import { foldValue } from './value-map.js';

/** A severity of a mapping: its spelling, and how severe it is. */
export interface OwnSeverity {
  word: string;
  rank: number;
}

/** Compiles the ranked words of a mapping, by their folded text. Adds an error for each that has a rank already. */
export function compileRanks(
  at: string,
  ranks: OwnSeverities,
  errors: MappingError[],
): ReadonlyMap<string, OwnSeverity> {
  const words = new Map<string, OwnSeverity>();
  const counts = new Map<string, number>();
  for (const [index, { word, as }] of ranks.entries()) {
    const key = foldValue(word);
    const field = `${at}.${index}.word`;
    if (knownSeverity(word) !== null) {
      const message = `"${word}" is a built-in severity, which has a rank of its own`;
      errors.push({ field, code: 'invalid_mapping', message });
    }
    if (words.has(key)) {
      const message = `"${word}" is listed more than once; case and surrounding spaces do not count`;
      errors.push({ field, code: 'repeated_value', message });
    }
    const before = counts.get(as) ?? 0;
    counts.set(as, before + 1);
    words.set(key, { word: word.trim(), rank: ownRank(as, before) });
  }
  return words;
}
