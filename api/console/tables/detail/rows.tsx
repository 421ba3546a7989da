import { Button, Group, Text, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { useSearchParams } from 'wouter';
import type { LookupRow, LookupTable } from '../../http/types.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { More } from '../../parts/lists/more.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { usePages } from '../../parts/lists/use-pages.ts';
import { Section } from '../../parts/section.tsx';
import { tableEntry } from '../use-table.ts';
import styles from './detail.module.css';

const PAGE_SIZE = 20;

/** The rows of a table in the order of the upload, or the one that a key finds. The address has the key. */
export function Rows({ table }: { table: LookupTable }) {
  const { name, columns, keyColumns } = table;
  const [search, setSearch] = useSearchParams();
  const key = search.getAll('key');
  const isSearched = key.length === keyColumns.length;
  const rows = usePages<LookupRow>(`${tableEntry(name).path}/rows`, {
    key: isSearched ? key : undefined,
    pageSize: PAGE_SIZE,
  });
  const find = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget).getAll('key').map(String);
    setSearch(given.every((value) => value === '') ? [] : given.map((value) => ['key', value]));
  };
  return (
    <Section title="Rows" about="A key finds the row that a lookup with this value would find." wide>
      <form onSubmit={find} key={key.join('\n')}>
        <Group align="flex-end" gap="sm" mb="md">
          {keyColumns.map((column, place) => (
            <TextInput
              key={column}
              name="key"
              label={column}
              defaultValue={isSearched ? key[place] : ''}
              autoComplete="off"
              spellCheck={false}
            />
          ))}
          <Button type="submit" variant="default">
            Find row
          </Button>
          {isSearched && (
            <Button variant="subtle" onClick={() => setSearch([])}>
              Show all rows
            </Button>
          )}
        </Group>
      </form>
      {rows.isPending && <Loading shape="table" />}
      {rows.error && <Failure error={rows.error} title="Could not load the rows" retry={rows.refetch} />}
      {rows.data && rows.rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {isSearched ? 'This key finds no row.' : 'The table has no rows.'}
        </Text>
      )}
      {rows.rows.length > 0 && (
        <DataTable label={`Rows of ${name}`} head={[...columns]}>
          {rows.rows.map((row) => (
            <Table.Tr key={keyColumns.map((column) => row[column]).join('\n')}>
              {columns.map((column) => (
                <Table.Td key={column} className={styles.cell}>
                  <Text inherit lineClamp={isSearched ? undefined : 4}>
                    <bdi>{row[column]}</bdi>
                  </Text>
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </DataTable>
      )}
      <More {...rows} />
    </Section>
  );
}
