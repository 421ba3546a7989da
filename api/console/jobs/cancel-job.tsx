import type { Job } from '../http/types.ts';
import { Confirm } from '../parts/feedback/confirm.tsx';
import { useJobAction, useMayChange } from './use-job-action.ts';

/** Stops a job that has not ended. */
export function CancelJob({ job }: { job: Job }) {
  const { cancel } = useJobAction(job.id);
  if (!useMayChange(job.type) || job.finishedAt) return null;
  return (
    <Confirm label="Stop the job" title="Stop this job?" size="sm" onConfirm={cancel}>
      {job.type.endsWith('import') && !job.dryRun
        ? 'What it has written so far stays written; the rest is never started. To undo that, upload what was there before.'
        : 'Nothing is changed by that; it can be started anew at any time.'}
    </Confirm>
  );
}
