import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { AccountLink } from '../../identities/history/account-link.tsx';
import { AccountSystemName } from '../../identities/systems/account-system-name.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { ProgressBar } from '../../parts/feedback/progress-bar.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { Badge } from '../../parts/values/badge.tsx';
import { wholeNumber } from '../../text/quantities.ts';
import styles from './changes.module.css';
import { nameOf, type OutcomeChoice } from './outcomes.ts';
import { OwnerChange } from './owner-change.tsx';
import type { Change } from './parse-changes.ts';
import { PAGE_ROWS } from './read-changes.ts';
import { CHANGED, useChanges } from './use-changes.ts';

interface ChangesPagesProps {
  /** The accessible name of the table. */
  label: string;
  choice: OutcomeChoice;
  attempts: number;
}

/** The changes with an outcome, page by page. */
export function ChangesPages({ label, choice, attempts }: ChangesPagesProps) {
  const { path, outcome, most, count } = choice;
  const isFiltered = outcome !== null && outcome !== 'skipped' && outcome !== 'conflict';
  const changes = useChanges({ path, attempts, outcome: isFiltered ? outcome : null, most });
  const { page, first, error, isWaiting, searched } = changes;
  if (error) return <Failure error={error} title="Could not load the changes" retry={changes.retry} />;
  const search = isFiltered && searched > 0 && (!page || isWaiting) && (
    <ProgressBar label="Searching the changes" share={searched} />
  );
  if (!page) return search || <Loading shape="table" rows={Math.min(count ?? most, PAGE_ROWS)} />;
  const last = first + page.changes.length - 1;
  return (
    <>
      {search}
      {changes.hasChanged && <Text size="sm">{CHANGED}</Text>}
      <div className={isWaiting ? styles.waiting : undefined} aria-busy={isWaiting}>
        <ChangeTable label={label} changes={page.changes} isIndexed={page.isIndexed} />
      </div>
      {(changes.goBack || page.next) && (
        <Group justify="flex-end" gap="xs" component="nav" aria-label="Pages of changes">
          <Text size="sm" aria-live="polite">
            {wholeNumber(first)} to {wholeNumber(last)}
            {count !== null && ` of ${wholeNumber(count)}`}
          </Text>
          <PageButton label="Previous" go={changes.goBack} />
          <PageButton label="Next" go={changes.goNext} />
        </Group>
      )}
    </>
  );
}

const PageButton = ({ label, go }: { label: string; go: (() => void) | null }) => (
  <Button variant="default" size="xs" disabled={!go} onClick={() => go?.()}>
    {label}
  </Button>
);

const TONES = {
  created: 'good',
  restored: 'good',
  updated: 'info',
  removed: 'bad',
  superseded: 'warn',
  skipped: 'warn',
  conflict: 'warn',
} as const;

interface ChangeTableProps {
  /** The accessible name. */
  label: string;
  changes: readonly Change[];
  /** Whether the changes have the indexes of JSON records instead of lines. */
  isIndexed: boolean;
}

/** Changes, one row for each account. */
const ChangeTable = ({ label, changes, isIndexed }: ChangeTableProps) => (
  <DataTable label={label} head={['Outcome', 'Account', 'Owner', isIndexed ? 'Record' : 'Line']}>
    {changes.map((change) => (
      <Table.Tr key={`${change.integrationId} ${change.identity}`}>
        <Table.Td>
          <Badge tone={TONES[change.outcome as keyof typeof TONES]}>{nameOf(change.outcome)}</Badge>
        </Table.Td>
        <Table.Td className={styles.account}>
          <AccountLink {...change} />
          <Text size="xs" c="dimmed">
            account system <AccountSystemName integrationId={change.integrationId} />
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
