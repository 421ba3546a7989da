import { Text, Title } from '@mantine/core';
import type { Health } from '../http/types.ts';
import { DataTable } from '../parts/lists/data-table.tsx';
import { Table } from '../parts/lists/table.tsx';
import { Ago } from '../parts/values/ago.tsx';
import { wholeNumber } from '../text/quantities.ts';
import styles from './health.module.css';
import { QUEUE_DESCRIPTIONS, sortQueues } from './queue-descriptions.ts';

/** The number of jobs in each queue, and the age of the oldest waiting job. */
export const Queues = ({ queues }: Pick<Health, 'queues'>) => (
  <section>
    <Title order={2} size="h4" mb="xs">
      Queues
    </Title>
    <DataTable label="Queues" head={['Queue', 'Waiting', 'Active', 'Delayed', 'Oldest job']}>
      {sortQueues(queues).map(({ queue, waiting, active, delayed, oldestAt }) => (
        <Table.Tr key={queue}>
          <Table.Td className={styles.queue}>
            <Text size="sm" fw={600} component="div">
              {queue}
            </Text>
            <Text size="xs" c="dimmed" component="div">
              {QUEUE_DESCRIPTIONS[queue]}
            </Text>
          </Table.Td>
          <Table.Td className={styles.count}>{wholeNumber(waiting)}</Table.Td>
          <Table.Td className={styles.count}>{wholeNumber(active)}</Table.Td>
          <Table.Td className={styles.count}>{wholeNumber(delayed)}</Table.Td>
          <Table.Td>{oldestAt ? <Ago at={oldestAt} /> : 'None'}</Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  </section>
);
