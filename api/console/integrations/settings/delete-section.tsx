import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { request } from '../../http/request.ts';
import { useSendOnce } from '../../http/use-send-once.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { Confirm } from '../../parts/feedback/confirm.tsx';
import { Section } from '../../parts/section.tsx';
import type { TabProps } from '../webhook/tab-props.ts';
import { webhookKey } from '../webhook/use-webhook.ts';

/** Deletes the integration, after a confirmation. */
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
    announce(`Deleted integration ${webhook.name}`);
  };
  return (
    <Section title="Delete" about="Its URLs stop working. Its events and alerts stay.">
      <Confirm
        label="Delete integration"
        title={`Delete ${webhook.name}?`}
        mustType={webhook.name}
        size="sm"
        color="red"
        onConfirm={remove}
      >
        All API hosts stop accepting its events within 5 s. You cannot undo this. Its events and alerts stay
        until they expire.
      </Confirm>
    </Section>
  );
}
