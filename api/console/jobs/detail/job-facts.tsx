import { Paper } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Job } from '../../http/types.ts';
import { Facts } from '../../parts/facts.tsx';
import { Ago } from '../../parts/values/ago.tsx';
import { byteSize } from '../../text/quantities.ts';
import { jobDuration } from '../job-duration.ts';

/** When, how often, how much, and under which id. */
export function JobFacts({ job }: { job: Job }) {
  const { id, attempts, progress, createdAt, startedAt, finishedAt } = job;
  const facts: (readonly [string, ReactNode])[] = [
    ['Made', <Ago key="made" at={createdAt} />],
    ['Started', startedAt ? <Ago key="started" at={startedAt} /> : 'not yet'],
    ['Ended', finishedAt ? <Ago key="ended" at={finishedAt} /> : 'not yet'],
    ['Took', jobDuration(job)],
    ['Attempts', attempts],
    ['Upload', progress.bytesTotal === null ? '' : byteSize(progress.bytesTotal)],
    ['Id', <code key="id">{id}</code>],
  ];
  return (
    <Paper withBorder p="md">
      <Facts facts={facts.filter(([, value]) => value !== '')} />
    </Paper>
  );
}
