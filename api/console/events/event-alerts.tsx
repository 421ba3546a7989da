import { Skeleton, Stack, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { AlertCard } from '../alerts/alert-card.tsx';
import { alertQuery } from '../alerts/alert-query.ts';
import type { Receipt } from '../http/types.ts';
import { Failure } from '../parts/feedback/failure.tsx';
import { useFirst } from '../parts/lists/use-first.tsx';
import { counted } from '../text/quantities.ts';
import { describeOutcomes, keysWith } from './outcome-text.ts';

const STEP = 5;

/** The alerts of an event and what it did to them, a few at a time: there may be a thousand. */
export function EventAlerts({ event }: { event: Pick<Receipt, 'alertIds' | 'state' | 'outcomes'> }) {
  const { first: ids, more } = useFirst(event.alertIds, STEP);
  const alerts = useQueries({ queries: ids.map(alertQuery) });
  if (event.alertIds.length === 0 && event.outcomes.length === 0) return <NoAlerts state={event.state} />;
  return (
    <Stack gap="xs">
      {alerts.map(({ data, error, refetch }, place) => {
        const id = ids[place] as string;
        const outcome = describeOutcomes(event.outcomes, id);
        if (data) return <AlertCard key={id} alert={data.data} note={outcome} />;
        if (error) return <Failure key={id} error={error} title="Could not load the alert" retry={refetch} />;
        return <Skeleton key={id} height={84} />;
      })}
      {more}
      {UNCHANGED.map(([outcome, Message]) => {
        const [first, ...others] = keysWith(event.outcomes, outcome);
        return first !== undefined && <Message key={outcome} first={first} others={others.length} />;
      })}
    </Stack>
  );
}

interface KeysProps {
  first: string;
  /** How many other keys. */
  others: number;
}

const Keys = ({ first, others }: KeysProps) => (
  <>
    the key <bdi>{first}</bdi>
    {others > 0 && `, or with ${counted(others, 'other key')},`}
  </>
);

/** Say for which keys the event changed no alert, and why. */
const UNCHANGED = [
  [
    'nothing_to_resolve',
    (keys: KeysProps) => (
      <Text size="sm">
        Nothing to resolve: no alert with <Keys {...keys} /> was firing.
      </Text>
    ),
  ],
  [
    'nothing_to_update',
    (keys: KeysProps) => (
      <Text size="sm">
        Nothing to update: no alert with <Keys {...keys} /> was firing.
      </Text>
    ),
  ],
  [
    'outdated',
    (keys: KeysProps) => (
      <Text size="sm">
        Outdated: the event is about an occurrence with <Keys {...keys} /> that was over.
      </Text>
    ),
  ],
] as const;

const NoAlerts = ({ state }: Pick<Receipt, 'state'>) => (
  <Text size="sm" c="dimmed" component="span">
    {state === 'normalized'
      ? 'No alerts: the list that the mapping splits by was empty.'
      : 'No alerts were created.'}
  </Text>
);
