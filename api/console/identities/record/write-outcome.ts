/** The outcome of a change of one identity. */
export interface WriteOutcome {
  text: string;
  /** The change had no effect, or has none yet. */
  isWarning: boolean;
}

/**
 * Returns the outcome as a message.
 *
 * @param counts the counts of the change; undefined if no worker has processed it yet
 */
export function describeWrite(counts: Record<string, number> | undefined, owner: string): WriteOutcome {
  if (!counts) return { text: 'Accepted. A worker will write it shortly.', isWarning: true };
  if (counts.superseded)
    return { text: 'Nothing was changed: a later upload already set this account.', isWarning: true };
  if (counts.notFound) return { text: 'Nothing was changed: the account has no owner.', isWarning: true };
  return { text: describeChange(counts, owner), isWarning: false };
}

function describeChange(counts: Record<string, number>, owner: string): string {
  if (counts.removed) return 'Removed. The account no longer has an owner.';
  if (counts.created) return `Added. The account belongs to ${owner}.`;
  if (counts.updated) return `Changed. The account now belongs to ${owner}.`;
  return `Nothing to change: the account already belongs to ${owner}.`;
}
