import { Button, Text } from '@mantine/core';
import type { Job } from '../../http/types.ts';
import { JobOutcome } from '../../jobs/outcome/job-outcome.tsx';
import { StepProgress, type StepProps } from './step-progress.tsx';

/** The dry run: what the file would do, or what is not right in it. */
export function DryRunStep({ desk, job, isBusy }: StepProps) {
  const ended = job.data?.finishedAt ? job.data : null;
  return (
    <>
      <StepProgress step="check" desk={desk} job={job} />
      {ended && <JobOutcome job={ended} />}
      {ended?.state === 'failed' && <WhatNow job={ended} />}
      {!isBusy && <CheckButton desk={desk} isAgain={ended !== null} />}
    </>
  );
}

function CheckButton({ desk, isAgain }: { desk: StepProps['desk']; isAgain: boolean }) {
  if (!desk.file) {
    return (
      <Text size="sm" c="dimmed">
        {isAgain ? 'To check it again, choose the file again.' : 'Choose a file first.'}
      </Text>
    );
  }
  return (
    <div>
      <Button variant={isAgain ? 'default' : 'filled'} onClick={() => desk.send('check')}>
        {isAgain ? 'Check again' : 'Check the file'}
      </Button>
    </div>
  );
}

/** A check that failed is the file's fault, if its rows are named; else it can be tried again as it is. */
const WhatNow = ({ job }: { job: Job }) => (
  <Text size="sm">
    {job.error?.code === 'invalid_rows'
      ? 'Correct these lines and choose the file again. Or choose “import the others” above, and check again.'
      : 'Correct the file and choose it again.'}
  </Text>
);
