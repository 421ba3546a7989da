import type { Database } from '../../../db/client/connect.js';
import { listTokens } from '../../../db/webhooks/webhook-tokens.js';
import { findWebhook, type Webhook } from '../../../db/webhooks/webhooks.js';
import { Sealed } from '../../audit/changed.js';

/** An integration as the audit log compares it. */
export type RecordedWebhook = ReturnType<typeof toRecorded> & { urls: readonly object[] };

/** Returns what the audit log says of an integration: its settings, its signature and its URLs, without secrets; null if there is none. */
export async function recordedWebhook(database: Database, id: string): Promise<RecordedWebhook | null> {
  const webhook = await findWebhook(database, id);
  if (!webhook) return null;
  const tokens = await listTokens(database, [id], new Date());
  const urls = tokens.map(({ sealed, createdAt, expiresAt }) => ({
    token: new Sealed(sealed),
    createdAt,
    expiresAt,
  }));
  return Object.assign(toRecorded(webhook), { urls });
}

const toRecorded = (webhook: Webhook) => ({
  name: webhook.name,
  description: webhook.description,
  template: webhook.template,
  mappingRevision: webhook.mappingRevision || null,
  signature: webhook.signatureScheme && {
    scheme: webhook.signatureScheme,
    parameters: webhook.signatureParameters,
    mode: webhook.signatureMode,
    secret: Sealed.of(webhook.signatureSecret),
    previousSecretExpiresAt: webhook.previousSecretExpiresAt,
  },
  challenge: webhook.challenge,
  rateLimit: webhook.eventsPerMinute && {
    eventsPerMinute: webhook.eventsPerMinute,
    overLimitStatus: webhook.overLimitStatus,
  },
  resolveAfterSeconds: webhook.resolveAfterSeconds,
  silence: webhook.silence,
  driftSeverity: webhook.driftSeverity,
  mutedUntil: webhook.mutedUntil,
  managedBy: webhook.managedBy,
});
