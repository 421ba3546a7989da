import { Button, Text } from '@mantine/core';
import type { Job } from '../../http/types.ts';
import { JobOutcome } from '../../jobs/outcome/job-outcome.tsx';
import { StepProgress, type StepProps } from './step-progress.tsx';

/** The dry run: what the file would change, or its errors. */
export function DryRunStep({ upload, job, isBusy }: StepProps) {
  const finished = job.data?.finishedAt ? job.data : null;
  return (
    <>
      <StepProgress step="dryRun" upload={upload} job={job} />
      {finished && <JobOutcome job={finished} />}
      {finished?.state === 'failed' && <NextStep job={finished} />}
      {!isBusy && <DryRunButton upload={upload} isRepeated={finished !== null} />}
    </>
  );
}

function DryRunButton({ upload, isRepeated }: { upload: StepProps['upload']; isRepeated: boolean }) {
  if (!upload.file) {
    return (
      <Text size="sm" c="dimmed">
        {isRepeated ? 'To repeat the dry run, choose the file again.' : 'Choose a file first.'}
      </Text>
    );
  }
  return (
    <div>
      <Button variant={isRepeated ? 'default' : 'filled'} onClick={() => upload.send('dryRun')}>
        {isRepeated ? 'Repeat dry run' : 'Start dry run'}
      </Button>
    </div>
  );
}

const NextStep = ({ job }: { job: Job }) => (
  <Text size="sm">
    {job.error?.code === 'invalid_rows'
      ? 'Fix these rows and choose the file again. Or select “Import all other rows” above and repeat the dry run.'
      : 'Fix the file and choose it again.'}
  </Text>
);
