import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import { uuidv7 } from 'uuidv7';
import { checkDeleted } from '../../../db/heartbeats/heartbeat-states.js';
import { deleteHeartbeats } from '../../../db/heartbeats/heartbeats.js';
import { saveMapping } from '../../../db/webhooks/mapping-revisions.js';
import { inChange } from '../../../db/webhooks/webhook-change.js';
import { NO_SIGNATURE, type WebhookSignature } from '../../../db/webhooks/webhook-signature.js';
import { insertWebhook, updateWebhook } from '../../../db/webhooks/webhooks.js';
import type { Principal } from '../../access/auth.js';
import type { ApiServices } from '../../services.js';
import { changesBetween, type DocumentChange, newSecretAt } from '../by-name/document-changes.js';
import { saveChecked } from '../heartbeats/save.js';
import { changedSignature } from '../webhooks/change-signature.js';
import { makeRoom, newToken, toRateLimit } from '../webhooks/new-webhook.js';
import type { IntegrationDocument } from './document.js';
import type { StoredDocument } from './stored-document.js';

/** What saving a document does. */
export interface PlannedSave {
  /** Of the integration, also of one that does not exist yet. */
  id: string;
  before: StoredDocument | null;
  document: IntegrationDocument;
  changes: DocumentChange[];
  signature: Partial<WebhookSignature>;
}

/**
 * Returns what saving a document does.
 * @throws RequestError 400 if the signature does not fit together
 */
export function planSave(
  { intake: { box }, clock }: Pick<ApiServices, 'intake' | 'clock'>,
  before: StoredDocument | null,
  given: IntegrationDocument,
): PlannedSave {
  const current = before?.webhook ?? { id: uuidv7(), ...NO_SIGNATURE };
  const mapping = given.mapping ?? before?.document.mapping;
  const document = mapping === undefined ? given : { ...given, mapping };
  const { signatureSecret: sealed, signatureScheme: scheme } = current;
  const wanted = given.signature;
  const known = sealed && wanted?.scheme === scheme ? box.open(sealed, current.id) : null;
  const isNewSecret = wanted?.secret !== undefined && wanted.secret !== known;
  const { secret: _, ...shown } = wanted ?? {};
  const changes = [
    ...changesBetween(before?.document ?? null, { ...document, signature: wanted && shown }),
    ...(isNewSecret ? [newSecretAt('signature.secret', sealed != null)] : []),
  ];
  const isChanged =
    isNewSecret || changes.some(({ path }) => path === 'signature' || path.startsWith('signature.'));
  return {
    id: current.id,
    before,
    document,
    changes,
    signature: isChanged ? changedSignature(box, current, wanted, clock.now()) : {},
  };
}

/** Saves a document in a transaction. */
export async function save(
  transaction: Knex.Transaction,
  { id, before, document, signature }: PlannedSave,
  { services, principal }: { services: ApiServices; principal: Principal },
): Promise<void> {
  const { mapping, heartbeats, rateLimit, signature: _, ...texts } = document;
  const settings = { ...texts, ...toRateLimit(rateLimit), ...signature };
  await inChange(transaction, async (change) => {
    if (before === null) {
      await makeRoom(change, services, 1);
      const token = newToken(services.intake.box, id);
      const first = mapping === undefined ? null : JSON.stringify(mapping);
      const rest = { ...NO_SIGNATURE, ...settings, mutedUntil: null };
      await insertWebhook(change, { id, ...rest, mapping: first, token, author: principal });
    } else {
      await updateWebhook(change, id, () => settings, { author: principal });
      if (mapping !== undefined) await saveMapping(change, id, mapping, { author: principal });
    }
    const stored = before?.document.heartbeats ?? {};
    for (const [name, heartbeat] of Object.entries(heartbeats))
      if (!isDeepStrictEqual(heartbeat, stored[name]))
        await saveChecked(change, { webhookId: id, name, ...heartbeat }, principal);
    for (const name of Object.keys(stored)) {
      if (Object.hasOwn(heartbeats, name)) continue;
      await deleteHeartbeats(change, id, name);
      await checkDeleted(change, id, name);
    }
  });
}
