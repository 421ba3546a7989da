import type { Job } from '../../http/types.ts';
import { counted } from '../../text/quantities.ts';

interface OutcomeSummary {
  tone: 'good' | 'warn' | 'bad' | 'plain';
  title: string;
  text: string;
}

/** What became of a job that has ended, and what to do now. */
export function summarizeOutcome(
  job: Pick<Job, 'type' | 'state' | 'dryRun' | 'counts' | 'error'>,
): OutcomeSummary {
  const { state, error } = job;
  if (state === 'failed') {
    return {
      tone: 'bad',
      title: job.dryRun ? 'This could not be imported' : 'Failed',
      text: error?.message ?? '',
    };
  }
  if (state === 'canceled') {
    const text = job.dryRun
      ? 'Nothing was written.'
      : 'What was written before stays; the rest never starts.';
    return { tone: 'plain', title: 'Canceled', text };
  }
  return state === 'completed_with_errors' ? withErrors(job) : well(job);
}

function withErrors({ dryRun, counts }: Pick<Job, 'dryRun' | 'counts'>): OutcomeSummary {
  const refused = counts?.rejected ?? 0;
  const rows = counted(refused, 'row');
  const title = dryRun
    ? `${rows} would be refused`
    : `Done; ${rows} ${refused === 1 ? 'was' : 'were'} refused`;
  const text = dryRun
    ? 'Nothing was written by this dry run. The others would be written as told here.'
    : 'The others were written. Download the refused rows, correct them and upload that file as it is.';
  return { tone: 'warn', title, text };
}

function well({ type, dryRun, counts }: Pick<Job, 'type' | 'dryRun' | 'counts'>): OutcomeSummary {
  if (dryRun) {
    return {
      tone: 'good',
      title: type === 'alert-remap' ? 'The dry run is done' : 'All rows are right',
      text: 'Nothing was written by this dry run: it tells what would be done.',
    };
  }
  if (counts?.rows !== undefined) {
    return { tone: 'good', title: 'The file is ready', text: `It has ${counted(counts.rows, 'row')}.` };
  }
  return { tone: 'good', title: 'Done', text: type === 'identity-import' ? 'Everything was written.' : '' };
}
