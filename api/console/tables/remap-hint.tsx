import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Job } from '../http/types.ts';
import { counted } from '../text/quantities.ts';
import { TableLink } from './table-link.tsx';
import { tableAddress } from './use-table.ts';
import { useTableUsers } from './use-table-users.ts';

/** After an upload that changed a table: how many integrations read it, and the way to the remap of their alerts. Otherwise nothing. */
export function RemapHint({ job: { links } }: { job: Job }) {
  const [, , , table] = links.webhooks?.split('/') ?? [];
  return table === undefined ? null : <Hint table={table} />;
}

function Hint({ table }: { table: string }) {
  const { data = [] } = useTableUsers(table);
  if (data.length === 0) return null;
  return (
    <Text size="sm">
      {counted(data.length, 'integration')} {data.length === 1 ? 'reads' : 'read'} the table{' '}
      <TableLink name={table} />. Stored alerts stay as they are until their events are mapped again:{' '}
      <Anchor component={Link} href={tableAddress(table, 'integrations')} inherit underline="always">
        check which would change
      </Anchor>
      .
    </Text>
  );
}
