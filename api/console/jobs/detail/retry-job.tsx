import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { Job } from '../../http/types.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
import { useJobAction, useMayChange } from '../use-job-action.ts';

/** Has a failed job carry on from where it stopped. */
export function RetryJob({ job }: { job: Job }) {
  const { retry } = useJobAction(job.id);
  const trying = useMutation({ mutationFn: retry });
  if (!useMayChange(job.type) || job.state !== 'failed') return null;
  return (
    <>
      {trying.isError && <Failure error={trying.error} title="It could not be tried again" />}
      <Button
        leftSection={<IconRefresh size={16} />}
        variant="default"
        loading={trying.isPending}
        onClick={() => trying.mutate()}
        title="Carries on from where it stopped, with the very same file"
      >
        Try again
      </Button>
    </>
  );
}
