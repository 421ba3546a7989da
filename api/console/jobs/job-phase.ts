import type { Job } from '../http/types.ts';
import { byteSize, counted, wholeNumber } from '../text/quantities.ts';

interface Phase {
  /** What is going on. */
  name: string;
  /** From 0 to 1; null when it cannot be told. */
  share: number | null;
  /** `12.3 MB of 40.0 MB`, `12,000 of 100,000 rows`; empty while nothing is to be told. */
  amount: string;
}

/** What a job that has not ended is doing. An import first reads the whole file, then writes its rows. */
export function currentPhase({
  type,
  state,
  dryRun,
  progress,
}: Pick<Job, 'type' | 'state' | 'dryRun' | 'progress'>): Phase {
  if (state === 'queued') return { name: 'Waiting for a worker', share: null, amount: '' };
  const { rowsRead, rowsTotal, bytesRead, bytesTotal } = progress;
  if (type === 'identity-import' && rowsTotal === null) return reading(bytesRead, bytesTotal);
  const unit = type === 'alert-remap' ? 'event' : 'row';
  const amount =
    rowsTotal === null ? counted(rowsRead, unit) : `${wholeNumber(rowsRead)} of ${counted(rowsTotal, unit)}`;
  return { name: working(type, dryRun), share: shareOf(rowsRead, rowsTotal), amount };
}

/** Of a .gz only the packed size is known, and what was unpacked is counted. */
function reading(read: number, total: number | null): Phase {
  const known = total !== null && read <= total ? total : null;
  const amount = known === null ? byteSize(read) : `${byteSize(read)} of ${byteSize(known)}`;
  return { name: 'Step 1 of 2: reading the file', share: shareOf(read, known), amount };
}

function working(type: string, dryRun: boolean): string {
  if (type === 'identity-import') {
    return dryRun ? 'Step 2 of 2: comparing with what is stored' : 'Step 2 of 2: writing';
  }
  if (type === 'alert-remap') return dryRun ? 'Trying the mapping' : 'Mapping again';
  return 'Writing the file';
}

/** Never 1 while it goes on: what is left then is not told by rows. */
const shareOf = (done: number, total: number | null): number | null =>
  total === null ? null : Math.min(0.99, total === 0 ? 0 : done / total);
