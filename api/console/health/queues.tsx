import { Table, Text, Title } from '@mantine/core';
import type { Health } from '../http/types.ts';
import { DataTable } from '../parts/lists/data-table.tsx';
import { Ago } from '../parts/values/ago.tsx';
import { wholeNumber } from '../text/quantities.ts';
import styles from './health.module.css';
import { inOrder, QUEUES } from './words.ts';

/** How much lies in each queue, and since when. */
export const Queues = ({ queues }: Pick<Health, 'queues'>) => (
  <section aria-labelledby="queues">
    <Title order={2} size="h4" mb="xs" id="queues">
      Queues
    </Title>
    <DataTable label="Queues" head={['Queue', 'Waiting', 'Active', 'Delayed', 'Next was added']}>
      {inOrder(queues).map(({ queue, waiting, active, delayed, oldestAt }) => (
        <Table.Tr key={queue}>
          <Table.Td className={styles.queue}>
            <Text size="sm" fw={600}>
              {queue}
            </Text>
            <Text size="xs" c="dimmed">
              {QUEUES[queue]}
            </Text>
          </Table.Td>
          <Table.Td className={styles.count}>{wholeNumber(waiting)}</Table.Td>
          <Table.Td className={styles.count}>{wholeNumber(active)}</Table.Td>
          <Table.Td className={styles.count}>{wholeNumber(delayed)}</Table.Td>
          <Table.Td>{oldestAt ? <Ago at={oldestAt} /> : 'none waits'}</Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  </section>
);
