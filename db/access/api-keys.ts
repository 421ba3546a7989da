import type { Tables } from 'knex/types/tables.js';
import { uuidv7 } from 'uuidv7';
import type { Database } from '../client/connect.js';
import { isDuplicateKey } from '../client/errors.js';
import { orderByKeyset } from '../client/keyset.js';
import { generateSecretText, hashSecretText, isSecretText } from './secret-text.js';

export const SCOPES = [
  'developer_records:read',
  'developer_records:write',
  'developer_records:approve',
  'webhooks:read',
  'webhooks:write',
  'webhooks:write:all',
  'alerts:read',
  'alerts:write',
  'destinations:read',
  'destinations:write',
  'destinations:replay',
  'tables:read',
  'tables:write',
  'audit:read',
  'admin',
] as const;
export type Scope = (typeof SCOPES)[number];

export interface ApiKey {
  id: string;
  name: string;
  /** The first characters of its text, by which a key that was found somewhere is recognized; null for a key of an earlier release. */
  prefix: string | null;
  scopes: Scope[];
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

const PREFIX = 'mstr_';
/** Returns the text of a new key. */
export const generateKeyText = (): string => generateSecretText(PREFIX);

/** Returns whether a text has a key's shape and checksum. */
export const isKeyText = (text: string): boolean => isSecretText(PREFIX, text);

/** Returns the part of a key's text that is stored: of its 190 random bits, 155 stay unknown. */
const prefixOf = (text: string): string => text.slice(0, PREFIX.length + 6);

/** Returns a key's SHA-256. */
export const hashKeyText = hashSecretText;

export interface NewApiKey {
  name: string;
  scopes: readonly Scope[];
  expiresAt?: Date | null;
}

/** Creates a key. `text` is not stored: this is the only time that it can be shown. */
export async function createApiKey(
  database: Database,
  key: NewApiKey,
): Promise<{ apiKey: ApiKey; text: string }> {
  const text = generateKeyText();
  return { apiKey: await insertApiKey(database, key, text), text };
}

/** Creates the key with this text unless it exists, and returns its id; null if it exists. A revoked key stays revoked. */
export async function ensureApiKey(database: Database, key: NewApiKey, text: string): Promise<string | null> {
  if (await findApiKeyByHash(database, hashKeyText(text))) return null;
  try {
    return (await insertApiKey(database, key, text)).id;
  } catch (error) {
    if (isDuplicateKey(error)) return null;
    throw error;
  }
}

async function insertApiKey(database: Database, key: NewApiKey, text: string): Promise<ApiKey> {
  const row = {
    id: uuidv7(),
    name: key.name,
    prefix: prefixOf(text),
    key_hash: hashKeyText(text),
    scopes: key.scopes.join(','),
    created_at: new Date(),
    expires_at: key.expiresAt ?? null,
  };
  await database('api_keys').insert(row);
  return toApiKey({ ...row, last_used_at: null, revoked_at: null });
}

/** Returns the key with this SHA-256, even if it is expired or revoked; null if there is none. */
export async function findApiKeyByHash(database: Database, hash: Buffer): Promise<ApiKey | null> {
  const row = await database('api_keys').where({ key_hash: hash }).first();
  return row ? toApiKey(row) : null;
}

/** Returns the key with an id, even if it is expired or revoked; null if there is none. */
export async function findApiKey(database: Database, id: string): Promise<ApiKey | null> {
  const row = await database('api_keys').where({ id }).first();
  return row ? toApiKey(row) : null;
}

export interface ApiKeyPage {
  limit: number;
  /** Start after the key with this creation time and id. */
  after?: { at: Date; id: string } | undefined;
  /** Only the keys of this prefix. */
  prefix?: string | undefined;
}

/** Returns a page of the keys, or all, newest first. */
export async function listApiKeys(database: Database, page?: ApiKeyPage): Promise<ApiKey[]> {
  const after = page?.after && [page.after.at, page.after.id];
  const query = database('api_keys');
  orderByKeyset(query, { columns: ['created_at', 'id'], order: 'desc', after });
  if (page) query.limit(page.limit);
  if (page?.prefix !== undefined) query.where({ prefix: page.prefix });
  return (await query).map(toApiKey);
}

/** Counts the keys that are neither revoked nor expired. */
export async function countValidKeys(database: Database, now: Date): Promise<number> {
  const [row] = await database('api_keys')
    .whereNull('revoked_at')
    .where((query) => query.whereNull('expires_at').orWhere('expires_at', '>', now))
    .count({ count: '*' });
  return Number(row?.count);
}

/** Revokes a key permanently. Returns false if there is no such key. Revoking it again changes nothing. */
export async function revokeApiKey(database: Database, id: string): Promise<boolean> {
  const row = await database('api_keys').where({ id }).first('id');
  if (!row) return false;
  await database('api_keys').where({ id }).whereNull('revoked_at').update({ revoked_at: new Date() });
  return true;
}

/** Records when a key was last used. */
export async function touchApiKey(database: Database, id: string, usedAt: Date): Promise<void> {
  await database('api_keys').where({ id }).update({ last_used_at: usedAt });
}

function toApiKey(row: Tables['api_keys']): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes.split(',') as Scope[],
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  };
}
