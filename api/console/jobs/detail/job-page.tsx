import { Anchor, Stack } from '@mantine/core';
import { Link, useParams } from 'wouter';
import { RequestFailure } from '../../http/request-failure.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { NotFound } from '../../parts/feedback/not-found.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { StateBadge } from '../../parts/values/badge.tsx';
import { CancelJob } from '../cancel-job.tsx';
import { ChangesDiff } from '../changes/changes-diff.tsx';
import { jobName } from '../job-names.ts';
import { JobProgress } from '../job-progress.tsx';
import { JobFile } from '../outcome/job-file.tsx';
import { JobOutcome } from '../outcome/job-outcome.tsx';
import { RevertSection } from '../revert/revert-section.tsx';
import { useJob } from '../use-job.ts';
import { DryRunNote } from './dry-run-note.tsx';
import { JobFacts } from './job-facts.tsx';
import { PlaceOfJob } from './place-of-job.tsx';
import { RetryJob } from './retry-job.tsx';

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
        {job.fileName && <bdi>{job.fileName}</bdi>}
      </PageHead>
      <Stack gap="lg" key={job.id}>
        {error && <Failure error={error} title="Could not refresh the job" />}
        {job.finishedAt ? <JobOutcome job={job} /> : <JobProgress job={job} />}
        <DryRunNote job={job} />
        <JobFile job={job} />
        {job.finishedAt && <ChangesDiff job={job} />}
        <RevertSection job={job} />
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
