import { Code, Stack, Text } from '@mantine/core';
import type { Event } from '../../http/types.ts';
import { Table } from '../../parts/lists/table.tsx';
import { describeItem } from '../filter-reason.ts';

/** What the filter of the mapping dropped: the clause that was false, and the values that it read. */
export const EventFilter = ({ filter }: { filter: NonNullable<Event['filter']> }) => (
  <Stack gap="xs" mb="sm">
    <Text size="sm">{describeItem(filter) ?? 'This clause of the filter is false:'}</Text>
    <Code block tabIndex={0} aria-label="False clause">
      {filter.clause}
    </Code>
    {filter.values.length > 0 && (
      <Table aria-label="Values that the clause read">
        <Table.Tbody>
          {filter.values.map(({ path, value }) => (
            <Table.Tr key={path}>
              <Table.Th scope="row">
                <code>{path}</code>
              </Table.Th>
              <Table.Td>{value === null ? <i>missing</i> : <bdi>{value}</bdi>}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    )}
  </Stack>
);
