import { Anchor, Button, Group } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Identity } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { OnDemand } from '../../parts/feedback/boundary.tsx';
import { Confirm } from '../../parts/feedback/confirm.tsx';
import { lazyPart } from '../../parts/feedback/lazy-part.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { SortHeader } from '../../parts/lists/sort-header.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { Ago } from '../../parts/values/ago.tsx';
import { historyAddress } from '../history/use-history.ts';
import { orderAfterClick, type SortKey } from '../list-state.ts';
import { personAddress } from '../person/person-address.ts';
import { useWriteRecord } from '../record/use-write-record.ts';
import { removeOwner } from '../record/write-record.ts';
import { AccountPageLink } from '../systems/account-page-link.tsx';
import { AccountSystemName } from '../systems/account-system-name.tsx';
import { useListState } from '../use-list-state.ts';
import styles from './list.module.css';

const RecordDialog = lazyPart(() => import('../record/record-dialog.tsx'));

/** The column of each sort key, counted from 0. */
const COLUMNS: Record<SortKey, number> = { email: 0, integrationId: 1, updatedAt: 3 };

/** One page of identities as a table, with actions if the key may write. */
export function IdentityTable({ rows }: { rows: readonly Identity[] }) {
  const { state } = useListState();
  const mayWrite = useMay('developer_records:write');
  const [edited, setEdited] = useState<Identity | null>(null);
  const head = [
    <Header key="email" sortKey="email">
      Email
    </Header>,
    <Header key="integrationId" sortKey="integrationId">
      Account system
    </Header>,
    'Identity',
    <Header key="updatedAt" sortKey="updatedAt">
      Updated
    </Header>,
    ...(mayWrite ? ['Actions'] : []),
  ];
  const order = state.sortOrder === 'asc' ? 'ascending' : 'descending';
  return (
    <>
      <DataTable label="Identities" head={head} sorted={{ column: COLUMNS[state.sortKey], order }}>
        {rows.map((row) => (
          <Table.Tr key={`${row.integrationId} ${row.identity}`}>
            <Table.Td>
              <Anchor component={Link} href={personAddress(row.email)} inherit title="View this person">
                {row.email}
              </Anchor>
            </Table.Td>
            <Table.Td>
              <AccountSystemName integrationId={row.integrationId} isLink />
            </Table.Td>
            <Table.Td className={styles.identity}>
              <Anchor
                component={Link}
                href={historyAddress(row)}
                inherit
                title="View the history of this account"
              >
                {row.identity}
              </Anchor>
              <AccountPageLink {...row} />
            </Table.Td>
            <Table.Td>
              <Ago at={row.updatedAt} />
            </Table.Td>
            {mayWrite && (
              <Table.Td className={styles.actions}>
                <Actions row={row} onEdit={() => setEdited(row)} />
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </DataTable>
      <OnDemand>
        {edited && (
          <RecordDialog
            record={{ ...edited, integrationId: String(edited.integrationId) }}
            onClose={() => setEdited(null)}
          />
        )}
      </OnDemand>
    </>
  );
}

function Actions({ row, onEdit }: { row: Identity; onEdit: () => void }) {
  const write = useWriteRecord();
  return (
    <Group gap="xs" wrap="nowrap" justify="flex-end">
      <Button
        variant="default"
        size="compact-sm"
        fw={500}
        onClick={onEdit}
        aria-label={`Change owner of ${row.identity}`}
      >
        Change
      </Button>
      <Confirm
        label="Remove"
        size="compact-sm"
        fw={500}
        aria-label={`Remove ${row.identity}`}
        title="Remove this identity?"
        onConfirm={() => write(row, (key) => removeOwner(row, key))}
      >
        The account <b>{row.identity}</b> of account system{' '}
        <AccountSystemName integrationId={row.integrationId} /> belongs to <b>{row.email}</b> and will no
        longer have an owner. You can add it again.
      </Confirm>
    </Group>
  );
}

/** A column header that sorts the list of identities. */
function Header({ sortKey, children }: { sortKey: SortKey; children: string }) {
  const { state, change } = useListState();
  return (
    <SortHeader
      order={state.sortKey === sortKey ? state.sortOrder : null}
      onClick={() => change({ sortKey, sortOrder: orderAfterClick(state, sortKey) })}
    >
      {children}
    </SortHeader>
  );
}
