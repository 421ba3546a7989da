import { counted, wholeNumber } from '../../text/quantities.ts';

/** The number of events in one minute. */
export interface Minute {
  /** Start of the minute, ISO 8601. */
  minute: string;
  accepted: number;
  stored: number;
  failed: number;
}

/** Returns one count, summed over all minutes. */
export const sumOf = (minutes: readonly Minute[], name: 'accepted' | 'stored' | 'failed'): number =>
  minutes.reduce((sum, minute) => sum + minute[name], 0);

/** Returns the hour in one sentence, as the chart's accessible name. */
export function describeHour(minutes: readonly Minute[]): string {
  const [accepted, stored, failed] = [
    sumOf(minutes, 'accepted'),
    sumOf(minutes, 'stored'),
    sumOf(minutes, 'failed'),
  ];
  if (accepted + stored + failed === 0) return 'No events in the last hour.';
  const peak = Math.max(...minutes.map((minute) => minute.accepted));
  return (
    `In the last hour: ${counted(accepted, 'event')} accepted, ${wholeNumber(stored)} stored, ` +
    `${wholeNumber(failed)} failed. Peak: ${wholeNumber(peak)} accepted in one minute.`
  );
}
