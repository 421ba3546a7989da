import type { Knex } from 'knex';
import type { Tables } from 'knex/types/tables.js';
import { uuidv7 } from 'uuidv7';
import type { Database } from '../client/connect.js';
import { orderByKeyset } from '../client/keyset.js';
import { sqlNow } from '../client/now.js';
import { generateSecretText, hashSecretText, isSecretText } from './secret-text.js';

/*
 * Links that let somebody without an API key upload files for one account system. All times are those of the database, which decides what has
 * expired. A link ends with the key that made it, so that revoking a stolen key ends the links that were made with it.
 */

/** `used_up`: its uploads are used, and their results can be read until it expires. */
export const LINK_STATES = ['open', 'used_up', 'expired', 'revoked'] as const;
export type LinkState = (typeof LINK_STATES)[number];

export interface UploadLink {
  id: string;
  integrationId: number;
  name: string;
  state: LinkState;
  uploadsAllowed: number;
  uploadsUsed: number;
  /** Dry runs. */
  checksUsed: number;
  /** The key that made it. Name null: it is unknown. */
  apiKey: { id: string; name: string | null };
  createdAt: Date;
  expiresAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

/** How many dry runs a link has. Their counts say whether an account is recorded with the owner that was sent, so they are limited. */
export const LINK_CHECKS = 100;

const PREFIX = 'mlink_';

/** Returns whether a text is that of an upload link, with whatever follows the prefix. */
export const startsAsLink = (text: string): boolean => text.startsWith(PREFIX);

/** Returns whether a text has a link's shape and checksum. */
export const isLinkText = (text: string): boolean => isSecretText(PREFIX, text);

export interface NewUploadLink {
  integrationId: number;
  name: string;
  uploadsAllowed: number;
  expiresAt: Date;
  apiKeyId: string;
}

/** Creates a link. Returns its id and its text, which is not stored: this is the only time that it can be shown. */
export async function createUploadLink(
  database: Database,
  link: NewUploadLink,
): Promise<{ id: string; text: string }> {
  const id = uuidv7();
  const text = generateSecretText(PREFIX);
  await database('upload_links').insert({
    id,
    integration_id: link.integrationId,
    name: link.name,
    token_hash: hashSecretText(text),
    uploads_allowed: link.uploadsAllowed,
    uploads_used: 0,
    checks_used: 0,
    api_key_id: link.apiKeyId,
    created_at: sqlNow(database),
    expires_at: link.expiresAt,
  });
  return { id, text };
}

/** Returns the link with this text, in whatever state; null if there is none. */
export async function findUploadLinkByText(database: Database, text: string): Promise<UploadLink | null> {
  const [row] = await select(database).where('l.token_hash', hashSecretText(text));
  return row ? toUploadLink(row) : null;
}

export async function findUploadLink(database: Database, id: string): Promise<UploadLink | null> {
  const [row] = await select(database).where('l.id', id);
  return row ? toUploadLink(row) : null;
}

/** Returns a page of the links, newest first. */
export async function listUploadLinks(
  database: Database,
  { integrationId }: { integrationId?: number | undefined },
  { limit, after }: { limit: number; after?: { at: Date; id: string } | undefined },
): Promise<UploadLink[]> {
  const query = select(database).limit(limit);
  if (integrationId !== undefined) query.where('l.integration_id', integrationId);
  orderByKeyset(query, {
    columns: ['l.created_at', 'l.id'],
    order: 'desc',
    after: after && [after.at, after.id],
  });
  return (await query).map(toUploadLink);
}

/** Counts the links that have not ended. */
export async function countOpenLinks(database: Database): Promise<number> {
  const [row] = await database('upload_links')
    .whereNull('revoked_at')
    .where('expires_at', '>', sqlNow(database))
    .count({ count: '*' });
  return Number(row?.count);
}

/** Revokes a link permanently. Revoking it again changes nothing. */
export async function revokeUploadLink(database: Database, id: string): Promise<void> {
  await database('upload_links')
    .where({ id })
    .whereNull('revoked_at')
    .update({ revoked_at: sqlNow(database) });
}

/** What a request takes of a link. */
export type LinkUse = 'upload' | 'check';

/**
 * Takes one use of a link, in the transaction that records its job. The row stays locked until then, so parallel requests never take more than there are.
 * Returns false if there is none left, or the link has ended.
 */
export async function takeLinkUse(transaction: Knex.Transaction, id: string, use: LinkUse): Promise<boolean> {
  const [counter, limit] =
    use === 'upload' ? ['uploads_used', 'l.uploads_allowed'] : ['checks_used', String(LINK_CHECKS)];
  const [{ affectedRows }] = await transaction.raw(
    `UPDATE upload_links l JOIN api_keys k ON k.id = l.api_key_id
     SET l.${counter} = l.${counter} + 1, l.last_used_at = UTC_TIMESTAMP(3)
     WHERE l.id = ? AND l.${counter} < ${limit} AND l.revoked_at IS NULL AND l.expires_at > UTC_TIMESTAMP(3)
       AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > UTC_TIMESTAMP(3))`,
    [id],
  );
  return affectedRows > 0;
}

/** Gives a use back, in the transaction that withdraws its job. */
export async function giveLinkUseBack(
  transaction: Knex.Transaction,
  id: string,
  use: LinkUse,
): Promise<void> {
  const counter = use === 'upload' ? 'uploads_used' : 'checks_used';
  await transaction('upload_links').where({ id }).where(counter, '>', 0).decrement(counter);
}

/** Who submitted a job: an API key, or an upload link that the key has made. */
export interface Author {
  apiKey: { id: string; name: string | null };
  uploadLink: { id: string; name: string } | null;
}

/** Returns the authors of these ids, which jobs and histories have as that of their key. Unknown ones have no name. */
export async function authorsOf(database: Database, ids: readonly string[]): Promise<(id: string) => Author> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return unknownAuthor;
  const links = await database('upload_links').whereIn('id', wanted).select('id', 'name', 'api_key_id');
  const madeBy = new Map(links.map((link) => [link.id, link]));
  const keyIds = [...wanted, ...links.map((link) => link.api_key_id)];
  const keys = await database('api_keys').whereIn('id', keyIds).select('id', 'name');
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  return (id) => {
    const link = madeBy.get(id);
    const keyId = link?.api_key_id ?? id;
    return {
      apiKey: { id: keyId, name: names.get(keyId) ?? null },
      uploadLink: link ? { id, name: link.name } : null,
    };
  };
}

