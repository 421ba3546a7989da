import { Anchor, Button, Paper, Stack } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { Link, useParams } from 'wouter';
import { Told } from '../../destinations/messages/told.tsx';
import { RequestFailure } from '../../http/request-failure.ts';
import type { Job } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { Facts } from '../../parts/facts.tsx';
import { OnDemand } from '../../parts/feedback/boundary.tsx';
import { NotFound } from '../../parts/feedback/empty.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { lazyPart } from '../../parts/feedback/lazy-part.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { PlaceInList } from '../../parts/lists/place-in-list.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Ago } from '../../parts/values/ago.tsx';
import { StateBadge } from '../../parts/values/badge.tsx';
import { RemapHint } from '../../tables/remap-hint.tsx';
import { byteSize } from '../../text/quantities.ts';
import { ApplySection } from '../apply/apply-section.tsx';
import { CancelJob } from '../cancel-job.tsx';
import { ChangesDiff } from '../changes/changes-diff.tsx';
import { jobDuration } from '../job-duration.ts';
import { jobName } from '../job-names.ts';
import { JobProgress } from '../job-progress.tsx';
import { useJobFilters } from '../list/use-job-filters.ts';
import { JobFile } from '../outcome/job-file.tsx';
import { JobOutcome } from '../outcome/job-outcome.tsx';
import { RevertSection } from '../revert/revert-section.tsx';
import { useJob } from '../use-job.ts';
import { useJobAction, useMayChange } from '../use-job-action.ts';
import { DryRunNote } from './dry-run-note.tsx';

const WorklistActions = lazyPart(() => import('../../identities/worklist/worklist-actions.tsx'));

/** The page of one job: its progress, or its outcome. */
export default function JobPage() {
  const { id } = useParams() as { id: string };
  const { data: job, isPending, error, refetch } = useJob(id);
  if (isPending) return <Loading shape="details" />;
  if (error instanceof RequestFailure && error.status === 404) return <NotFound />;
  if (!job) return <Failure error={error} title="Could not load the job" retry={refetch} />;
  return (
    <>
      <PageHead
        title={jobName(job)}
        above={<PlaceOfJob id={id} />}
        aside={<StateBadge state={job.state} />}
        actions={
          <>
            <CancelJob job={job} />
            <RetryJob job={job} />
          </>
        }
      >
        {job.revertOf && <RevertOf id={job.revertOf} />}
        {job.applyOf && <ApplyOf id={job.applyOf} />}
        {job.fileName && <bdi>{job.fileName}</bdi>}
      </PageHead>
      <Stack gap="lg" key={job.id}>
        {error && <Failure error={error} title="Could not refresh the job" />}
        {job.finishedAt ? <JobOutcome job={job} /> : <JobProgress job={job} />}
        <DryRunNote job={job} />
        <RemapHint job={job} />
        <JobFile job={job} />
        <OnDemand>
          {job.type === 'identity-worklist' && job.finishedAt && <WorklistActions job={job} />}
        </OnDemand>
        {job.finishedAt && <ChangesDiff job={job} />}
        <ApplySection job={job} />
        <RevertSection job={job} />
        <Callback job={job} />
        <JobFacts job={job} />
      </Stack>
    </>
  );
}

const RevertOf = ({ id }: { id: string }) => (
  <>
    Takes back what{' '}
    <Anchor component={Link} href={`/jobs/${id}`} inherit underline="always">
      another job
    </Anchor>{' '}
    has changed.
  </>
);

const ApplyOf = ({ id }: { id: string }) => (
  <>
    Writes what{' '}
    <Anchor component={Link} href={`/jobs/${id}`} inherit underline="always">
      a dry run
    </Anchor>{' '}
    has planned.
  </>
);

/** What became of the messages to the destination that the request of the job named. */
function Callback({ job: { id, callback } }: { job: Job }) {
  const mayRead = useMay('destinations:read', 'destinations:write');
  // An API of an earlier release has none.
  if (!callback || !mayRead) return null;
  return (
    <Told
      path={`/v2/jobs/${id}/messages`}
      of="job"
      about="The destination that the request named is told when the job ends."
      none="Not yet."
    />
  );
}

/** The times, attempts, upload size and id of a job. */
function JobFacts({ job }: { job: Job }) {
  const { id, type, attempts, progress, createdAt, startedAt, finishedAt, uploadLink } = job;
  const facts: (readonly [string, ReactNode])[] = [
    ['Created', <Ago key="created" at={createdAt} />],
    ['Started', startedAt ? <Ago key="started" at={startedAt} /> : 'Not yet'],
    ['Finished', finishedAt ? <Ago key="finished" at={finishedAt} /> : 'Not yet'],
    ['Duration', jobDuration(job)],
    ['Attempts', attempts],
    [
      'Upload size',
      progress.bytesTotal === null || ['identity-revert', 'identity-apply'].includes(type)
        ? ''
        : byteSize(progress.bytesTotal),
    ],
    [
      'Upload link',
      uploadLink ? (
        <Fragment key="link">
          <bdi>{uploadLink.name}</bdi>, made by {uploadLink.apiKey.name ?? uploadLink.apiKey.id}
        </Fragment>
      ) : (
        ''
      ),
    ],
    ['Job ID', <code key="id">{id}</code>],
  ];
  return (
    <Paper withBorder p="md">
      <Facts facts={facts.filter(([, value]) => value !== '')} />
    </Paper>
  );
}

/** The way back to the job list, and to the jobs before and after. */
const PlaceOfJob = ({ id }: { id: string }) => (
  <PlaceInList id={id} list="/jobs" name="Jobs" one="job" path="/v2/jobs" query={useJobFilters().query} />
);

/** A button that retries a failed job from its last committed chunk. */
function RetryJob({ job }: { job: Job }) {
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
