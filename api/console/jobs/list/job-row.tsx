import { Text } from '@mantine/core';
import type { Job } from '../../http/types.ts';
import { LinkRow, RowLink } from '../../parts/lists/link-row.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { Ago } from '../../parts/values/ago.tsx';
import { StateBadge } from '../../parts/values/badge.tsx';
import { Message } from '../../parts/values/message.tsx';
import { describeCounts } from '../job-counts.ts';
import { jobDuration } from '../job-duration.ts';
import { jobName } from '../job-names.ts';
import { JobProgress } from '../job-progress.tsx';
import styles from './list.module.css';

/** One row of the job list: the progress of an unfinished job, otherwise its result. */
export const JobRow = ({ job }: { job: Job }) => (
  <LinkRow>
    <Table.Td>
      <RowLink href={`/jobs/${job.id}`} fw={600}>
        {jobName(job)}
      </RowLink>
      {job.fileName && (
        <Text size="xs" c="dimmed" className={styles.file}>
          <bdi>{job.fileName}</bdi>
        </Text>
      )}
    </Table.Td>
    <Table.Td>
      <StateBadge state={job.state} />
    </Table.Td>
    <Table.Td className={styles.result}>
      <Result job={job} />
    </Table.Td>
    <Table.Td>
      <Ago at={job.createdAt} />
    </Table.Td>
    <Table.Td>{jobDuration(job)}</Table.Td>
  </LinkRow>
);

function Result({ job }: { job: Job }) {
  if (!job.finishedAt) return <JobProgress job={job} />;
  return (
    <Text size="sm" lineClamp={2}>
      <Message text={job.error?.message ?? (job.counts ? describeCounts(job) : '')} />
    </Text>
  );
}
