import { Anchor, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import type { Job } from '../../http/types.ts';
import { CancelJob } from '../../jobs/cancel-job.tsx';
import { JobProgress } from '../../jobs/job-progress.tsx';
import { JobFile } from '../../jobs/outcome/job-file.tsx';
import { JobOutcome } from '../../jobs/outcome/job-outcome.tsx';
import { summarizeOutcome } from '../../jobs/outcome/summarize-outcome.ts';
import { useJob } from '../../jobs/use-job.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { useAnnounceEnd } from '../../parts/feedback/announce.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { AccountsForm } from './accounts-form.tsx';
import { FirstRows } from './first-rows.tsx';
import { useWorklist } from './use-worklist.ts';
import WorklistActions from './worklist-actions.tsx';

/** The worklist page: choose the accounts of an account system, and get candidates for their owners. */
export default function WorklistPage() {
  const worklist = useWorklist();
  const { data: job } = useJob(worklist.jobId);
  const ended = job?.finishedAt ? summarizeOutcome(job) : null;
  useAnnounceEnd(worklist.jobId, job && ended && `${ended.title}. ${ended.text}`);
  return (
    <>
      <PageHead title="Worklist" above={<BackLink href="/identities/coverage">Coverage</BackLink>}>
        Upload the accounts of an account system. Accounts that have no owner get up to five candidates, each
        with the reason. Nothing is written: you decide, fill in the emails and upload the file.
      </PageHead>
      <Stack gap="md">
        <Paper withBorder p="md" component="section" aria-label="Accounts">
          <Title order={2} size="h4" mb="sm">
            Accounts
          </Title>
          <AccountsForm worklist={worklist} />
        </Paper>
        {worklist.jobId && <WorklistResult jobId={worklist.jobId} />}
      </Stack>
    </>
  );
}

/** The progress of a worklist, then its outcome, its file and its first rows. */
function WorklistResult({ jobId }: { jobId: string }) {
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
          <WorklistActions job={job} />
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
