import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { AlertCard } from '../alerts/alert-card.tsx';
import { alertQuery } from '../alerts/alert-query.ts';
import type { Receipt } from '../http/types.ts';
import { Failure } from '../parts/feedback/failure.tsx';
import { counted, wholeNumber } from '../text/quantities.ts';
import { describeOutcomes, keysWithoutAlert } from './outcome-text.ts';

const STEP = 5;

/** The alerts of an event and what it did to them, a few at a time: there may be a thousand. */
export function EventAlerts({ event }: { event: Pick<Receipt, 'alertIds' | 'state' | 'outcomes'> }) {
  const [shown, setShown] = useState(STEP);
  const alerts = useQueries({ queries: event.alertIds.slice(0, shown).map(alertQuery) });
  const left = event.alertIds.length - shown;
  if (event.alertIds.length === 0 && event.outcomes.length === 0) return <NoAlerts state={event.state} />;
  return (
    <Stack gap="xs">
      {alerts.map(({ data, error, refetch }, place) => {
        const id = event.alertIds[place] as string;
        const outcome = describeOutcomes(event.outcomes, id);
        if (data) return <AlertCard key={id} alert={data.data} note={outcome} />;
        if (error) return <Failure key={id} error={error} title="Could not load the alert" retry={refetch} />;
        return <Skeleton key={id} height={84} />;
      })}
      {left > 0 && (
        <Button variant="default" size="xs" onClick={() => setShown(shown + 4 * STEP)}>
          Show more ({wholeNumber(left)} left)
        </Button>
      )}
      <NothingToResolve keys={keysWithoutAlert(event.outcomes)} />
    </Stack>
  );
}

/** Says for which keys the event is a recovery, but no alert was firing. */
function NothingToResolve({ keys: [first, ...others] }: { keys: readonly string[] }) {
  if (first === undefined) return null;
  return (
    <Text size="sm">
      Nothing to resolve: no alert with the key <bdi>{first}</bdi>
      {others.length > 0 && `, or with ${counted(others.length, 'other key')},`} was firing.
    </Text>
  );
}

const NoAlerts = ({ state }: Pick<Receipt, 'state'>) => (
  <Text size="sm" c="dimmed" component="span">
    {state === 'normalized'
      ? 'No alerts: the list that the mapping splits by was empty.'
      : 'No alerts were created.'}
  </Text>
);
