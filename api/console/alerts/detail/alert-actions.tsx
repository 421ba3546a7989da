import { Button } from '@mantine/core';
import { Link } from 'wouter';
import type { AlertDetail } from '../../http/types.ts';
import { useWebhookNames } from '../../integrations/webhook/use-webhook-names.ts';

/** A link to the mapping, opened with the event that created the alert. */
export function AlertActions({ alert }: { alert: AlertDetail }) {
  const { exists } = useWebhookNames();
  if (!exists(alert.webhookId)) return null;
  const event = alert.event ? `?event=${alert.event.id}` : '';
  return (
    <Button component={Link} href={`/integrations/${alert.webhookId}/mapping${event}`}>
      Open mapping
    </Button>
  );
}
