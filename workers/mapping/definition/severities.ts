/** The severities that Muster knows, most severe first. Others have no rank and no color. */
const SEVERITIES = ['critical', 'error', 'warning', 'info'] as const;

const KNOWN: ReadonlySet<string> = new Set(SEVERITIES);

/** Returns a known severity in its one spelling, in lower case, or null. */
export function knownSeverity(text: string): string | null {
  if (KNOWN.has(text)) return text;
  const folded = text.trim().toLowerCase();
  return KNOWN.has(folded) ? folded : null;
}

/** Returns a severity in its one spelling, if it is known. */
export const spellSeverity = (text: string): string => knownSeverity(text) ?? text;
