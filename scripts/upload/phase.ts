import { byteSize, clockTime, wholeNumber } from '../text/quantities.js';
import type { JobView } from './watch-job.js';

/** What is going on, and how far it is. */
export interface Phase {
  name: 'sending' | 'waiting for a worker' | 'reading' | 'writing' | 'checking';
  done: number;
  /** Null when it is not known. */
  total: number | null;
  unit: 'bytes' | 'rows';
}

/** What a job is doing: first it reads the whole file, then it writes the rows (of a dry run: counts them). */
export function phaseOf({ state, progress }: JobView, dryRun: boolean): Phase {
  const { rowsRead, rowsTotal, bytesRead, bytesTotal } = progress;
  if (state === 'queued') return { name: 'waiting for a worker', done: 0, total: null, unit: 'rows' };
  if (rowsTotal !== null) {
    return { name: dryRun ? 'checking' : 'writing', done: rowsRead, total: rowsTotal, unit: 'rows' };
  }
  // Of a .gz the service knows the packed size only, and counts what it has unpacked.
  const total = bytesTotal !== null && bytesRead <= bytesTotal ? bytesTotal : null;
  return { name: 'reading', done: bytesRead, total, unit: 'bytes' };
}

/** `37%`, and the amount, rate and time left as far as they are known. */
export function figuresOf({ done, total, unit }: Phase, perSecond: number | null): string[] {
  const amount = unit === 'bytes' ? byteSize : wholeNumber;
  const suffix = unit === 'rows' ? ' rows' : '';
  const all = total === null ? '' : ` of ${amount(total)}`;
  const rate = perSecond ? [`${amount(perSecond)}${suffix}/s`] : [];
  const left = perSecond && total !== null ? [`${clockTime((total - done) / perSecond)} left`] : [];
  return [`${amount(done)}${all}${suffix}`, ...rate, ...left];
}

/** From 0 to 1; null when it cannot be told. */
export function shareOf({ done, total }: Phase): number | null {
  if (total === null) return null;
  return total === 0 ? 1 : Math.min(1, done / total);
}
