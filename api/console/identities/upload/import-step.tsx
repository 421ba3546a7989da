import { Anchor, Button, Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Job } from '../../http/types.ts';
import { JobOutcome } from '../../jobs/outcome/job-outcome.tsx';
import { counted } from '../../text/quantities.ts';
import { StepProgress, type StepProps } from './step-progress.tsx';

/** The import, available after a successful dry run. */
export function ImportStep({ upload, dryRun, job, isBusy }: StepProps & { dryRun: Job | undefined }) {
  const id = upload.jobs.import;
  const finished = job.data?.finishedAt ? job.data : null;
  return (
    <>
      <StepProgress step="import" upload={upload} job={job} />
      {finished && <JobOutcome job={finished} />}
      {id && (
        <Group gap="md">
          <Anchor component={Link} href={`/jobs/${id}`} size="sm">
            View import job
          </Anchor>
          {finished && (
            <Anchor component={Link} href="/identities?sortKey=updatedAt&sortOrder=desc" size="sm">
              View identities
            </Anchor>
          )}
        </Group>
      )}
      {!isBusy && !finished && <ImportButton upload={upload} dryRun={dryRun} />}
    </>
  );
}

function ImportButton({ upload, dryRun }: { upload: StepProps['upload']; dryRun: Job | undefined }) {
  if (!dryRun?.state.startsWith('completed')) {
    return (
      <Text size="sm" c="dimmed">
        Available after a successful dry run.
      </Text>
    );
  }
  if (!upload.file) {
    return (
      <Text size="sm">
        The page was reloaded and no longer has the file. Choose the file and repeat the dry run to import it.
      </Text>
    );
  }
  return (
    <div>
      <Button onClick={() => upload.send('import')}>Import {counted(rowsToImport(dryRun), 'row')}</Button>
    </div>
  );
}

/** Returns the number of rows without the rejected ones. */
const rowsToImport = ({ counts }: Job): number => (counts?.total ?? 0) - (counts?.rejected ?? 0);
