import type { z } from 'zod';
import { listTokens, type WebhookToken } from '../../../db/webhooks/webhook-tokens.js';
import { findWebhook, type Webhook } from '../../../db/webhooks/webhooks.js';
import { hasScope, type Principal } from '../../access/auth.js';
import { notFound } from '../../http/errors.js';
import type { ApiServices } from '../../services.js';
import type { webhookSchema } from './schema.js';

const MASK = '********';

type Presented = z.input<typeof webhookSchema>;

/** Returns integrations in the form of a response. Secrets are masked unless the principal may change integrations. */
export async function presentWebhooks(
  services: ApiServices,
  principal: Principal,
  webhooks: readonly Webhook[],
): Promise<Presented[]> {
  const ids = webhooks.map(({ id }) => id);
  const tokens = await listTokens(services.database, ids, new Date());
  const clear = hasScope(principal, 'webhooks:write');
  return webhooks.map((webhook) => {
    const own = tokens.filter(({ webhookId }) => webhookId === webhook.id);
    return present(services, webhook, own, clear);
  });
}

/**
 * Returns one integration in the form of a response.
 * @throws RequestError 404
 */
export async function presentWebhook(
  services: ApiServices,
  principal: Principal,
  id: string,
): Promise<Presented> {
  const webhook = await findWebhook(services.database, id);
  const [presented] = webhook ? await presentWebhooks(services, principal, [webhook]) : [];
  if (!presented) throw notFound('webhook');
  return presented;
}

function present(
  services: ApiServices,
  webhook: Webhook,
  tokens: readonly WebhookToken[],
  clear: boolean,
): Presented {
  const urls = tokens.map((token) => presentUrl(services, token, clear));
  const { box } = services.intake;
  const { signatureSecret: sealed, eventsPerMinute } = webhook;
  const secret = clear && sealed ? box.open(sealed, webhook.id) : null;
  return {
    id: webhook.id,
    name: webhook.name,
    description: webhook.description,
    template: webhook.template,
    mappingRevision: webhook.mappingRevision,
    url: urls[0]?.url ?? null,
    urls,
    signature: presentSignature(webhook, secret),
    challenge: webhook.challenge,
    resolveAfterSeconds: webhook.resolveAfterSeconds,
    silence: webhook.silence,
    driftSeverity: webhook.driftSeverity,
    mutedUntil: webhook.mutedUntil?.toISOString() ?? null,
    managedBy: webhook.managedBy,
    rateLimit:
      eventsPerMinute === null ? null : { eventsPerMinute, overLimitStatus: webhook.overLimitStatus },
    revision: webhook.revision,
    savedBy: webhook.savedBy,
    createdAt: webhook.createdAt.toISOString(),
    updatedAt: webhook.updatedAt.toISOString(),
  };
}

function presentSignature(webhook: Webhook, secret: string | null): Presented['signature'] {
  const { signatureScheme: scheme, signatureParameters: parameters, previousSecretExpiresAt } = webhook;
  if (scheme === null) return null;
  const isExpired = (previousSecretExpiresAt?.getTime() ?? 0) <= Date.now();
  return {
    scheme,
    secret,
    parameters,
    mode: webhook.signatureMode,
    changedAt: (webhook.signatureChangedAt ?? webhook.createdAt).toISOString(),
    previousSecretExpiresAt: isExpired ? null : (previousSecretExpiresAt?.toISOString() ?? null),
    observed: null,
  };
}

/** The URL is null if its token was encrypted with another `SECRET_KEY`. It still works. */
function presentUrl({ settings, intake }: ApiServices, token: WebhookToken, clear: boolean) {
  const text = clear ? intake.box.open(token.sealed, token.webhookId) : MASK;
  return {
    url: text === null ? null : `${settings.publicUrl}/api/v1/webhook/${text}`,
    createdAt: token.createdAt.toISOString(),
    expiresAt: token.expiresAt?.toISOString() ?? null,
    lastUsedAt: token.lastUsedAt?.toISOString() ?? null,
  };
}

/** Adds the counts of verified and rejected events to the signature of a presented integration. */
export async function withObserved({ intake }: ApiServices, webhook: Presented): Promise<Presented> {
  const { id, signature } = webhook;
  if (!signature) return webhook;
  const since = new Date(signature.changedAt);
  const observed = await intake.observations.read({ webhookId: id, since });
  if (!observed) return webhook;
  const lastRejectedAt = observed.lastRejectedAt?.toISOString() ?? null;
  return { ...webhook, signature: { ...signature, observed: { ...observed, lastRejectedAt } } };
}
