import type { Database } from '../../../db/client/connect.js';
import { listHeartbeats } from '../../../db/heartbeats/heartbeats.js';
import { findRevision } from '../../../db/webhooks/mapping-revisions.js';
import { findWebhooksByName, type Webhook } from '../../../db/webhooks/webhooks.js';
import { hashJson } from '../../http/entity-tag.js';
import { parametersSchema } from '../../intake/signature/parameters.js';
import { ambiguousName, type Stored } from '../by-name/routes.js';
import type { IntegrationDocument } from './document.js';

/** An integration as its document, without secrets. */
export interface StoredDocument extends Stored<IntegrationDocument> {
  webhook: Webhook;
}

/**
 * Returns the integration of a name, or null if there is none.
 * @throws RequestError 409 `ambiguous_name` if there are several
 */
export async function findDocument(database: Database, name: string): Promise<StoredDocument | null> {
  const [webhook, ...others] = await findWebhooksByName(database, name);
  if (!webhook) return null;
  if (others.length > 0)
    throw ambiguousName(
      'integrations',
      name,
      [webhook, ...others].map(({ id }) => id),
    );
  const document = await toDocument(database, webhook);
  const secret = webhook.signatureSecret?.toString('base64') ?? null;
  const { revision, savedBy, updatedAt } = webhook;
  return { webhook, document, tag: hashJson([document, secret]), revision, savedBy, updatedAt };
}

async function toDocument(database: Database, webhook: Webhook): Promise<IntegrationDocument> {
  const { signatureScheme: scheme, eventsPerMinute } = webhook;
  const current = await findRevision(database, webhook.id, webhook.mappingRevision);
  const heartbeats = await listHeartbeats(database, webhook.id);
  return {
    name: webhook.name,
    description: webhook.description,
    template: webhook.template,
    ...(current ? { mapping: current.mapping } : {}),
    signature:
      scheme === null
        ? null
        : {
            scheme,
            parameters: parametersSchema.parse(webhook.signatureParameters),
            mode: webhook.signatureMode,
          },
    rateLimit:
      eventsPerMinute === null ? null : { eventsPerMinute, overLimitStatus: webhook.overLimitStatus },
    challenge: webhook.challenge,
    resolveAfterSeconds: webhook.resolveAfterSeconds,
    silence: webhook.silence,
    driftSeverity: webhook.driftSeverity,
    heartbeats: Object.fromEntries(
      heartbeats.flatMap(({ name, description, schedule, graceSeconds, maxRunSeconds, severity }) =>
        schedule === null ? [] : [[name, { description, schedule, graceSeconds, maxRunSeconds, severity }]],
      ),
    ),
    managedBy: webhook.managedBy,
  };
}
