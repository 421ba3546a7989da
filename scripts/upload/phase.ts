import { byteSize, wholeNumber } from '../../workers/text/quantities.js';
import type { JobView } from './watch-job.js';

/** The current phase of an upload and its progress. */
export interface Phase {
  name: 'sending' | 'waiting for a worker' | 'reading' | 'writing' | 'checking';
  done: number;
  /** Null if unknown. */
  total: number | null;
  unit: 'bytes' | 'rows';
}

/** Returns the phase of a job: it first reads the whole file, then writes the rows, or counts them in a dry run. */
export function phaseOf({ state, progress }: JobView, dryRun: boolean): Phase {
  const { rowsRead, rowsTotal, bytesRead, bytesTotal } = progress;
  if (state === 'queued') return { name: 'waiting for a worker', done: 0, total: null, unit: 'rows' };
  if (rowsTotal !== null) {
    return { name: dryRun ? 'checking' : 'writing', done: rowsRead, total: rowsTotal, unit: 'rows' };
  }
  // For a .gz the service knows only the compressed size, and counts uncompressed bytes.
  const total = bytesTotal !== null && bytesRead <= bytesTotal ? bytesTotal : null;
  return { name: 'reading', done: bytesRead, total, unit: 'bytes' };
}

/** Returns the amount, the rate and the remaining time, as far as they are known. */
export function figuresOf({ done, total, unit }: Phase, perSecond: number | null): string[] {
  const amount = unit === 'bytes' ? byteSize : wholeNumber;
  const suffix = unit === 'rows' ? ' rows' : '';
  const all = total === null ? '' : ` of ${amount(total)}`;
  const rate = perSecond ? [`${amount(perSecond)}${suffix}/s`] : [];
  const left = perSecond && total !== null ? [`${clockTime((total - done) / perSecond)} left`] : [];
  return [`${amount(done)}${all}${suffix}`, ...rate, ...left];
}

/** Returns the completed share from 0 to 1, or null if it is unknown. */
export function shareOf({ done, total }: Phase): number | null {
  if (total === null) return null;
  return total === 0 ? 1 : Math.min(1, done / total);
}

/** Returns a duration as a clock shows it: `0:42`, `12:05`, `1:02:03`. */
export function clockTime(seconds: number): string {
  const whole = Math.ceil(seconds);
  const two = (number: number) => String(number).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
