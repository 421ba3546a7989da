import { Paper } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Job } from '../http/types.ts';
import { Ago } from '../parts/ago.tsx';
import { byteSize, duration } from '../text/quantities.ts';
import styles from './jobs.module.css';

/** When, how often, how much, and under which id. */
export function JobFacts({ job }: { job: Job }) {
  const { id, attempts, progress, createdAt, startedAt, finishedAt } = job;
  const took = startedAt && finishedAt ? (Date.parse(finishedAt) - Date.parse(startedAt)) / 1_000 : null;
  return (
    <Paper withBorder p="md">
      <dl className={styles.facts}>
        <Fact name="Made">{<Ago at={createdAt} />}</Fact>
        <Fact name="Started">{startedAt ? <Ago at={startedAt} /> : 'not yet'}</Fact>
        <Fact name="Ended">{finishedAt ? <Ago at={finishedAt} /> : 'not yet'}</Fact>
        {took !== null && <Fact name="Took">{duration(took)}</Fact>}
        <Fact name="Attempts">{attempts}</Fact>
        {progress.bytesTotal !== null && <Fact name="Upload">{byteSize(progress.bytesTotal)}</Fact>}
        <Fact name="Id">
          <code>{id}</code>
        </Fact>
      </dl>
    </Paper>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);
