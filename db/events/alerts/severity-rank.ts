import type { NewAlert } from '../new-event.js';

/** The severities that have a rank of their own, the most severe first. */
export const RANKED_SEVERITIES = ['critical', 'error', 'warning', 'info'] as const;
export type RankedSeverity = (typeof RANKED_SEVERITIES)[number];

/** Below the rank of a severity there is room for the words that mappings rank as that severity. */
const STEP = 100;

const RANKS: ReadonlyMap<string, number> = new Map(
  RANKED_SEVERITIES.map((severity, place) => [severity, (RANKED_SEVERITIES.length - place) * STEP]),
);

/** Returns the rank of an alert's severity as it is stored. 0 without a severity, and for a word without a rank. */
export const rankOf = ({ severity, ownRank }: Pick<NewAlert, 'severity' | 'ownRank'>): number =>
  ownRank ?? (severity === null ? 0 : (RANKS.get(severity.toLowerCase()) ?? 0));

/** Returns the rank that all alerts exceed that are at least so severe. */
export const rankBelow = (severity: RankedSeverity): number => (RANKS.get(severity) ?? 0) - STEP;
