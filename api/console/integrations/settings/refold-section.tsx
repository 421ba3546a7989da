import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { requestJson } from '../../http/request.ts';
import type { Accepted, Job } from '../../http/types.ts';
import { useSendOnce } from '../../http/use-send-once.ts';
import { JobProgress } from '../../jobs/job-progress.tsx';
import { JobFile } from '../../jobs/outcome/job-file.tsx';
import { JobOutcome } from '../../jobs/outcome/job-outcome.tsx';
import { useJob } from '../../jobs/use-job.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
import { ProgressBar } from '../../parts/feedback/progress-bar.tsx';
import { Section } from '../../parts/section.tsx';
import { counted } from '../../text/quantities.ts';
import type { TabProps } from '../webhook/tab-props.ts';

/** Brings the stored alerts of the integration to the rules of this release, after a dry run. */
export function RefoldSection({ webhook }: TabProps) {
  const once = useSendOnce();
  const start = useMutation({
    mutationFn: (dryRun: boolean): Promise<Accepted> =>
      once(dryRun, (key) =>
        requestJson('/v2/alerts/refold', {
          method: 'POST',
          headers: { prefer: 'respond-async', 'idempotency-key': key },
          json: { webhookId: webhook.id, dryRun },
        }),
      ),
  });
  const { data: job, error } = useJob(start.data?.jobId ?? null);
  const failure = start.error ?? (job ? null : error);
  const isRunning = start.isPending || (start.isSuccess && !failure && !job?.finishedAt);
  return (
    <Section
      title="Stored alerts"
      about="Alerts that an earlier release stored show what its rules gave. This brings them to the rules of this release, from what is stored of their events. A dry run lists each change first."
    >
      <Stack>
        {failure && <Failure error={failure} title="Could not refold the alerts" />}
        {isRunning &&
          (job ? <JobProgress job={job} /> : <ProgressBar label="Waiting for a worker" share={null} />)}
        {job?.finishedAt && (
          <>
            <JobOutcome job={job} />
            <JobFile job={job} />
          </>
        )}
        {!isRunning && (
          <Group>
            <Button variant="default" onClick={() => start.mutate(true)}>
              Start dry run
            </Button>
            {changesOf(job) > 0 && (
              <Button onClick={() => start.mutate(false)}>Refold {counted(changesOf(job), 'alert')}</Button>
            )}
          </Group>
        )}
      </Stack>
    </Section>
  );
}

/** Returns how many alerts a dry run found to change. */
function changesOf(job: Job | undefined): number {
  if (!job?.dryRun || job.state !== 'completed') return 0;
  const { changed = 0, added = 0, removed = 0 } = job.counts ?? {};
  return changed + added + removed;
}
