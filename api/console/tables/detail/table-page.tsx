import { Button, Stack } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { Link, useParams } from 'wouter';
import { RequestFailure } from '../../http/request-failure.ts';
import type { LookupTable } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { Facts } from '../../parts/facts.tsx';
import { NotFound } from '../../parts/feedback/empty.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { ManagedNote } from '../../parts/managed-note.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Section } from '../../parts/section.tsx';
import { useFragment } from '../../parts/use-fragment.ts';
import { Ago } from '../../parts/values/ago.tsx';
import { counted, wholeNumber } from '../../text/quantities.ts';
import { MATCHINGS } from '../matchings.ts';
import { tableAddress, useTable } from '../use-table.ts';
import { DeleteSection } from './delete-section.tsx';
import { DownloadRows } from './download-rows.tsx';
import { Misses } from './misses.tsx';
import { Revisions } from './revisions.tsx';
import { Rows } from './rows.tsx';
import { Users } from './users.tsx';

/** The page of a lookup table: how its keys match, its rows, and its revisions. */
export default function TablePage() {
  const { name = '' } = useParams();
  const { data: table, error, refetch } = useTable(name);
  if (error instanceof RequestFailure && error.status === 404) return <NotFound />;
  if (error) return <Failure error={error} title="Could not load the table" retry={refetch} />;
  return table ? <Found key={name} table={table} /> : <Loading shape="details" />;
}

function Found({ table }: { table: LookupTable }) {
  const may = useMay('tables:write');
  useFragment();
  const { name, rowCount, columns, keyColumns, matching, revision, updatedAt } = table;
  return (
    <>
      <PageHead
        title={name}
        above={<BackLink href="/tables">Tables</BackLink>}
        actions={
          <>
            <DownloadRows name={name} />
            {may && (
              <Button
                component={Link}
                href={`${tableAddress(name)}/upload`}
                leftSection={<IconUpload size={16} />}
              >
                Upload CSV
              </Button>
            )}
          </>
        }
      >
        Lookup table with {counted(rowCount, 'row')}.
      </PageHead>
      <Stack>
        {may && <ManagedNote managedBy={table.managedBy} what="Its rows and its key" />}
        <Section title="Table" wide>
          <Facts
            facts={[
              [keyColumns.length === 1 ? 'Key' : 'Key columns', <bdi key="key">{keyColumns.join(', ')}</bdi>],
              ['Keys match', `${MATCHINGS[matching].label}. ${MATCHINGS[matching].about}`],
              ['Columns', <bdi key="columns">{columns.join(', ')}</bdi>],
              [
                'Active revision',
                <span key="revision">
                  {wholeNumber(revision)}, <Ago at={updatedAt} />
                </span>,
              ],
            ]}
          />
        </Section>
        <Rows key={revision} table={table} />
        <Misses name={name} mayWrite={may} />
        <Users name={name} />
        <Revisions name={name} mayRevert={may} />
        {may && <DeleteSection name={name} />}
      </Stack>
    </>
  );
}
