import { Text, Title } from '@mantine/core';
import { useLocation } from 'wouter';
import { AlertChart } from '../alerts/chart/alert-chart.tsx';
import { EventList } from '../events/list/event-list.tsx';
import { useMay } from '../http/use-current-key.ts';
import { usePeriod } from '../parts/filters/time-range.ts';
import type { TabProps } from './webhook/tab-props.ts';

const LAST_WEEK = { last: ['7d'], from: [], to: [] };

/** The events that the integration has received, and its alerts of the last days as a chart. */
export default function Events({ webhook }: TabProps) {
  const may = useMay('alerts:read');
  if (!may) return <Text>Viewing events needs a key with the scope alerts:read.</Text>;
  return (
    <>
      <RecentAlerts webhook={webhook} />
      <EventList webhookId={webhook.id} />
    </>
  );
}

function RecentAlerts({ webhook: { id } }: TabProps) {
  const [, navigate] = useLocation();
  const query = { webhookId: id, ...usePeriod(LAST_WEEK) };
  return (
    <>
      <Title order={2} size="h4" mb="xs">
        Alerts of the last 7 days
      </Title>
      <AlertChart
        query={query}
        empty="No alerts."
        narrow={(time) => navigate(`/alerts?${new URLSearchParams({ webhookId: id, ...time })}`)}
      />
    </>
  );
}
