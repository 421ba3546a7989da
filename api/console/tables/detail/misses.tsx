import { Anchor, Button, Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Miss } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { DownloadButton } from '../../parts/download-button.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { More } from '../../parts/lists/more.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { usePages } from '../../parts/lists/use-pages.ts';
import { Section } from '../../parts/section.tsx';
import { Ago } from '../../parts/values/ago.tsx';
import { wholeNumber } from '../../text/quantities.ts';
import { tableAddress, tableEntry } from '../use-table.ts';
import styles from './detail.module.css';

const PAGE_SIZE = 20;

/** The keys that were looked up in a table in vain, as a list and as the file that fills them. */
export function Misses({ name, mayWrite }: { name: string; mayWrite: boolean }) {
  const path = `${tableEntry(name).path}/misses`;
  const misses = usePages<Miss>(path, { pageSize: PAGE_SIZE });
  const mayReadEvents = useMay('alerts:read');
  return (
    <Section
      id="misses"
      title="Misses"
      about="Keys that events looked up and that have no row. Download them, fill in the other columns, and upload the file with “Add and change rows”."
      wide
    >
      {misses.isPending && <Loading shape="table" />}
      {misses.error && (
        <Failure error={misses.error} title="Could not load the misses" retry={misses.refetch} />
      )}
      {misses.data && misses.rows.length === 0 && (
        <Text size="sm" c="dimmed">
          Every key that was looked up has a row.
        </Text>
      )}
      {misses.rows.length > 0 && (
        <>
          <Group gap="sm" mb="md">
            <DownloadButton path={`${path}?format=csv`}>Download misses</DownloadButton>
            {mayWrite && (
              <Button component={Link} href={`${tableAddress(name)}/upload?mode=merge`} variant="default">
                Upload rows
              </Button>
            )}
          </Group>
          <DataTable label={`Misses of ${name}`} head={['Key', 'Events', 'Last', 'Last event']}>
            {misses.rows.map((miss) => (
              <Table.Tr key={miss.key}>
                <Table.Td className={styles.cell}>
                  <Text inherit lineClamp={4}>
                    <bdi>{miss.key}</bdi>
                  </Text>
                </Table.Td>
                <Table.Td>{wholeNumber(miss.count)}</Table.Td>
                <Table.Td>
                  <Ago at={miss.lastAt} />
                </Table.Td>
                <Table.Td>
                  {mayReadEvents && (
                    <Anchor
                      component={Link}
                      href={`/events/${miss.eventId}`}
                      size="sm"
                      aria-label={`View event of ${miss.key}`}
                    >
                      View event
                    </Anchor>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </DataTable>
        </>
      )}
      <More {...misses} />
    </Section>
  );
}
