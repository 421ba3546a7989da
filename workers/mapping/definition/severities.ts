/** The severities that Muster knows, most severe first. Others have a rank if their mapping gives them one, and no color. */
export const SEVERITIES = ['critical', 'error', 'warning', 'info'] as const;
export type KnownSeverity = (typeof SEVERITIES)[number];

/** Between the ranks of two known severities there is room for the words of a mapping. */
const STEP = 100;

/** By severity, how severe it is. */
const RANKS: ReadonlyMap<string, number> = new Map(
  SEVERITIES.map((severity, place) => [severity, (SEVERITIES.length - place) * STEP]),
);

/** Returns a known severity in its one spelling, in lower case, or null. */
export function knownSeverity(text: string): string | null {
  if (RANKS.has(text)) return text;
  const folded = text.trim().toLowerCase();
  return RANKS.has(folded) ? folded : null;
}

/** Returns how severe a severity is: 400 is critical, 100 is info, and 0 any other. */
export const severityRank = (text: string): number => RANKS.get(text) ?? RANKS.get(text.toLowerCase()) ?? 0;

/**
 * Returns the rank of a word that a mapping ranks as a known severity, after `before` other words that it ranks so: the first word is just as
 * severe, each further one a little less.
 */
export const ownRank = (as: KnownSeverity, before: number): number => severityRank(as) - before;
