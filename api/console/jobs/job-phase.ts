import type { Job } from '../http/types.ts';
import { byteSize, counted, wholeNumber } from '../text/quantities.ts';

interface Phase {
  name: string;
  /** The completed share, from 0 to 1; null if unknown. */
  share: number | null;
  /** `12.3 MB of 40.0 MB`, `12,000 of 100,000 rows`; empty while the job is queued. */
  amount: string;
}

/** Returns what an unfinished job is doing. An import validates the whole file first, then writes its rows. */
export function currentPhase({
  type,
  state,
  dryRun,
  progress,
}: Pick<Job, 'type' | 'state' | 'dryRun' | 'progress'>): Phase {
  if (state === 'queued') return { name: 'Waiting for a worker', share: null, amount: '' };
  const { rowsRead, rowsTotal, bytesRead, bytesTotal } = progress;
  if ((type === 'identity-import' || type === 'table-upload') && rowsTotal === null)
    return validating(bytesRead, bytesTotal);
  if (type === 'identity-worklist' && rowsRead === 0)
    return { name: 'Reading the list', share: null, amount: '' };
  const unit = UNITS[type] ?? 'row';
  const amount =
    rowsTotal === null ? counted(rowsRead, unit) : `${wholeNumber(rowsRead)} of ${counted(rowsTotal, unit)}`;
  return { name: phaseName(type, dryRun), share: shareOf(rowsRead, rowsTotal), amount };
}

const UNITS: Readonly<Record<string, string>> = {
  'alert-remap': 'event',
  'alert-refold': 'deduplication key',
  'alert-resolve': 'alert',
  'message-replay': 'message',
};

/**
 * The share is unknown for a .gz file: progress counts uncompressed bytes, and only the compressed size is known.
 */
function validating(read: number, total: number | null): Phase {
  const known = total !== null && read <= total ? total : null;
  const amount = known === null ? byteSize(read) : `${byteSize(read)} of ${byteSize(known)}`;
  return { name: 'Step 1 of 2: validating the file', share: shareOf(read, known), amount };
}

function phaseName(type: string, dryRun: boolean): string {
  if (type === 'identity-import') {
    return dryRun ? 'Step 2 of 2: comparing with stored identities' : 'Step 2 of 2: writing rows';
  }
  if (type === 'identity-revert') return dryRun ? 'Comparing with stored identities' : 'Restoring owners';
  if (type === 'identity-apply') return 'Writing the planned changes';
  if (type === 'alert-resolve') return dryRun ? 'Counting the alerts' : 'Resolving alerts';
  if (type === 'message-replay') return dryRun ? 'Counting the messages' : 'Sending messages again';
  if (type === 'alert-refold') return 'Comparing alerts with their events';
  if (type === 'alert-remap') return dryRun ? 'Testing the mapping' : 'Remapping events';
  if (type === 'identity-worklist') return 'Comparing with stored identities';
  if (type === 'table-upload') return 'Step 2 of 2: writing rows';
  return 'Writing the file';
}

/** At most 0.99: the job still has work to do after its last row. */
const shareOf = (done: number, total: number | null): number | null =>
  total === null ? null : Math.min(0.99, total === 0 ? 0 : done / total);
