import { Stack, Text } from '@mantine/core';
import type { Job } from '../../http/types.ts';
import { Section } from '../../parts/section.tsx';
import { useMayChange } from '../use-job-action.ts';
import { type RevertState, revertState } from './revert-state.ts';
import { RevertSteps } from './revert-steps.tsx';
import { Reverts } from './reverts.tsx';

const IMPOSSIBLE: Partial<Record<RevertState, string>> = {
  running: 'Available once the job has ended.',
  expired:
    'No longer possible: the changes have expired. A job can be reverted for 7 days after it has ended.',
  unrecorded: 'Not possible: the changes of this job were not recorded. A worker runs with IMPORT_CHANGES=0.',
};

/** Takes back what a job has changed, after a dry run. Renders nothing if the job has changed nothing. */
export function RevertSection({ job }: { job: Job }) {
  const mayRevert = useMayChange(job.type);
  const state = revertState(job, Date.now());
  if (state === 'none') return null;
  const impossible = mayRevert ? IMPOSSIBLE[state] : NO_SCOPE;
  return (
    <Section
      wide
      title="Revert"
      about="Makes each account that this job has changed as it was before, unless a later upload has asserted the account since."
    >
      <Stack gap="md">
        {job.finishedAt && <Reverts id={job.id} />}
        {impossible ? <Text size="sm">{impossible}</Text> : <RevertSteps id={job.id} />}
      </Stack>
    </Section>
  );
}

const NO_SCOPE =
  'This key cannot revert jobs. Sign in with a key that has the developer_records:write scope, or ask an administrator for one.';
