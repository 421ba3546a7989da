import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import type { AlertDetail } from '../../http/types.ts';
import { useWebhookNames } from '../../integrations/webhook/use-webhook-names.ts';
import { WebhookName } from '../../integrations/webhook/webhook-name.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Time } from '../../parts/values/time.tsx';

/** Where an alert is from: integration, event, and the revision of the mapping that made it. */
export function AlertOrigin({ alert }: { alert: AlertDetail }) {
  const names = useWebhookNames();
  const event = alert.event ? (
    <Anchor component={Link} href={`/events/${alert.eventId}`} ff="monospace" size="sm">
      {alert.eventId}
    </Anchor>
  ) : (
    'expired'
  );
  return (
    <Facts
      facts={[
        ['Received', <Time key="at" at={alert.receivedAt} />],
        ['Integration', <WebhookName key="name" id={alert.webhookId} names={names} />],
        ['Event', event],
        ['Mapping', alert.revision === 0 ? 'there was none' : `revision ${alert.revision}`],
        ['Alert', <code key="id">{alert.id}</code>],
      ]}
    />
  );
}
