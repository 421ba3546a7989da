import type { Webhook } from '../../http/types.ts';
import { type Entry, useChange } from '../../http/use-change.ts';
import { webhookKey } from '../webhook/use-webhook.ts';

export const webhookEntry = (id: string): Entry => ({
  path: `/v2/webhooks/${id}`,
  queryKey: webhookKey(id),
  list: '/v2/webhooks',
});

/** Changes an integration and updates every page that shows it with the response. */
export const useChangeWebhook = (id: string) => useChange<Webhook>(webhookEntry(id));
