import type { Database } from '../../../db/client/connect.js';
import { listHeartbeats } from '../../../db/heartbeats/heartbeats.js';
import { findRevision } from '../../../db/webhooks/mapping-revisions.js';
import { findWebhooksByName, type Webhook } from '../../../db/webhooks/webhooks.js';
import { hashJson } from '../../http/entity-tag.js';
import { conflict } from '../../http/errors.js';
import { parametersSchema } from '../../intake/signature/parameters.js';
import type { IntegrationDocument } from './document.js';

/** An integration as its document, without secrets. */
export interface StoredDocument {
  webhook: Webhook;
  document: IntegrationDocument;
  /** Changes whenever the document does, and when the secret does. */
  tag: string;
}

/**
 * Returns the integration of a name, or null if there is none.
 * @throws RequestError 409 `ambiguous_name` if there are several
 */
export async function findDocument(database: Database, name: string): Promise<StoredDocument | null> {
  const [webhook, ...others] = await findWebhooksByName(database, name);
  if (!webhook) return null;
  if (others.length > 0) throw ambiguous(name, [webhook, ...others]);
  const document = await toDocument(database, webhook);
  const secret = webhook.signatureSecret?.toString('base64') ?? null;
  return { webhook, document, tag: hashJson([document, secret]) };
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

const ambiguous = (name: string, webhooks: readonly Webhook[]) =>
  conflict(
    'ambiguous_name',
    `${webhooks.length} integrations have the name ${JSON.stringify(name)}: ${webhooks
      .map(({ id }) => id)
      .slice(0, 10)
      .join(
        ', ',
      )}. Nothing was changed. Give the others another name, for example with \`PATCH /v2/webhooks/{id}\`.`,
  );
