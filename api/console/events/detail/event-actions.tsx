import { Button } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import type { Receipt } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { keepSample } from '../../integrations/webhook/sample-payload.ts';
import { useWebhookNames } from '../../integrations/webhook/use-webhook-names.ts';
import { isMapped } from '../mapped-states.ts';

/** Links to the test page and the mapping page with this event. Renders nothing if the integration is deleted. */
export function EventActions({ event }: { event: Receipt }) {
  const { exists } = useWebhookNames();
  const [, navigate] = useLocation();
  const may = useMay('webhooks:write');
  if (!exists(event.webhookId)) return null;
  const testAgain = () => {
    keepSample(event.webhookId, event.raw);
    navigate(`/integrations/${event.webhookId}/test`);
  };
  return (
    <>
      {may && event.rawEncoding === 'utf-8' && (
        <Button variant="default" leftSection={<IconSend size={16} />} onClick={testAgain}>
          Test with this payload
        </Button>
      )}
      {isMapped(event) && (
        <Button component={Link} href={`/integrations/${event.webhookId}/mapping?event=${event.id}`}>
          {event.revision === 0 ? 'Find a template' : 'Open mapping'}
        </Button>
      )}
    </>
  );
}
