import { Button, Group, Text } from '@mantine/core';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { ProgressBar } from '../../parts/feedback/progress-bar.tsx';
import { wholeNumber } from '../../text/quantities.ts';
import { ChangeTable } from './change-table.tsx';
import styles from './changes.module.css';
import type { OutcomeChoice } from './outcomes.ts';
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
  const isFiltered = outcome !== null && outcome !== 'skipped';
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
