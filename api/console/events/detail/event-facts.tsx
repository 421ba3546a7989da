import type { Event } from '../../http/types.ts';
import { useWebhookNames } from '../../integrations/webhook/use-webhook-names.ts';
import { WebhookName } from '../../integrations/webhook/webhook-name.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Time } from '../../parts/values/time.tsx';
import { byteSize } from '../../text/quantities.ts';

/** The metadata of an event. */
export function EventFacts({ event }: { event: Event }) {
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
