import { Anchor, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import type { Job } from '../../http/types.ts';
import { CancelJob } from '../../jobs/cancel-job.tsx';
import { JobProgress } from '../../jobs/job-progress.tsx';
import { JobFile } from '../../jobs/outcome/job-file.tsx';
import { JobOutcome } from '../../jobs/outcome/job-outcome.tsx';
import { useJob } from '../../jobs/use-job.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { FirstRows } from './first-rows.tsx';

/** The progress of a worklist, then its outcome, its file and its first rows. */
export function WorklistResult({ jobId }: { jobId: string }) {
  const { data: job, error } = useJob(jobId);
  return (
    <Paper withBorder p="md" component="section" aria-label="Result">
      <Title order={2} size="h4" mb="sm">
        Result
      </Title>
      {job ? (
        <Result job={job} />
      ) : error ? (
        <Failure error={error} title="Could not load the worklist" />
      ) : (
        <Loading rows={1} />
      )}
    </Paper>
  );
}

function Result({ job }: { job: Job }) {
  if (!job.finishedAt) {
    return (
      <Stack gap="xs">
        <JobProgress job={job} />
        <div>
          <CancelJob job={job} />
        </div>
      </Stack>
    );
  }
  return (
    <Stack gap="md">
      <JobOutcome job={job} />
      <JobFile job={job} />
      {job.links.file && (
        <>
          <Text size="sm">
            Check each candidate, copy the email of the owner into the first column, delete the rows that you
            leave open, and <UploadLink />.
          </Text>
          <FirstRows path={job.links.file} />
        </>
      )}
    </Stack>
  );
}

const UploadLink = () => (
  <Anchor component={Link} href="/identities/upload" size="sm" underline="always">
    upload the file
  </Anchor>
);
