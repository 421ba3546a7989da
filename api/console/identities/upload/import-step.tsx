import { Anchor, Button, Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Job } from '../../http/types.ts';
import { JobOutcome } from '../../jobs/outcome/job-outcome.tsx';
import { counted } from '../../text/quantities.ts';
import { StepProgress, type StepProps } from './step-progress.tsx';

/** The import itself, once a dry run went well. */
export function ImportStep({ desk, check, job, isBusy }: StepProps & { check: Job | undefined }) {
  const id = desk.jobs.import;
  const ended = job.data?.finishedAt ? job.data : null;
  return (
    <>
      <StepProgress step="import" desk={desk} job={job} />
      {ended && <JobOutcome job={ended} />}
      {id && (
        <Group gap="md">
          <Anchor component={Link} href={`/jobs/${id}`} size="sm">
            The job of this import
          </Anchor>
          {ended && (
            <Anchor component={Link} href="/identities?sortKey=updatedAt&sortOrder=desc" size="sm">
              See the identities
            </Anchor>
          )}
        </Group>
      )}
      {!isBusy && !ended && <Offer desk={desk} check={check} />}
    </>
  );
}

function Offer({ desk, check }: { desk: StepProps['desk']; check: Job | undefined }) {
  if (!check?.state.startsWith('completed')) {
    return (
      <Text size="sm" c="dimmed">
        This can be done once the check went well.
      </Text>
    );
  }
  if (!desk.file) {
    return (
      <Text size="sm">
        The page was loaded anew, and with that forgot the file: choose and check it again to import it.
      </Text>
    );
  }
  return (
    <div>
      <Button onClick={() => desk.send('import')}>
        Import {counted(rowsToImport(check), 'row')} for real
      </Button>
    </div>
  );
}

/** What is left when the refused rows are taken off. */
const rowsToImport = ({ counts }: Job): number => (counts?.total ?? 0) - (counts?.rejected ?? 0);
