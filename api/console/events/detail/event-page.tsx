import { Anchor, Code, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { RequestFailure } from '../../http/request-failure.ts';
import type { Event, Receipt } from '../../http/types.ts';
import { useWebhookNames } from '../../integrations/webhook/use-webhook-names.ts';
import { WebhookName } from '../../integrations/webhook/webhook-name.tsx';
import { Lookups } from '../../lookups/lookups.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Empty, NotFound } from '../../parts/feedback/empty.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { PlaceInList } from '../../parts/lists/place-in-list.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Section, SideBySide } from '../../parts/section.tsx';
import { StateBadge } from '../../parts/values/badge.tsx';
import { Payload } from '../../parts/values/payload.tsx';
import { Time } from '../../parts/values/time.tsx';
import { byteSize } from '../../text/quantities.ts';
import { ErrorList } from '../error-list.tsx';
import { EventAlerts } from '../event-alerts.tsx';
import { shortEventId } from '../event-id.ts';
import { eventQuery } from '../event-query.ts';
import { describeItem } from '../filter-reason.ts';
import { useEventFilters } from '../list/use-event-filters.ts';
import { EventActions } from './event-actions.tsx';
import { RequestFacts } from './request-facts.tsx';
import { SnsSubscription } from './sns-subscription.tsx';

const REFRESH_MS = 10_000;
const PENDING_REFRESH_MS = 1_000;

/** The page of one event: its alerts, its receipt, and its payload. */
export default function EventPage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery({
    ...eventQuery(id),
    refetchInterval: ({ state }) => (isPending(state.error) ? PENDING_REFRESH_MS : REFRESH_MS),
  });
  if (data) return <Found key={id} event={data.data} />;
  if (isPending(error)) return <PendingEvent id={id} />;
  if (error instanceof RequestFailure && error.status === 404) return <NotFound />;
  if (error) return <Failure error={error} title="Could not load the event" retry={refetch} />;
  return <Loading shape="details" />;
}

const isPending = (error: unknown): boolean =>
  error instanceof RequestFailure && error.code === 'not_stored_yet';

const Found = ({ event }: { event: Receipt }) => (
  <>
    <PageHead
      title={`Event ${shortEventId(event.id)}`}
      above={<PlaceOfEvent id={event.id} />}
      aside={<StateBadge state={event.state} />}
      actions={<EventActions event={event} />}
    />
    <Stack>
      {event.snsSubscription && (
        <SnsSubscription key={event.id} eventId={event.id} subscription={event.snsSubscription} />
      )}
      <SideBySide>
        <Section title="Alerts" about={STATE_DESCRIPTIONS[event.state]} wide>
          <ErrorList errors={event.faults} tone="bad" />
          <ErrorList errors={event.warnings} tone="warn" label="Warnings" />
          {event.filter && <EventFilter filter={event.filter} />}
          <EventAlerts event={event} />
        </Section>
        <Section title="Receipt" wide>
          <EventFacts event={event} />
        </Section>
      </SideBySide>
      <Lookups
        lookups={event.lookups.map((found) => [null, found])}
        about="What the mapping looked up, each key once, up to 100. It stays as it was found until the event is mapped again."
      />
      <Section title="Payload" about="The body as received. It is kept until the event expires." wide>
        <Payload event={event} />
      </Section>
      <Section title="Request" about="What mappings can read of the HTTP request, besides the payload." wide>
        <RequestFacts request={event.request} />
      </Section>
    </Stack>
  </>
);

const STATE_DESCRIPTIONS: Record<Receipt['state'], string> = {
  normalized: 'Accepted and mapped to alerts.',
  filtered: 'Accepted and stored. The filter of the mapping dropped it, so it has no alert.',
  failed:
    'Accepted and stored, but the mapping could not create an alert. Fix the mapping, then remap the event.',
  rejected: 'Rejected with an error to the sender. A rejected event cannot be mapped.',
  ping: 'A ping of a heartbeat. No mapping reads it.',
  internal: 'Muster reported this itself. No mapping reads it.',
};

/** The metadata of an event. */
function EventFacts({ event }: { event: Event }) {
  const names = useWebhookNames();
  return (
    <Facts
      facts={[
        ['Event ID', <code key="id">{event.id}</code>],
        ['Integration', <WebhookName key="name" id={event.webhookId} names={names} />],
        ['Received', <Time key="at" at={event.receivedAt} />],
        ['Mapping', event.revision === 0 ? 'No mapping' : `Revision ${event.revision}`],
        ['Size', byteSize(event.bytes)],
      ]}
    />
  );
}

/** What the filter of the mapping dropped: the clause that was false, and the values that it read. */
const EventFilter = ({ filter }: { filter: NonNullable<Event['filter']> }) => (
  <Stack gap="xs" mb="sm">
    <Text size="sm">{describeItem(filter) ?? 'This clause of the filter is false:'}</Text>
    <Code block tabIndex={0} aria-label="False clause">
      {filter.clause}
    </Code>
    {filter.values.length > 0 && (
      <Table aria-label="Values that the clause read">
        <Table.Tbody>
          {filter.values.map(({ path, value }) => (
            <Table.Tr key={path}>
              <Table.Th scope="row">
                <code>{path}</code>
              </Table.Th>
              <Table.Td>{value === null ? <i>missing</i> : <bdi>{value}</bdi>}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    )}
  </Stack>
);

/** Shown in place of an event until a worker has stored it. */
const PendingEvent = ({ id }: { id: string }) => (
  <Empty title="This event is not stored yet" action={<Loader size="sm" />}>
    {id} may still be in the queue. The page shows it as soon as a worker has stored it. If this takes long,{' '}
    <Anchor component={Link} href="/health" underline="always">
      check Health
    </Anchor>
    .
  </Empty>
);

/** The way back to the event list, and to the events before and after. */
const PlaceOfEvent = ({ id }: { id: string }) => (
  <PlaceInList
    id={id}
    list="/events"
    name="Events"
    one="event"
    path="/v2/events"
    query={useEventFilters().query}
  />
);
