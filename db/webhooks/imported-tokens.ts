import type { Knex } from 'knex';
import type { Database } from '../client/connect.js';

/**
 * A token that another product made, and that an integration accepts besides its own, so that what sends to the other product only needs another
 * address. Only its hash is stored: nobody has to read it here. It does not expire, and the rotation of the URL leaves it alone.
 */
export interface ImportedToken {
  id: string;
  webhookId: string;
  /** Where it came from, in the words of who imported it. */
  source: string;
  /** Its last characters, by which a person knows it. */
  ending: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

type NewImportedToken = Omit<ImportedToken, 'createdAt' | 'lastUsedAt'> & { hash: Buffer };

/** Returns the imported tokens of an integration, the newest first. */
export async function listImportedTokens(database: Database, webhookId: string): Promise<ImportedToken[]> {
  const rows = await database('webhook_tokens')
    .where('webhook_id', webhookId)
    .whereNotNull('imported_id')
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'imported_id', order: 'desc' },
    ]);
  return rows.map((row) => ({
    id: row.imported_id ?? '',
    webhookId,
    source: row.imported_from ?? '',
    ending: row.ending ?? '',
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }));
}

/** Returns the integrations that have tokens, by the hashes of these in hexadecimal. */
export async function ownersOfTokens(
  database: Database,
  hashes: readonly Buffer[],
): Promise<Map<string, string>> {
  if (hashes.length === 0) return new Map();
  const rows = await database('webhook_tokens')
    .whereIn('token_hash', hashes)
    .select('token_hash', 'webhook_id');
  return new Map(rows.map((row) => [row.token_hash.toString('hex'), row.webhook_id]));
}

/** Returns how many imported tokens integrations have, by the ids of those that have any. */
export async function countImportedTokens(
  database: Database,
  webhookIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await database('webhook_tokens')
    .whereIn('webhook_id', webhookIds)
    .whereNotNull('imported_id')
    .groupBy('webhook_id')
    .select('webhook_id')
    .count({ tokens: '*' });
  return new Map(rows.map(({ webhook_id, tokens }) => [webhook_id, Number(tokens)]));
}

/** Adds an imported token, inside the transaction of a change. Returns null if an integration has it already. */
export async function insertImportedToken(
  transaction: Knex.Transaction,
  { id, webhookId, source, ending, hash }: NewImportedToken,
): Promise<ImportedToken | null> {
  const createdAt = new Date();
  const [{ affectedRows }] = await transaction.raw(
    `INSERT IGNORE INTO webhook_tokens (token_hash, webhook_id, sealed, created_at, imported_id, imported_from, ending)
     VALUES (?, ?, '', ?, ?, ?, ?)`,
    [hash, webhookId, createdAt, id, source, ending],
  );
  return affectedRows === 0 ? null : { id, webhookId, source, ending, createdAt, lastUsedAt: null };
}

/** Removes an imported token. Returns false if the integration has none with this id. */
export async function deleteImportedToken(
  transaction: Knex.Transaction,
  webhookId: string,
  id: string,
): Promise<boolean> {
  return (await transaction('webhook_tokens').where({ webhook_id: webhookId, imported_id: id }).delete()) > 0;
}