const unknownAuthor = (id: string): Author => ({ apiKey: { id, name: null }, uploadLink: null });

const select = (database: Database) =>
  database({ l: 'upload_links' })
    .leftJoin({ k: 'api_keys' }, 'k.id', 'l.api_key_id')
    .select<LinkRow[]>('l.*', 'k.name AS key_name')
    .select(
      database.raw(`CASE
        WHEN l.revoked_at IS NOT NULL OR k.id IS NULL OR k.revoked_at IS NOT NULL THEN 'revoked'
        WHEN l.expires_at <= UTC_TIMESTAMP(3) OR k.expires_at <= UTC_TIMESTAMP(3) THEN 'expired'
        WHEN l.uploads_used >= l.uploads_allowed THEN 'used_up'
        ELSE 'open' END AS state`),
    );

type LinkRow = Tables['upload_links'] & {
  key_name: string | null;
  state: LinkState;
};

const toUploadLink = (row: LinkRow): UploadLink => ({
  id: row.id,
  integrationId: Number(row.integration_id),
  name: row.name,
  state: row.state,
  uploadsAllowed: row.uploads_allowed,
  uploadsUsed: row.uploads_used,
  checksUsed: row.checks_used,
  apiKey: { id: row.api_key_id, name: row.key_name },
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
  revokedAt: row.revoked_at,
});
