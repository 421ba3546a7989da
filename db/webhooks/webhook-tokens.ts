import type { Database } from '../client/connect.js';
import { toWebhook, type Webhook } from './webhooks.js';

/** A token of an integration. */
export interface WebhookToken {
  webhookId: string;
  /** The encrypted token. */
  sealed: Buffer;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}

/** Returns the unexpired tokens of integrations, without the imported ones, the newest first. */
export async function listTokens(
  database: Database,
  webhookIds: readonly string[],
  now: Date,
): Promise<WebhookToken[]> {
  if (webhookIds.length === 0) return [];
  const rows = await database('webhook_tokens')
    .whereIn('webhook_id', webhookIds)
    .whereNull('imported_id')
    .where((unexpired) => unexpired.whereNull('expires_at').orWhere('expires_at', '>', now))
    .orderBy('created_at', 'desc');
  return rows.map((row) => ({
    webhookId: row.webhook_id,
    sealed: row.sealed,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
  }));
}

/** A token's hash and its integration. */
export interface TokenRoute {
  hash: Buffer;
  expiresAt: Date | null;
  webhook: Webhook;
}

/** Returns a number that increases with every change of an integration or token. */
export async function readChangesVersion(database: Database): Promise<number> {
  const row = await database('webhook_changes').first('version');
  return Number(row?.version ?? 0);
}

/** Returns the tokens of all integrations that are not deleted. */
export async function loadTokenRoutes(database: Database): Promise<TokenRoute[]> {
  const rows = await database('webhook_tokens')
    .join('webhooks', 'webhooks.id', 'webhook_tokens.webhook_id')
    .whereNull('webhooks.deleted_at')
    .select('webhooks.*', 'webhook_tokens.token_hash', 'webhook_tokens.expires_at');
  return rows.map((row) => ({ hash: row.token_hash, expiresAt: row.expires_at, webhook: toWebhook(row) }));
}

/** Stores that a request to a token was not accepted, and why. */
export async function noteRefusal(
  database: Database,
  hash: Buffer,
  { at, code }: { at: Date; code: string },
): Promise<void> {
  await database('webhook_tokens')
    .where('token_hash', hash)
    .update({ refused_at: at, refused_code: code.slice(0, 40) });
}

/** Stores when tokens were last used. */
export async function touchTokens(
  database: Database,
  hashes: readonly Buffer[],
  usedAt: Date,
): Promise<void> {
  if (hashes.length === 0) return;
  await database('webhook_tokens').whereIn('token_hash', hashes).update({ last_used_at: usedAt });
}
