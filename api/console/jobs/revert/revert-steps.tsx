import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import type { Job } from '../../http/types.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { Confirm } from '../../parts/feedback/confirm.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { counted } from '../../text/quantities.ts';
import { CancelJob } from '../cancel-job.tsx';
import { ChangesDiff } from '../changes/changes-diff.tsx';
import { JobProgress } from '../job-progress.tsx';
import { JobOutcome } from '../outcome/job-outcome.tsx';
import { summarizeOutcome } from '../outcome/summarize-outcome.ts';
import { useRevert } from './use-revert.ts';

/** The dry run of a revert, then its counts and changes, then the button that starts the revert. */
export function RevertSteps({ id }: { id: string }) {
  const { dryRun, starting, isLoading, error, revert } = useRevert(id);
  const ended = dryRun?.finishedAt ? summarizeOutcome(dryRun) : null;
  const announcement = ended && `${ended.title}. ${ended.text}`;
  useEffect(() => {
    if (announcement) announce(announcement);
  }, [announcement]);
  if (isLoading) return <Loading rows={1} />;
  if (dryRun && !ended) {
    return (
      <Stack gap="xs">
        <JobProgress job={dryRun} />
        <div>
          <CancelJob job={dryRun} />
        </div>
      </Stack>
    );
  }
  return (
    <>
      {error && <Failure error={error} title="Could not load the dry run" />}
      {dryRun && <JobOutcome job={dryRun} />}
      {dryRun && <ChangesDiff job={dryRun} />}
      {starting.isError && <Failure error={starting.error} title="Could not start the dry run" />}
      <Group gap="sm">
        <Button
          variant={dryRun ? 'default' : 'filled'}
          loading={starting.isPending}
          onClick={() => starting.mutate()}
        >
          {dryRun ? 'Repeat dry run' : 'Start dry run of the revert'}
        </Button>
        {dryRun?.state === 'completed' && <RevertButton dryRun={dryRun} revert={revert} />}
      </Group>
    </>
  );
}

function RevertButton({ dryRun, revert }: { dryRun: Job; revert: () => Promise<unknown> }) {
  const { restored = 0, skipped = 0 } = dryRun.counts ?? {};
  if (restored === 0) return null;
  const accounts = counted(restored, 'account');
  return (
    <Confirm
      label={`Revert ${accounts}`}
      title={`Revert ${accounts}?`}
      size="sm"
      variant="filled"
      color="red"
      onConfirm={revert}
    >
      <Stack gap="xs">
        <Text size="sm">
          {accounts} {restored === 1 ? 'gets its' : 'get their'} previous owner again, or none if there was
          none.
        </Text>
        {skipped > 0 && (
          <Text size="sm">
            {counted(skipped, 'account')} {skipped === 1 ? 'is' : 'are'} skipped.
          </Text>
        )}
        <Text size="sm">
          These are the numbers of the dry run. Accounts that are uploaded in the meantime are skipped too.
          You can revert the revert.
        </Text>
      </Stack>
    </Confirm>
  );
}
