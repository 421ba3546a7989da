import type { Receipt } from '../http/types.ts';

type Outcome = Receipt['outcomes'][number];

const WORDS = { opened: 'opened', updated: 'updated', resolved: 'resolved' } as const;
const LIST = new Intl.ListFormat('en', { type: 'conjunction' });

/** Describes what an event did to an alert, such as `Opened and resolved this alert`. Null if it did nothing to an alert with a key. */
export function describeOutcomes(outcomes: readonly Outcome[], alertId: string): string | null {
  const words = new Set(
    outcomes.flatMap((one) =>
      one.alertId === alertId && one.outcome in WORDS ? [WORDS[one.outcome as keyof typeof WORDS]] : [],
    ),
  );
  if (words.size === 0) return null;
  const text = LIST.format(words);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)} this alert`;
}

/** Returns the keys of the items with an outcome that changes no alert, each once. */
export const keysWith = (outcomes: readonly Outcome[], wanted: Outcome['outcome']): string[] => [
  ...new Set(
    outcomes.flatMap(({ outcome, dedupKey }) => (outcome === wanted && dedupKey !== null ? [dedupKey] : [])),
  ),
];
