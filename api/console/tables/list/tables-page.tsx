import { Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { LookupTable } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { OnDemand } from '../../parts/feedback/boundary.tsx';
import { Empty } from '../../parts/feedback/empty.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { lazyPart } from '../../parts/feedback/lazy-part.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { LinkRow, RowLink } from '../../parts/lists/link-row.tsx';
import { More } from '../../parts/lists/more.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { usePages } from '../../parts/lists/use-pages.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Ago } from '../../parts/values/ago.tsx';
import { wholeNumber } from '../../text/quantities.ts';
import { MATCHINGS } from '../matchings.ts';
import { TABLES, tableAddress } from '../use-table.ts';

const NewTableDialog = lazyPart(() => import('./new-table-dialog.tsx'));

/** The list of all lookup tables, by name. */
export default function TablesPage() {
  const may = useMay('tables:write');
  const [isOpen, setOpen] = useState(false);
  const tables = usePages<LookupTable>(TABLES, {});
  const add = may && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen(true)}>
      New table
    </Button>
  );
  const isEmpty = tables.data !== undefined && tables.rows.length === 0;
  return (
    <>
      <PageHead title="Tables" actions={!isEmpty && add}>
        Lookup tables, such as a service catalog. Mappings take fields of alerts from their rows.
      </PageHead>
      {tables.isPending && <Loading shape="table" />}
      {tables.error && (
        <Failure error={tables.error} title="Could not load the tables" retry={tables.refetch} />
      )}
      {isEmpty && (
        <Empty title="No tables yet" action={add}>
          Upload a CSV file with a key column, such as the name of a service, and what is known about each,
          such as its team. A dry run shows what an upload would change before it writes anything.
          {!may && ' This key cannot upload tables.'}
        </Empty>
      )}
      {tables.rows.length > 0 && (
        <DataTable label="Tables" head={['Name', 'Rows', 'Key', 'Keys match', 'Revision', 'Updated']}>
          {tables.rows.map((table) => (
            <Row key={table.name} table={table} />
          ))}
        </DataTable>
      )}
      <More {...tables} />
      <OnDemand>{isOpen && <NewTableDialog onClose={() => setOpen(false)} />}</OnDemand>
    </>
  );
}

const Row = ({ table }: { table: LookupTable }) => (
  <LinkRow>
    <Table.Td>
      <RowLink href={tableAddress(table.name)} fw={600}>
        {table.name}
      </RowLink>
    </Table.Td>
    <Table.Td>{wholeNumber(table.rowCount)}</Table.Td>
    <Table.Td>
      <Text size="sm" lineClamp={1}>
        <bdi>{table.keyColumns.join(', ')}</bdi>
      </Text>
    </Table.Td>
    <Table.Td>{MATCHINGS[table.matching].label}</Table.Td>
    <Table.Td>{wholeNumber(table.revision)}</Table.Td>
    <Table.Td>
      <Ago at={table.updatedAt} />
    </Table.Td>
  </LinkRow>
);
