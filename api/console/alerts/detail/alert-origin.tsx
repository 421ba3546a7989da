import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { AlertDetail } from '../../http/types.ts';
import { useWebhookNames } from '../../integrations/webhook/use-webhook-names.ts';
import { WebhookName } from '../../integrations/webhook/webhook-name.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Time } from '../../parts/values/time.tsx';
import { duration, wholeNumber } from '../../text/quantities.ts';
import { secondsBetween } from '../alert-times.ts';

/** The origin of an alert: its times, integration, event, and the mapping revision that created it. */
export function AlertOrigin({ alert }: { alert: AlertDetail }) {
  const names = useWebhookNames();
  const event = alert.event ? (
    <Anchor component={Link} href={`/events/${alert.eventId}`} ff="monospace" size="sm">
      {alert.eventId}
    </Anchor>
  ) : (
    'Expired'
  );
  return (
    <Facts
      facts={[
        ...(alert.dedupKey === null ? receivedOf(alert) : lifeOf(alert)),
        ['Integration', <WebhookName key="name" id={alert.webhookId} names={names} />],
        [alert.dedupKey === null && alert.eventCount === 1 ? 'Event ID' : 'First event', event],
        ['Mapping', alert.revision === 0 ? 'No mapping' : `Revision ${alert.revision}`],
        ['Alert ID', <code key="id">{alert.id}</code>],
      ]}
    />
  );
}

type Fact = readonly [name: string, value: ReactNode];

/** The time of an alert without a key, and its repetitions. */
function receivedOf({ receivedAt, lastEventAt, eventCount }: AlertDetail): Fact[] {
  const received: Fact = ['Received', <Time key="at" at={receivedAt} />];
  if (eventCount === 1) return [received];
  return [
    received,
    ['Last repetition', <Time key="last" at={lastEventAt} />],
    ['Identical events', wholeNumber(eventCount)],
  ];
}

/** The times of an alert that fires and resolves, and its place among the alerts with the same key. */
function lifeOf(alert: AlertDetail): Fact[] {
  const { startedAt, lastEventAt, resolvedAt, eventCount, repeated, dedupKey, previousAlertId } = alert;
  const facts: Fact[] = [
    ['Started', <Time key="start" at={startedAt} />],
    ['Last event', <Time key="last" at={lastEventAt} />],
    ['Events', wholeNumber(eventCount)],
    ...(repeated ? [['Repeated', <Repeated key="repeated" {...repeated} />] as const] : []),
    ['Deduplication key', <bdi key="key">{dedupKey}</bdi>],
    [
      'Previous alert',
      previousAlertId === null ? 'None with this key' : <Previous key="id" id={previousAlertId} />,
    ],
  ];
  if (resolvedAt !== null)
    facts.splice(
      2,
      0,
      ['Resolved', <Resolved key="end" from={startedAt} at={resolvedAt} />],
      ...endOf(alert),
    );
  return facts;
}

const ENDS = {
  event: 'The source',
  person: 'A person',
  expiry: 'Expiry: no event came for as long as the integration says',
} as const;

function endOf({ resolvedBy, resolution }: AlertDetail): Fact[] {
  return [
    ...(resolvedBy === null ? [] : [['Resolved by', ENDS[resolvedBy]] as const]),
    ...(resolution === null ? [] : [['Resolution', <bdi key="resolution">{resolution}</bdi>] as const]),
  ];
}

/** Repetitions are counted, and not stored as events. */
const Repeated = ({ count, lastAt }: { count: number; lastAt: string }) => (
  <>
    {count === 1 ? 'Once' : `${wholeNumber(count)} times`} since the last event, last at <Time at={lastAt} />
  </>
);

const Resolved = ({ from, at }: { from: string; at: string }) => (
  <>
    <Time at={at} />, after {duration(secondsBetween(from, at))}
  </>
);

const Previous = ({ id }: { id: string }) => (
  <Anchor component={Link} href={`/alerts/${id}`} ff="monospace" size="sm">
    {id}
  </Anchor>
);
