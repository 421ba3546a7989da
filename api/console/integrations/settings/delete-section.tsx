import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { request } from '../../http/request.ts';
import { useSendOnce } from '../../http/use-send-once.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { Confirm } from '../../parts/feedback/confirm.tsx';
import { Section } from '../../parts/section.tsx';
import type { TabProps } from '../webhook/tab-props.ts';
import { webhookKey } from '../webhook/use-webhook.ts';

/** Ends the integration. */
export function DeleteSection({ webhook }: TabProps) {
  const cache = useQueryClient();
  const once = useSendOnce();
  const [, navigate] = useLocation();
  const remove = async () => {
    await once(webhook.id, (key) =>
      request(`/v2/webhooks/${webhook.id}`, { method: 'DELETE', headers: { 'idempotency-key': key } }),
    );
    navigate('/integrations');
    cache.removeQueries({ queryKey: webhookKey(webhook.id) });
    await cache.invalidateQueries({ queryKey: ['/v2/webhooks'] });
    announce(`Integration ${webhook.name} is deleted`);
  };
  return (
    <Section title="Delete" about="Its URLs end; the events and alerts that came by them stay.">
      <Confirm
        label="Delete integration"
        title={`Delete ${webhook.name}?`}
        mustType={webhook.name}
        size="sm"
        color="red"
        onConfirm={remove}
      >
        Every host refuses its URLs within 5 s. This cannot be undone. Its events and alerts stay until they
        expire.
      </Confirm>
    </Section>
  );
}
