import { Anchor, Text, VisuallyHidden } from '@mantine/core';
import { Link } from 'wouter';
import { useMay } from '../../http/use-current-key.ts';
import { historyAddress } from '../../identities/history/use-history.ts';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { Badge } from '../../parts/values/badge.tsx';
import { wholeNumber } from '../../text/quantities.ts';
import styles from './changes.module.css';
import { nameOf } from './outcomes.ts';
import { OwnerChange } from './owner-change.tsx';
import type { Change } from './parse-changes.ts';

const TONES = {
  created: 'good',
  restored: 'good',
  updated: 'info',
  removed: 'bad',
  superseded: 'warn',
  skipped: 'warn',
} as const;

interface ChangeTableProps {
  /** The accessible name. */
  label: string;
  changes: readonly Change[];
  /** Whether the changes have the indexes of JSON records instead of lines. */
  isIndexed: boolean;
}

/** Changes, one row for each account. */
export const ChangeTable = ({ label, changes, isIndexed }: ChangeTableProps) => (
  <DataTable label={label} head={['Outcome', 'Account', 'Owner', isIndexed ? 'Record' : 'Line']}>
    {changes.map((change) => (
      <Table.Tr key={`${change.integrationId} ${change.identity}`}>
        <Table.Td>
          <Badge tone={TONES[change.outcome as keyof typeof TONES]}>{nameOf(change.outcome)}</Badge>
        </Table.Td>
        <Table.Td className={styles.account}>
          <AccountLink {...change} />
          <Text size="xs" c="dimmed">
            account system {change.integrationId}
          </Text>
        </Table.Td>
        <Table.Td className={styles.owner}>
          <OwnerChange {...change} />
        </Table.Td>
        <Table.Td>{placeOf(change, isIndexed)}</Table.Td>
      </Table.Tr>
    ))}
  </DataTable>
);

/** The name of an account, with a link to its history if the key may read it. */
function AccountLink({ integrationId, identity }: Change) {
  const name = <bdi>{identity}</bdi>;
  if (!useMay('developer_records:read')) return name;
  return (
    <Anchor component={Link} href={historyAddress({ integrationId, identity })} inherit>
      {name}
    </Anchor>
  );
}

/** The line, or the number of the record, counted from 1. An account that a mirror removed is in no row. */
const placeOf = ({ place }: Change, isIndexed: boolean) =>
  place === null ? (
    <>
      <span aria-hidden="true">–</span>
      <VisuallyHidden>none</VisuallyHidden>
    </>
  ) : (
    wholeNumber(place + (isIndexed ? 1 : 0))
  );
