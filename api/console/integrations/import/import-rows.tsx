import { Text } from '@mantine/core';
import { Link } from 'wouter';
import type { WebhookImport } from '../../http/types.ts';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { Badge } from '../../parts/values/badge.tsx';

type Row = WebhookImport['rows'][number];

const HEAD = ['Name', 'Type', 'Template', 'Token', 'Result'];
const PRODUCTS = { opsgenie: 'Opsgenie', 'grafana-oncall': 'Grafana OnCall' };

interface ImportRowsProps {
  rows: readonly Row[];
  /** Whether the plan was carried out. */
  isDone: boolean;
}

/** What an import does, or has done, with each integration of the other product. */
export const ImportRows = ({ rows, isDone }: ImportRowsProps) => (
  <DataTable label={isDone ? 'Imported integrations' : 'Plan'} head={HEAD}>
    {rows.map((row) => (
      <Table.Tr key={row.row}>
        <Table.Td>
          <Name row={row} isDone={isDone} />
        </Table.Td>
        <Table.Td>
          {PRODUCTS[row.product]} {row.type}
        </Table.Td>
        <Table.Td>{row.template ?? 'None'}</Table.Td>
        <Table.Td>{row.token ? 'In the file' : 'Not in the file'}</Table.Td>
        <Table.Td>
          <Result row={row} isDone={isDone} />
        </Table.Td>
      </Table.Tr>
    ))}
  </DataTable>
);

function Name({ row: { row, name, webhookId, action }, isDone }: { row: Row; isDone: boolean }) {
  const text = name || `Row ${row}`;
  if (webhookId === null || (action === 'create' && !isDone)) return text;
  return <Link href={`/integrations/${webhookId}`}>{text}</Link>;
}

const ACTIONS = {
  create: ['To be created', 'Created', 'good'],
  add_token: ['Token to be added', 'Token added', 'good'],
  none: ['Unchanged', 'Unchanged', 'plain'],
  skip: ['Skipped', 'Skipped', 'plain'],
  reject: ['Rejected', 'Rejected', 'bad'],
} as const;

function Result({ row: { action, reason, errors }, isDone }: { row: Row; isDone: boolean }) {
  const [planned, done, tone] = ACTIONS[action];
  return (
    <>
      <Badge tone={tone}>{isDone ? done : planned}</Badge>
      {reason && (
        <Text size="sm" c="dimmed">
          {reason}
        </Text>
      )}
      {errors.map(({ field, message }) => (
        <Text key={field} size="sm">
          <code>{field}</code> {message}
        </Text>
      ))}
    </>
  );
}
