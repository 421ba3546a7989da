import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { LookedUp } from '../http/types.ts';
import { useMay } from '../http/use-current-key.ts';
import { PersonLink } from '../identities/person/person-link.tsx';
import { AccountSystemName } from '../identities/systems/account-system-name.tsx';
import { Facts } from '../parts/facts.tsx';
import { DataTable } from '../parts/lists/data-table.tsx';
import { Table } from '../parts/lists/table.tsx';
import { useFirst } from '../parts/lists/use-first.tsx';
import { Section } from '../parts/section.tsx';
import { TableLink } from '../tables/table-link.tsx';
import { tableAddress } from '../tables/use-table.ts';
import { LookedUpKey } from './looked-up-key.tsx';
import styles from './lookups.module.css';
import { NoRow } from './no-row.tsx';

const STEP = 5;

interface LookupsProps {
  /** What was looked up, with the name of the lookup if it is known. */
  lookups: readonly (readonly [name: string | null, found: LookedUp])[];
  about: string;
}

/** What a mapping looked up in tables and identities, and what it found. Nothing if the mapping has no lookups. */
export function Lookups({ lookups, about }: LookupsProps) {
  const { first, more } = useFirst(lookups, STEP);
  if (lookups.length === 0) return null;
  const hasNames = lookups.some(([name]) => name !== null);
  return (
    <Section title="Lookups" about={about} wide>
      <Stack gap="sm">
        <DataTable label="Looked up" head={[...(hasNames ? ['Lookup'] : []), 'From', 'Found']}>
          {first.map(([name, found]) => (
            <Table.Tr key={JSON.stringify([name, found.table, found.integrationId, found.key])}>
              {hasNames && <Table.Td className={styles.place}>{name}</Table.Td>}
              <Table.Td className={styles.place}>
                <Place found={found} />
              </Table.Td>
              <Table.Td className={styles.found}>
                <Found found={found} />
              </Table.Td>
            </Table.Tr>
          ))}
        </DataTable>
        {more}
      </Stack>
    </Section>
  );
}

/** The table with its revision, or the account system. */
const Place = ({ found: { table, integrationId, revision } }: { found: LookedUp }) => (
  <>
    <Text size="sm">
      {table === null ? 'Identities' : revision === null ? table : <TableLink name={table} />}
    </Text>
    <Text size="xs" c="dimmed">
      {integrationId !== null ? (
        <>
          account system <AccountSystemName integrationId={integrationId} />
        </>
      ) : (
        revision !== null && `revision ${revision}`
      )}
    </Text>
  </>
);

function Found({ found }: { found: LookedUp }) {
  const { table, integrationId, key, row } = found;
  if (row === null)
    return (
      <>
        <NoRow found={found} /> <Help found={found} />
      </>
    );
  const columns = Object.entries(row);
  return (
    <>
      {key !== null && (
        <div className={styles.key}>
          {table === null ? 'Account' : 'Key'}{' '}
          <LookedUpKey table={table} integrationId={integrationId} text={key} isFound />
        </div>
      )}
      {columns.length === 0 ? (
        'There is a row. The mapping reads none of its columns.'
      ) : (
        <Facts
          facts={columns.map(([column, text]) => [
            column,
            <Text key={column} size="sm" lineClamp={4}>
              {table === null ? <PersonLink email={text} /> : <Cell text={text} />}
            </Text>,
          ])}
        />
      )}
    </>
  );
}

const Cell = ({ text }: { text: string }) =>
  text === '' ? (
    <Text span c="dimmed" inherit>
      empty
    </Text>
  ) : (
    <bdi>{text}</bdi>
  );

/** A link to what to do about a lookup that found nothing, if the key may do it. */
function Help({ found: { table, reason } }: { found: LookedUp }) {
  const mayRead = useMay('tables:read', 'tables:write');
  const mayWrite = useMay('tables:write');
  if (table === null) return null;
  const link = (href: string, text: string) => (
    <Anchor component={Link} href={href} inherit underline="always">
      {text}
    </Anchor>
  );
  if (reason === 'no_row' && mayRead) return link(tableAddress(table, 'misses'), 'View misses');
  if (reason === 'no_table' && mayWrite) return link(`${tableAddress(table)}/upload`, 'Upload this table');
  return null;
}
