import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { RequestFailure } from '../../http/request-failure.ts';
import type { Receipt } from '../../http/types.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { NotFound } from '../../parts/feedback/not-found.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Section, SideBySide } from '../../parts/section.tsx';
import { StateBadge } from '../../parts/values/badge.tsx';
import { Payload } from '../../parts/values/payload.tsx';
import { ErrorList } from '../error-list.tsx';
import { EventAlerts } from '../event-alerts.tsx';
import { shortEventId } from '../event-id.ts';
import { eventQuery } from '../event-query.ts';
import { EventActions } from './event-actions.tsx';
import { EventFacts } from './event-facts.tsx';
import { EventFilter } from './event-filter.tsx';
import { PendingEvent } from './pending-event.tsx';
import { PlaceOfEvent } from './place-of-event.tsx';
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
};
