import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { AlertCard } from '../alerts/alert-card.tsx';
import { alertQuery } from '../alerts/alert-query.ts';
import type { Receipt } from '../http/types.ts';
import { Failure } from '../parts/feedback/failure.tsx';
import { wholeNumber } from '../text/quantities.ts';

const STEP = 5;

/** The alerts of an event, a few at a time: there may be a thousand. */
export function EventAlerts({ event }: { event: Pick<Receipt, 'alertIds' | 'state' | 'outcomes'> }) {
  const [shown, setShown] = useState(STEP);
  const alerts = useQueries({ queries: event.alertIds.slice(0, shown).map(alertQuery) });
  const left = event.alertIds.length - shown;
  if (event.alertIds.length === 0) return <NoAlerts event={event} />;
  return (
    <Stack gap="xs">
      {alerts.map(({ data, error, refetch }, place) => {
        const key = event.alertIds[place];
        if (data) return <AlertCard key={key} alert={data.data} />;
        if (error)
          return <Failure key={key} error={error} title="Could not load the alert" retry={refetch} />;
        return <Skeleton key={key} height={84} />;
      })}
      {left > 0 && (
        <Button variant="default" size="xs" onClick={() => setShown(shown + 4 * STEP)}>
          Show more ({wholeNumber(left)} left)
        </Button>
      )}
    </Stack>
  );
}

const NoAlerts = ({ event }: { event: Pick<Receipt, 'state' | 'outcomes'> }) => (
  <Text size="sm" c="dimmed" component="span">
    {whyNone(event)}
  </Text>
);

function whyNone({ state, outcomes }: Pick<Receipt, 'state' | 'outcomes'>): string {
  if (state !== 'normalized') return 'No alerts were created.';
  if (outcomes.length > 0)
    return 'No alert: no alert with this key is firing, so there is nothing to resolve.';
  return 'No alerts: the list that the mapping splits by was empty.';
}
