import { z } from 'zod';
import type { Database } from '../../../db/client/connect.js';
import type { NewToken } from '../../../db/webhooks/new-token.js';
import { countWebhooks, type NewWebhook } from '../../../db/webhooks/webhooks.js';
import type { SecretBox } from '../../../workers/process/secret-box.js';
import type { Principal } from '../../access/auth.js';
import { badRequest, conflict } from '../../http/errors.js';
import { generateToken, hashToken } from '../../intake/token.js';
import type { ApiServices } from '../../services.js';
import { mappingOfTemplate } from '../../templates/known-templates.js';
import { newSignature } from './change-signature.js';
import { requireLookups } from './mapping-body.js';
import type { newWebhookSchema } from './schema.js';

/** Whose integration is created, and with what. */
export interface Creation {
  services: Pick<ApiServices, 'database' | 'intake'>;
  principal: Principal;
}

/**
 * Returns a new integration with the mapping of its template and a new token.
 * @throws RequestError 400 for an unknown template, 403 if its mapping looks up what the principal may not read
 */
export async function toNewWebhook(
  id: string,
  { template, signature, rateLimit, mutedUntil, ...settings }: z.infer<typeof newWebhookSchema>,
  { services, principal }: Creation,
): Promise<NewWebhook> {
  const { box } = services.intake;
  return {
    id,
    ...settings,
    template,
    mapping: template === null ? null : await mappingOf(services.database, template, principal),
    ...newSignature(box, id, signature),
    ...toRateLimit(rateLimit),
    mutedUntil: toTime(mutedUntil),
    managedBy: null,
    token: newToken(box, id),
    author: principal,
  };
}

/** @throws RequestError 409 if there would be more integrations than `MAX_INTEGRATIONS` */
export async function makeRoom(
  database: Database,
  { settings: { maxIntegrations } }: Pick<ApiServices, 'settings'>,
  added: number,
): Promise<void> {
  const count = await countWebhooks(database);
  if (added === 0 || count + added <= maxIntegrations) return;
  const limit = count < maxIntegrations ? `the limit is ${maxIntegrations}` : 'which is the limit';
  throw conflict(
    'too_many_integrations',
    `There are ${count} integrations, ${limit}. Nothing was created. Delete those that are no longer used, or raise MAX_INTEGRATIONS.`,
  );
}

export function newToken(box: SecretBox, webhookId: string): NewToken {
  const token = generateToken();
  return { hash: hashToken(token), sealed: box.seal(token, webhookId) };
}

/**
 * Returns the mapping of a template as JSON text.
 * @throws RequestError 400 for an unknown template, 403 if its mapping looks up what the principal may not read
 */
export async function mappingOf(database: Database, template: string, principal: Principal): Promise<string> {
  const mapping = await mappingOfTemplate(database, template);
  if (mapping !== null) {
    requireLookups(principal, areOwners(mapping));
    return mapping;
  }
  throw badRequest('unknown_template', `Unknown template ${JSON.stringify(template)}.`, [
    { field: 'template', code: 'unknown_template', message: 'must be a name from GET /v2/webhook-templates' },
  ]);
}

const withLookups = z.object({
  lookups: z.record(z.string(), z.object({ owner: z.unknown().optional() })).optional(),
});

/** Returns of each lookup of a stored mapping whether it finds the owners of accounts. */
function areOwners(stored: string): boolean[] {
  const { lookups = {} } = withLookups.parse(JSON.parse(stored));
  return Object.values(lookups).map(({ owner }) => owner !== undefined);
}

export const toTime = (text: string | null): Date | null => (text === null ? null : new Date(text));

type RateLimit = z.infer<typeof newWebhookSchema>['rateLimit'];

export const toRateLimit = (rateLimit: RateLimit) => ({
  eventsPerMinute: rateLimit?.eventsPerMinute ?? null,
  overLimitStatus: rateLimit?.overLimitStatus ?? 503,
});
