import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { eventQuery } from '../../events/event-query.ts';
import type { AlertDetail } from '../../http/types.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Section } from '../../parts/section.tsx';
import { Payload } from '../../parts/values/payload.tsx';

/** The payload of the alert's first event, until the event expires. */
export function AlertPayload({ alert: { event, eventCount } }: { alert: AlertDetail }) {
  const eventId = event?.id ?? null;
  const { data, error, refetch } = useQuery({
    ...eventQuery(eventId ?? ''),
    enabled: eventId !== null,
    staleTime: 60_000,
  });
  if (eventId === null) return null;
  return (
    <Section
      title="Payload"
      about={`The body of the ${eventCount === 1 ? '' : 'first '}event, as received.`}
      wide
    >
      {data && <Payload event={data.data} />}
      {error && <Failure error={error} title="Could not load the payload" retry={refetch} />}
      {!data && !error && <Skeleton height={160} />}
    </Section>
  );
}
