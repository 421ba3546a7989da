import { Stack } from '@mantine/core';
import { useParams } from 'wouter';
import { StateBadge } from '../parts/badge.tsx';
import { Failure } from '../parts/failure.tsx';
import { Loading } from '../parts/loading.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { WayBack } from '../parts/way-back.tsx';
import { CancelJob } from './cancel-job.tsx';
import { JobFacts } from './job-facts.tsx';
import { JobFile } from './job-file.tsx';
import { JobOutcome } from './job-outcome.tsx';
import { JobProgress } from './job-progress.tsx';
import { jobName } from './names.ts';
import { RetryJob } from './retry-job.tsx';
import { useJob } from './use-job.ts';

/** One job: how far it is, or what became of it. */
export default function JobDetail() {
  const { id } = useParams() as { id: string };
  const { data: job, isPending, error, refetch } = useJob(id);
  if (isPending) return <Loading />;
  if (!job) return <Failure error={error} title="The job could not be read" retry={refetch} />;
  return (
    <>
      <PageHead
        title={jobName(job)}
        above={<WayBack href="/jobs">Jobs</WayBack>}
        beside={<StateBadge state={job.state} />}
        actions={
          <>
            <CancelJob job={job} />
            <RetryJob job={job} />
          </>
        }
      />
      <Stack gap="lg">
        {error && <Failure error={error} title="The job could not be read anew" />}
        {job.finishedAt ? <JobOutcome job={job} /> : <JobProgress job={job} />}
        <JobFile job={job} />
        <JobFacts job={job} />
      </Stack>
    </>
  );
}
