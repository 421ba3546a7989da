import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { HistoryEntry, Identity } from '../../http/types.ts';
import { OwnerChange } from '../../jobs/changes/owner-change.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { Ago } from '../../parts/values/ago.tsx';
import { Badge } from '../../parts/values/badge.tsx';
import { AccountSystemName } from '../systems/account-system-name.tsx';
import styles from './history.module.css';
import { historyAddress } from './use-history.ts';

const TONES = { created: 'good', updated: 'info', removed: 'bad' } as const;

interface RowProps {
  entry: HistoryEntry;
  /** Named in the first column of a list with several accounts. */
  account?: Identity;
}

/** Who planned a change, and why it was applied. */
const Plan = ({ plan: { apiKey, reason } }: { plan: NonNullable<HistoryEntry['plan']> }) => (
  <Text size="xs" c="dimmed">
    planned by {apiKey.name ?? <code>{apiKey.id}</code>}
    {reason && (
      <>
        : <bdi>{reason}</bdi>
      </>
    )}
  </Text>
);

/** A change of an account's owner. */
export const HistoryRow = ({
  entry: { changedAt, outcome, before, after, apiKey, uploadLink, plan, jobId, fileName },
  account,
}: RowProps) => (
  <Table.Tr>
    {account && (
      <Table.Td className={styles.owner}>
        <Anchor component={Link} href={historyAddress(account)} inherit>
          {account.identity}
        </Anchor>{' '}
        in account system <AccountSystemName integrationId={account.integrationId} />
      </Table.Td>
    )}
    <Table.Td>
      <Ago at={changedAt} />
    </Table.Td>
    <Table.Td>
      <Badge tone={TONES[outcome]}>{outcome}</Badge>
    </Table.Td>
    <Table.Td className={styles.owner}>
      <OwnerChange before={before} after={after} />
    </Table.Td>
    <Table.Td className={styles.key}>
      {uploadLink ? (
        <>
          upload link <bdi>{uploadLink.name}</bdi>
          <Text size="xs" c="dimmed">
            made by {apiKey.name ?? <code>{apiKey.id}</code>}
          </Text>
        </>
      ) : (
        (apiKey.name ?? <code>{apiKey.id}</code>)
      )}
      {plan && <Plan plan={plan} />}
    </Table.Td>
    <Table.Td className={styles.job}>
      <Anchor
        component={Link}
        href={`/jobs/${jobId}`}
        size="sm"
        aria-label={`View job that ${outcome} it${fileName ? `: ${fileName}` : ''}`}
      >
        {fileName ? <bdi>{fileName}</bdi> : 'View job'}
      </Anchor>
    </Table.Td>
  </Table.Tr>
);
