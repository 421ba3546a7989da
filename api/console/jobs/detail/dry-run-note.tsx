import { Anchor, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Job } from '../../http/types.ts';
import { sentFileOf } from '../../identities/upload/sent-file.ts';
import { DRY_RUN } from '../revert/use-revert.ts';

/** Says that a dry run of an upload, a removal or a revert has written nothing, and what to do next. */
export function DryRunNote({ job }: { job: Job }) {
  if (!job.dryRun || !job.finishedAt || !job.type.startsWith('identity-')) return null;
  return (
    <Text size="sm">
      <b>This was a dry run: nothing was written.</b> <NextStep job={job} />
    </Text>
  );
}

function NextStep({ job: { id, type, state, revertOf } }: { job: Job }) {
  const sent = sentFileOf(useQueryClient(), id);
  if (!state.startsWith('completed')) return null;
  if (type === 'identity-revert') {
    return (
      <>
        To take the changes back,{' '}
        <Anchor component={Link} href={`/jobs/${revertOf}?${DRY_RUN}=${id}`} inherit underline="always">
          continue on the page of the job
        </Anchor>
        .
      </>
    );
  }
  if (sent) {
    return (
      <>
        To make these changes,{' '}
        <Anchor component={Link} href={sent.address} inherit underline="always">
          continue to the import
        </Anchor>
        , or apply the plan below.
      </>
    );
  }
  return <>To make these changes, apply the plan below.</>;
}
