import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { requestJson } from '../../http/request.ts';
import type { One, TableUser } from '../../http/types.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { Section } from '../../parts/section.tsx';
import { tableEntry } from '../use-table.ts';

/** The integrations whose mapping reads a table. */
export function Users({ name }: { name: string }) {
  const path = `${tableEntry(name).path}/webhooks`;
  const { data, error, refetch } = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => requestJson<One<TableUser[]>>(path, { signal }),
  });
  return (
    <Section
      title="Integrations"
      about="Those whose mapping reads the table. New events find a new revision at once. Stored alerts stay as they are until the events of an integration are mapped again, on the page of its mapping."
      wide
    >
      {!data && !error && <Loading rows={1} />}
      {error && <Failure error={error} title="Could not load the integrations" retry={refetch} />}
      {data?.data.length === 0 && (
        <Text size="sm" c="dimmed">
          No mapping reads this table yet. Add a lookup to the mapping of an integration.
        </Text>
      )}
      {data && data.data.length > 0 && (
        <DataTable label={`Integrations that read ${name}`} head={['Integration', 'Lookups']}>
          {data.data.map((user) => (
            <Table.Tr key={user.id}>
              <Table.Td>
                <Anchor component={Link} href={`/integrations/${user.id}/mapping`} inherit>
                  <bdi>{user.name}</bdi>
                </Anchor>
              </Table.Td>
              <Table.Td>{user.lookups.join(', ')}</Table.Td>
            </Table.Tr>
          ))}
        </DataTable>
      )}
    </Section>
  );
}
