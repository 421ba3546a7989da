import { Anchor, Table, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Job } from '../http/types.ts';
import { Ago } from '../parts/values/ago.tsx';
import { StateBadge } from '../parts/values/badge.tsx';
import { countsInWords } from './detail/counts.ts';
import { JobProgress } from './detail/job-progress.tsx';
import { took } from './detail/took.ts';
import styles from './jobs.module.css';
import { jobName } from './names.ts';

/** A job in the list: its progress while it goes on, then what became of it. */
export const JobRow = ({ job }: { job: Job }) => (
  <Table.Tr>
    <Table.Td>
      <Anchor component={Link} href={`/jobs/${job.id}`} fw={600} size="sm">
        {jobName(job)}
      </Anchor>
    </Table.Td>
    <Table.Td>
      <StateBadge state={job.state} />
    </Table.Td>
    <Table.Td className={styles.running}>
      <Result job={job} />
    </Table.Td>
    <Table.Td>
      <Ago at={job.createdAt} />
    </Table.Td>
    <Table.Td>{took(job)}</Table.Td>
  </Table.Tr>
);

function Result({ job }: { job: Job }) {
  if (!job.finishedAt) return <JobProgress job={job} />;
  return (
    <Text size="sm" lineClamp={2}>
      {job.error?.message ?? (job.counts ? countsInWords(job) : '')}
    </Text>
  );
}
