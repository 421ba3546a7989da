import type { Webhook } from '../../http/types.ts';
import { useSaveEntry } from '../../parts/saving/save-section.tsx';
import { webhookEntry } from './use-change-webhook.ts';

/** Saves one section of an integration's settings, unless somebody else has changed it meanwhile. */
export const useSaveSection = (webhook: Webhook, partOf: (webhook: Webhook) => unknown) =>
  useSaveEntry(webhookEntry(webhook.id), webhook, partOf);
