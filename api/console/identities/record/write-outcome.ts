/** What became of a change of one record, in words. */
export interface Outcome {
  text: string;
  /** It is not as was wished, or not yet. */
  isWarning: boolean;
}

const LATER = 'Nothing was changed: an upload that was accepted later says something else of this account.';

/** Of the counts of a change to one record; without counts no worker has got to it yet. */
export function describeWrite(counts: Record<string, number> | undefined, owner: string): Outcome {
  if (!counts) return { text: 'Accepted. It is written as soon as a worker gets to it.', isWarning: true };
  if (counts.superseded) return { text: LATER, isWarning: true };
  if (counts.notFound) return { text: 'It belonged to nobody already.', isWarning: true };
  return { text: wordsOf(counts, owner), isWarning: false };
}

function wordsOf(counts: Record<string, number>, owner: string): string {
  if (counts.removed) return 'Removed. The account belongs to nobody now.';
  if (counts.created) return `Added. The account belongs to ${owner}.`;
  if (counts.updated) return `Changed. The account belongs to ${owner} now.`;
  return `Nothing to change: the account belonged to ${owner} already.`;
}
