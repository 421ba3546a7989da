import { Paper } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Job } from '../../http/types.ts';
import { Facts } from '../../parts/facts.tsx';
import { Ago } from '../../parts/values/ago.tsx';
import { byteSize } from '../../text/quantities.ts';
import { jobDuration } from '../job-duration.ts';

/** The times, attempts, upload size and id of a job. */
export function JobFacts({ job }: { job: Job }) {
  const { id, type, attempts, progress, createdAt, startedAt, finishedAt } = job;
  const facts: (readonly [string, ReactNode])[] = [
    ['Created', <Ago key="created" at={createdAt} />],
    ['Started', startedAt ? <Ago key="started" at={startedAt} /> : 'Not yet'],
    ['Finished', finishedAt ? <Ago key="finished" at={finishedAt} /> : 'Not yet'],
    ['Duration', jobDuration(job)],
    ['Attempts', attempts],
    [
      'Upload size',
      progress.bytesTotal === null || type === 'identity-revert' ? '' : byteSize(progress.bytesTotal),
    ],
    ['Job ID', <code key="id">{id}</code>],
  ];
  return (
    <Paper withBorder p="md">
      <Facts facts={facts.filter(([, value]) => value !== '')} />
    </Paper>
  );
}
