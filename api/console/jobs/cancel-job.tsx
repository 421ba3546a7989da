import type { Job } from '../http/types.ts';
import { Confirm } from '../parts/feedback/confirm.tsx';
import { useJobAction, useMayChange } from './use-job-action.ts';

/** A button that stops an unfinished job. Renders nothing for a finished one, or if the key may not stop it. */
export function CancelJob({ job }: { job: Job }) {
  const { cancel } = useJobAction(job.id);
  if (!useMayChange(job.type) || job.finishedAt) return null;
  return (
    <Confirm label="Stop job" title="Stop this job?" size="sm" onConfirm={cancel}>
      {job.type.endsWith('import') && !job.dryRun
        ? 'Rows written so far stay written; the remaining rows are skipped. You can revert the job then.'
        : 'You can start it again at any time.'}
    </Confirm>
  );
}
