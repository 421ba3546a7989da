import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { uuidv7 } from 'uuidv7';
import type { Database } from '../client/connect.js';
import { isDuplicateKey } from '../client/errors.js';
import { orderByKeyset } from '../client/keyset.js';

export const SCOPES = [
  'developer_records:read',
  'developer_records:write',
  'webhooks:read',
  'webhooks:write',
  'alerts:read',
  'admin',
] as const;
export type Scope = (typeof SCOPES)[number];

export interface ApiKey {
  id: string;
  name: string;
  scopes: Scope[];
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

const PREFIX = 'mstr_';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHECKSUM_LENGTH = 6;
const SHAPE = /^mstr_([0-9A-Za-z]{32,128})([0-9A-Za-z]{6})$/;

/** A new key's text: `mstr_`, 32 base62 characters of randomness (190 bits), 6 of CRC32. Shown once, never stored. */
export function generateKeyText(): string {
  const random = randomBase62(32);
  return PREFIX + random + checksum(random);
}

/** True when the text is a key's shape and its checksum fits, so that a typo needs no look-up. */
export function isKeyText(text: string): boolean {
  const match = SHAPE.exec(text);
  return match !== null && checksum(match[1] as string) === match[2];
}

function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    // 248 is the greatest multiple of 62 in a byte: what lies above would favour the first letters.
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += BASE62[byte % 62];
  }
  return text;
}

function checksum(text: string): string {
  let left = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = BASE62[left % 62] + digits;
    left = Math.floor(left / 62);
  }
  return digits;
}

/** Keys have 190 bits of randomness, so a fast hash is enough: there is nothing to guess. */
export const hashKeyText = (text: string): Buffer => createHash('sha256').update(text).digest();

export interface NewApiKey {
  name: string;
  scopes: readonly Scope[];
  expiresAt?: Date | null;
}

/** Makes a key; `text` is the only time that anybody sees it. */
export async function createApiKey(
  database: Database,
  key: NewApiKey,
): Promise<{ apiKey: ApiKey; text: string }> {
  const text = generateKeyText();
  return { apiKey: await insertApiKey(database, key, text), text };
}

/** Sees to it that this very key exists: the first key, from the settings or the data directory. One that was revoked stays so. */
export async function ensureApiKey(database: Database, key: NewApiKey, text: string): Promise<void> {
  if (await findApiKeyByHash(database, hashKeyText(text))) return;
  await insertApiKey(database, key, text).catch((error) => {
    if (!isDuplicateKey(error)) throw error;
  });
}

async function insertApiKey(database: Database, key: NewApiKey, text: string): Promise<ApiKey> {
  const row = {
    id: uuidv7(),
    name: key.name,
    key_hash: hashKeyText(text),
    scopes: key.scopes.join(','),
    created_at: new Date(),
    expires_at: key.expiresAt ?? null,
  };
  await database('api_keys').insert(row);
  return toApiKey({ ...row, last_used_at: null, revoked_at: null });
}

/** The key with this SHA-256, also when it is expired or revoked. */
export async function findApiKeyByHash(database: Database, hash: Buffer): Promise<ApiKey | null> {
  const row = await database('api_keys').where({ key_hash: hash }).first();
  return row ? toApiKey(row) : null;
}

export interface ApiKeyPage {
  limit: number;
  /** Start behind the key that was made then, under this id. */
  after?: { at: Date; id: string } | undefined;
}

/** Keys, newest first: a page of them, or all. */
export async function listApiKeys(database: Database, page?: ApiKeyPage): Promise<ApiKey[]> {
  const after = page?.after && [page.after.at, page.after.id];
  const query = database('api_keys');
  orderByKeyset(query, { columns: ['created_at', 'id'], order: 'desc', after });
  if (page) query.limit(page.limit);
  return (await query).map(toApiKey);
}

/** Revokes a key for good. False when no such key was there; a second time changes nothing. */
export async function revokeApiKey(database: Database, id: string): Promise<boolean> {
  const row = await database('api_keys').where({ id }).first('id');
  if (!row) return false;
  await database('api_keys').where({ id }).whereNull('revoked_at').update({ revoked_at: new Date() });
  return true;
}

/** Notes that a key was used. */
export async function touchApiKey(database: Database, id: string, usedAt: Date): Promise<void> {
  await database('api_keys').where({ id }).update({ last_used_at: usedAt });
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver hands it over; this is where it gets its types.
function toApiKey(row: any): ApiKey {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes.split(','),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  };
}
