import { Skeleton, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { requestJson } from '../../http/request.ts';
import type { HistoryEntry, Identity, Page } from '../../http/types.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Section } from '../../parts/section.tsx';
import { counted } from '../../text/quantities.ts';
import { HistoryRow } from '../history/history-row.tsx';
import { HISTORY_PATH } from '../history/use-history.ts';

/** Each account has a history of its own, so only those of some are read. */
const MAX_ACCOUNTS = 10;
const CHANGES = 20;

/** The newest changes of several accounts, newest first. */
export function AccountsHistory({ accounts }: { accounts: readonly Identity[] }) {
  const some = accounts.slice(0, MAX_ACCOUNTS);
  const histories = useQueries({
    queries: some.map(({ integrationId, identity }) => {
      const query = { integrationId, identity, pageSize: CHANGES };
      return {
        queryKey: [HISTORY_PATH, 'newest', query],
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          requestJson<Page<HistoryEntry>>(HISTORY_PATH, { query, signal }),
      };
    }),
  });
  const failed = histories.find(({ error }) => error);
  const changes = histories
    .flatMap(({ data }, place) => {
      const account = some[place];
      return account ? (data?.data.map((entry) => ({ entry, account })) ?? []) : [];
    })
    .sort((one, other) => (one.entry.changedAt < other.entry.changedAt ? 1 : -1))
    .slice(0, CHANGES);
  const about = `The last ${CHANGES} changes of their owners.`;
  const left = accounts.length - some.length;
  return (
    <Section
      title="History of the accounts"
      about={left > 0 ? `${about} Without ${counted(left, 'more account')}.` : about}
      wide
    >
      {failed && (
        <Failure error={failed.error} title="Could not load the history" retry={() => failed.refetch()} />
      )}
      {histories.some(({ isPending }) => isPending) && <Skeleton height={84} />}
      {changes.length > 0 && (
        <DataTable label="History" head={['Account', 'Changed', 'Outcome', 'Owner', 'API key', 'Job']}>
          {changes.map(({ entry, account }) => (
            <HistoryRow
              key={`${account.integrationId} ${account.identity} ${entry.changedAt} ${entry.jobId}`}
              entry={entry}
              account={account}
            />
          ))}
        </DataTable>
      )}
      {changes.length === 0 && histories.every(({ isSuccess }) => isSuccess) && (
        <Text size="sm" c="dimmed">
          No change is recorded, or the history is turned off.
        </Text>
      )}
    </Section>
  );
}
