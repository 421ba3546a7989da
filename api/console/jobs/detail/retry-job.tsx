import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { Job } from '../../http/types.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
import { useJobAction, useMayChange } from '../use-job-action.ts';

/** A button that retries a failed job from its last committed chunk. */
export function RetryJob({ job }: { job: Job }) {
  const { retry } = useJobAction(job.id);
  const retrying = useMutation({ mutationFn: retry });
  if (!useMayChange(job.type) || job.state !== 'failed') return null;
  return (
    <>
      {retrying.isError && <Failure error={retrying.error} title="Could not retry the job" />}
      <Button
        leftSection={<IconRefresh size={16} />}
        variant="default"
        loading={retrying.isPending}
        onClick={() => retrying.mutate()}
        title="Continues where the job stopped, with the same file"
      >
        Retry job
      </Button>
    </>
  );
}
