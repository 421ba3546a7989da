import type { Event } from '../../http/types.ts';
import { useWebhookNames } from '../../integrations/webhook/use-webhook-names.ts';
import { WebhookName } from '../../integrations/webhook/webhook-name.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Time } from '../../parts/values/time.tsx';
import { byteSize } from '../../text/quantities.ts';

/** What is known of an event beside its body. */
export function EventFacts({ event }: { event: Event }) {
  const names = useWebhookNames();
  return (
    <Facts
      facts={[
        ['Event', <code key="id">{event.id}</code>],
        ['Integration', <WebhookName key="name" id={event.webhookId} names={names} />],
        ['Received', <Time key="at" at={event.receivedAt} />],
        ['Mapping', event.revision === 0 ? 'there was none' : `revision ${event.revision}`],
        ['Size', byteSize(event.bytes)],
      ]}
    />
  );
}
