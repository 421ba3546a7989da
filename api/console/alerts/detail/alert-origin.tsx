import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import type { AlertDetail } from '../../http/types.ts';
import { useWebhookNames } from '../../integrations/webhook/use-webhook-names.ts';
import { WebhookName } from '../../integrations/webhook/webhook-name.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Time } from '../../parts/values/time.tsx';

/** The origin of an alert: integration, event, and the mapping revision that created it. */
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
        ['Received', <Time key="at" at={alert.receivedAt} />],
        ['Integration', <WebhookName key="name" id={alert.webhookId} names={names} />],
        ['Event ID', event],
        ['Mapping', alert.revision === 0 ? 'No mapping' : `Revision ${alert.revision}`],
        ['Alert ID', <code key="id">{alert.id}</code>],
      ]}
    />
  );
}
