import { Button, Skeleton, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Coverage } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { Empty } from '../../parts/feedback/empty.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { More } from '../../parts/lists/more.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { usePages } from '../../parts/lists/use-pages.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { wholeNumber } from '../../text/quantities.ts';
import { AccountSystemName } from '../systems/account-system-name.tsx';
import styles from './coverage.module.css';
import { LastUpload } from './last-upload.tsx';
import { COVERAGE_PATH, useCoverage } from './use-coverage.ts';

const HEAD = ['Account system', 'Accounts', 'Owners', 'Removed', 'Last upload', 'Actions'];

/** The coverage page: how much of each account system is recorded. */
export default function CoveragePage() {
  return (
    <>
      <PageHead
        title="Coverage"
        above={<BackLink href="/identities">Identities</BackLink>}
        actions={
          <Button component={Link} href="/identities/worklist">
            Make a worklist
          </Button>
        }
      >
        Accounts with an owner, by account system. A worklist suggests owners for accounts that are not
        recorded yet.
      </PageHead>
      <CoverageList />
    </>
  );
}

function CoverageList() {
  const pages = usePages<Coverage>(COVERAGE_PATH, {});
  if (pages.isPending) return <Loading shape="table" />;
  if (!pages.data)
    return <Failure error={pages.error} title="Could not load the coverage" retry={pages.refetch} />;
  if (pages.rows.length === 0) return <NoAccountSystems />;
  return (
    <>
      <DataTable label="Coverage" head={HEAD}>
        {pages.rows.map((row) => (
          <CoverageRow key={row.integrationId} row={row} />
        ))}
      </DataTable>
      <More {...pages} />
    </>
  );
}

function NoAccountSystems() {
  const may = useMay('developer_records:write');
  const upload = (
    <Button component={Link} href="/identities/upload">
      Upload CSV
    </Button>
  );
  return (
    <Empty title="No accounts yet" action={may && upload}>
      An account system appears here when the first of its accounts is uploaded.
    </Empty>
  );
}

/** The counts of an account system, with links to its page, its last upload and a worklist. */
function CoverageRow({ row }: { row: Coverage }) {
  const { coverage, isCounting } = useCoverage(row);
  const { integrationId, accounts, owners, removed, lastUpload } = coverage;
  return (
    <Table.Tr>
      <Table.Td>
        <AccountSystemName integrationId={integrationId} isLink />
      </Table.Td>
      {[accounts, owners, removed].map((count, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order of the columns never changes
        <Table.Td key={column} className={styles.count}>
          <Count count={count} isCounting={isCounting} />
        </Table.Td>
      ))}
      <Table.Td>{lastUpload ? <LastUpload upload={lastUpload} /> : '–'}</Table.Td>
      <Table.Td className={styles.actions}>
        <Button
          component={Link}
          href={`/identities/worklist?integrationId=${integrationId}`}
          variant="default"
          size="compact-sm"
          fw={500}
          aria-label={`Make a worklist for account system ${integrationId}`}
        >
          Make a worklist
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}

/** A count, or a note that counting took too long. */
function Count({ count, isCounting }: { count: number | null; isCounting: boolean }) {
  if (isCounting) return <Skeleton height={18} width={60} aria-label="Counting" />;
  if (count === null) return <Text size="sm">too many to count</Text>;
  return wholeNumber(count);
}
