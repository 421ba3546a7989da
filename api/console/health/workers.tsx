import { Text, Title } from '@mantine/core';
import type { Health } from '../http/types.ts';
import { DataTable } from '../parts/lists/data-table.tsx';
import { Table } from '../parts/lists/table.tsx';
import { Ago } from '../parts/values/ago.tsx';
import { Badge } from '../parts/values/badge.tsx';

/** The workers that reported within the last 6 seconds. */
export const Workers = ({ workers }: Pick<Health, 'workers'>) => (
  <section>
    <Title order={2} size="h4" mb="xs">
      Workers
    </Title>
    {workers.length === 0 ? (
      <Text size="sm">No worker has reported in the last 6 seconds.</Text>
    ) : (
      <DataTable label="Workers" head={['Worker', 'State', 'Last seen']}>
        {workers.map(({ id, lastSeenAt, held }) => (
          <Table.Tr key={id}>
            <Table.Td>
              <code>{id}</code>
            </Table.Td>
            <Table.Td>
              <Badge tone={held ? 'bad' : 'good'}>{held ? 'takes no jobs' : 'takes jobs'}</Badge>
            </Table.Td>
            <Table.Td>
              <Ago at={lastSeenAt} />
            </Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
    )}
  </section>
);
