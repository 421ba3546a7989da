import { Text } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { BackLink } from '../../parts/back-link.tsx';
import { Empty, NotFound } from '../../parts/feedback/empty.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { More } from '../../parts/lists/more.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { counted } from '../../text/quantities.ts';
import { AccountPageLink } from '../systems/account-page-link.tsx';
import { AccountSystemName } from '../systems/account-system-name.tsx';
import { HistoryRow } from './history-row.tsx';
import { type AccountText, useHistory } from './use-history.ts';

/** The page of an account: who set its owner, and when. */
export default function HistoryPage() {
  const [search] = useSearchParams();
  const [integrationId, identity] = [search.get('integrationId'), search.get('identity')];
  if (!integrationId || !identity) return <NotFound />;
  return (
    <>
      <PageHead title={identity} above={<BackLink href="/identities">Identities</BackLink>}>
        Account in account system <AccountSystemName integrationId={integrationId} isLink />
        <AccountPageLink integrationId={integrationId} identity={identity} />. Each change of its owner,
        newest first.
      </PageHead>
      <History integrationId={integrationId} identity={identity} />
    </>
  );
}

function History(account: AccountText) {
  const history = useHistory(account);
  if (history.isPending) return <Loading shape="table" />;
  if (!history.data)
    return <Failure error={history.error} title="Could not load the history" retry={history.refetch} />;
  if (history.rows.length === 0) return <NoHistory days={history.retentionDays ?? 0} />;
  return (
    <>
      <DataTable label="History" head={['Changed', 'Outcome', 'Owner', 'API key', 'Job']}>
        {history.rows.map((entry) => (
          <HistoryRow key={`${entry.changedAt} ${entry.jobId}`} entry={entry} />
        ))}
      </DataTable>
      <Text size="xs" c="dimmed" mt={6}>
        Changes are kept for {counted(history.retentionDays ?? 0, 'day')}, jobs for 90 days.
      </Text>
      <More {...history} />
    </>
  );
}

const NoHistory = ({ days }: { days: number }) =>
  days === 0 ? (
    <Empty title="The history is turned off">
      This service does not record who changes the owners of accounts (IDENTITY_HISTORY_DAYS=0).
    </Empty>
  ) : (
    <Empty title="No changes recorded">
      No change of this account’s owner is recorded. Changes are kept for {counted(days, 'day')}. Uploads that
      repeat the stored owner are left out.
    </Empty>
  );
