/** The severities that Muster knows, most severe first. Others have no rank and no color. */
const SEVERITIES = ['critical', 'error', 'warning', 'info'] as const;

/** By severity, how severe it is. */
const RANKS: ReadonlyMap<string, number> = new Map(
  SEVERITIES.map((severity, place) => [severity, SEVERITIES.length - place]),
);

/** Returns a known severity in its one spelling, in lower case, or null. */
export function knownSeverity(text: string): string | null {
  if (RANKS.has(text)) return text;
  const folded = text.trim().toLowerCase();
  return RANKS.has(folded) ? folded : null;
}

/** Returns how severe a severity is: 4 is critical, 1 is info, and 0 any other. */
export const severityRank = (text: string): number => RANKS.get(text) ?? 0;

/** Returns a severity in its one spelling, if it is known. */
export const spellSeverity = (text: string): string => knownSeverity(text) ?? text;
