import type { Job } from '../http/types.ts';
import { counted, wholeNumber } from '../text/quantities.ts';

interface Result {
  tone: 'good' | 'warn' | 'bad';
  title: string;
  text: string;
}

/** Returns in words what a file would do or has done. */
export function describeResult({ state, dryRun, counts, error }: Job): Result {
  if (state === 'failed')
    return {
      tone: 'bad',
      title: dryRun ? 'This file cannot be uploaded' : 'The file was not uploaded',
      text: error?.message ?? '',
    };
  if (state === 'canceled')
    return {
      tone: 'warn',
      title: 'Stopped',
      text: 'Somebody has stopped it. Rows written so far stay written.',
    };
  const { total = 0, created = 0, updated = 0, unchanged = 0, superseded = 0, rejected = 0 } = counts ?? {};
  const parts = [
    `${wholeNumber(created)} added`,
    `${wholeNumber(updated)} changed`,
    unchanged > 0 && `${wholeNumber(unchanged)} as before`,
    superseded > 0 && `${wholeNumber(superseded)} overtaken by a later upload`,
    `${wholeNumber(rejected)} rejected`,
  ].filter(Boolean);
  const list = `${parts.join(', ')}.`;
  const tone = rejected > 0 ? 'warn' : 'good';
  if (dryRun) {
    const title =
      rejected === total
        ? 'Every row would be rejected'
        : rejected > 0
          ? `${counted(rejected, 'row')} would be rejected`
          : 'All rows are valid';
    return { tone, title, text: `Nothing is written yet. An upload would do this: ${list}` };
  }
  return {
    tone,
    title: rejected > 0 ? `Uploaded, with ${counted(rejected, 'rejected row')}` : 'Uploaded',
    text: rejected > 0 ? `${list} Download the rejected rows, correct them, and upload them again.` : list,
  };
}
