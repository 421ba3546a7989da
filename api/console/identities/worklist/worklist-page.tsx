import { Paper, Stack, Title } from '@mantine/core';
import { summarizeOutcome } from '../../jobs/outcome/summarize-outcome.ts';
import { useJob } from '../../jobs/use-job.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { useAnnounceEnd } from '../../parts/feedback/announce.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { AccountsForm } from './accounts-form.tsx';
import { useWorklist } from './use-worklist.ts';
import { WorklistResult } from './worklist-result.tsx';

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
