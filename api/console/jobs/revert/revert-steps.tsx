import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
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
  const run = useRevert(id);
  const { area, start } = useFocusAndEnd(run);
  return (
    <Stack gap="md" ref={area} tabIndex={-1} role="group" aria-label="Steps of the revert">
      <CurrentStep {...run} start={start} />
    </Stack>
  );
}

type Run = ReturnType<typeof useRevert>;

/**
 * Keeps the focus in the returned area when the button that had it disappears, and announces the end of a dry run that was started
 * or seen running here. The result of an earlier one is not announced each time the page is opened.
 */
function useFocusAndEnd({ dryRun, starting }: Run) {
  const area = useRef<HTMLDivElement>(null);
  const watched = useRef<string | null>(null);
  const end = dryRun?.finishedAt ? summarizeOutcome(dryRun) : null;
  const announcement = end && `${end.title}. ${end.text}`;
  const dryRunId = dryRun?.id;
  useEffect(() => {
    if (dryRunId === undefined) return;
    if (announcement === null) watched.current = dryRunId;
    else if (watched.current === dryRunId) {
      announce(announcement);
      if (document.activeElement === document.body) area.current?.focus();
    }
  }, [announcement, dryRunId]);
  const start = () =>
    starting.mutate(undefined, {
      onSuccess: ({ jobId }) => {
        watched.current = jobId;
        area.current?.focus();
      },
    });
  return { area, start };
}

function CurrentStep({ dryRun, starting, isLoading, error, revert, start }: Run & { start: () => void }) {
  if (isLoading) return <Loading rows={1} />;
  if (dryRun && !dryRun.finishedAt) {
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
        <Button variant={dryRun ? 'default' : 'filled'} loading={starting.isPending} onClick={start}>
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
