import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { readFirstRows } from '../../jobs/outcome/read-first-rows.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { parseWorklist, type WorklistRow } from './parse-worklist.ts';
import styles from './worklist.module.css';

const HEAD = ['Account', 'Best candidate', 'Score', 'Reason', 'Others'];

/** The first rows of a worklist, as a look at what the file contains. */
export function FirstRows({ path }: { path: string }) {
  const first = useQuery({
    queryKey: ['worklist', path],
    queryFn: ({ signal }) => readFirstRows(path, parseWorklist, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (first.error)
    return <Failure error={first.error} title="Could not load the first rows" retry={first.refetch} />;
  if (!first.data) return <Loading rows={3} />;
  if (first.data.length === 0) return null;
  return (
    <DataTable label="First rows" head={HEAD}>
      {first.data.map((row) => (
        <Row key={row.identity} row={row} />
      ))}
    </DataTable>
  );
}

function Row({ row: { identity, displayName, candidates } }: { row: WorklistRow }) {
  const [best, ...others] = candidates;
  return (
    <Table.Tr>
      <Table.Td className={styles.account}>
        {identity}
        {displayName && (
          <Text size="xs" c="dimmed">
            {displayName}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{best ? best.email : <Text size="sm">none</Text>}</Table.Td>
      <Table.Td>{best?.score}</Table.Td>
      <Table.Td className={styles.reason}>{best?.reason}</Table.Td>
      <Table.Td>
        {others.map(({ email, score, reason }) => (
          <Text key={email} size="xs" title={reason}>
            {email} ({score})
          </Text>
        ))}
      </Table.Td>
    </Table.Tr>
  );
}
