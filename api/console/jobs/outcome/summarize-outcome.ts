import type { Job } from '../../http/types.ts';
import { counted, wholeNumber } from '../../text/quantities.ts';

interface OutcomeSummary {
  tone: 'good' | 'warn' | 'bad' | 'plain';
  title: string;
  text: string;
}

/** Returns what happened in a finished job and what to do next. */
export function summarizeOutcome(
  job: Pick<Job, 'type' | 'state' | 'dryRun' | 'counts' | 'error'>,
): OutcomeSummary {
  const { state, dryRun, error } = job;
  if (state === 'failed') {
    return { tone: 'bad', title: dryRun ? 'Dry run failed' : 'Failed', text: error?.message ?? '' };
  }
  if (state === 'canceled') {
    const text = dryRun ? 'Nothing was written.' : 'Changes made so far are kept; the rest was skipped.';
    return { tone: 'plain', title: 'Canceled', text };
  }
  return state === 'completed_with_errors' ? summarizeRejections(job) : summarizeSuccess(job);
}

function summarizeRejections({ dryRun, counts }: Pick<Job, 'dryRun' | 'counts'>): OutcomeSummary {
  const rejected = counts?.rejected ?? 0;
  const title = dryRun
    ? `${counted(rejected, 'row')} would be rejected`
    : `Completed with ${counted(rejected, 'rejected row')}`;
  const text = dryRun
    ? 'Nothing was written. The import would write all other rows.'
    : 'All other rows were written. Download the rejected rows, fix them and upload that file.';
  return { tone: 'warn', title, text };
}

function summarizeSuccess({ type, dryRun, counts }: Pick<Job, 'type' | 'dryRun' | 'counts'>): OutcomeSummary {
  if (type === 'identity-revert') return summarizeRevert({ dryRun, counts });
  if (type === 'identity-apply') return summarizeApply({ dryRun, counts });
  if (dryRun) {
    return {
      tone: 'good',
      title: type === 'identity-import' ? 'All rows are valid' : 'Dry run completed',
      text: 'Nothing was written. The counts show what would change.',
    };
  }
  if (type === 'feed-run' && Object.keys(counts ?? {}).length === 0) {
    const text =
      'The file is the one of the last run, or a guard holds the run. The page of the feed says which.';
    return { tone: 'plain', title: 'Nothing was written', text };
  }
  if (counts?.rows !== undefined) {
    return { tone: 'good', title: 'File ready', text: `It contains ${counted(counts.rows, 'row')}.` };
  }
  if (type === 'identity-worklist')
    return { tone: 'good', title: 'Worklist ready', text: describeWorklist(counts) };
  return {
    tone: 'good',
    title: 'Completed',
    text: type === 'identity-import' ? 'All changes were written.' : '',
  };
}

function summarizeRevert({ dryRun, counts }: Pick<Job, 'dryRun' | 'counts'>): OutcomeSummary {
  const { restored = 0, skipped = 0 } = counts ?? {};
  if (restored === 0) {
    const text = 'Later uploads have asserted the accounts, or they were reverted before.';
    return { tone: 'warn', title: 'Nothing to restore', text };
  }
  const verb = dryRun ? 'would be' : restored === 1 ? 'is' : 'are';
  const state = restored === 1 ? 'as it was before' : 'as they were before';
  const are = `${counted(restored, 'account')} ${verb} ${state}.`;
  const were = skipped === 1 ? 'was' : 'were';
  const reason = `that a later upload has asserted, or that ${were} reverted before`;
  const others = skipped > 0 ? ` Skipped: ${counted(skipped, 'account')} ${reason}.` : '';
  const title = dryRun ? 'Dry run of the revert completed' : 'Reverted';
  return { tone: skipped > 0 ? 'warn' : 'good', title, text: `${are}${others}` };
}

function summarizeApply({ dryRun, counts }: Pick<Job, 'dryRun' | 'counts'>): OutcomeSummary {
  const conflicts = counts?.conflicts ?? 0;
  const others = `${counted(conflicts, 'account')} ${conflicts === 1 ? 'has' : 'have'} changed since the dry run`;
  const text = dryRun
    ? 'Nothing was written.'
    : conflicts > 0
      ? 'All other changes were written.'
      : 'All changes were written.';
  const title = dryRun ? 'Dry run completed' : 'Plan applied';
  return conflicts > 0 ? { tone: 'warn', title, text: `${text} ${others}.` } : { tone: 'good', title, text };
}

function describeWorklist(counts: Job['counts']): string {
  const found = counts?.withCandidates ?? 0;
  const open = found + (counts?.withoutCandidates ?? 0);
  if (open === 0) return 'Every account of the list has an owner.';
  const accounts = `${counted(open, 'account')} ${open === 1 ? 'has' : 'have'} no owner`;
  return `${accounts}, and ${wholeNumber(found)} of them ${found === 1 ? 'has' : 'have'} candidates.`;
}
