import { createHash } from 'node:crypto';
import type { Tables } from 'knex/types/tables.js';
import type { Database } from '../client/connect.js';

/** What tells the senders of a token apart. */
export interface SenderForm {
  /** Where requests go: empty for the webhook URL itself, else a path of an API such as `/v2/alerts`; null: the senders beyond those that are told apart. */
  path: string | null;
  /** Whether that path is at the root, with the token in a header or the body, and not below the webhook URL. */
  atRoot: boolean;
  /** The host that they ask for, without its port. */
  host: string;
  userAgent: string;
}

/** What a form of sender sent to a token. */
export interface Sender extends SenderForm {
  firstAt: Date;
  lastAt: Date;
  requests: number;
}

export type TokenSender = Sender & { tokenHash: Buffer };

/** Senders of a token that are told apart. */
export const MAX_SENDERS = 50;
const BATCH = 500;
/** All senders beyond those that are told apart. */
export const REST: SenderForm = { path: null, atRoot: false, host: '', userAgent: '' };

/** Adds to what was counted of senders. If it throws, the statement that failed and those after it have added nothing. */
export async function addSenders(database: Database, senders: readonly TokenSender[]): Promise<void> {
  for (let start = 0; start < senders.length; start += BATCH) {
    const batch = senders.slice(start, start + BATCH);
    const known = await knownSenders(
      database,
      batch.map(({ tokenHash }) => tokenHash),
    );
    const rows = batch.map((sender) => {
      const row = rowOf(sender);
      const [token, key] = [row.token_hash.toString('hex'), row.sender.toString('hex')];
      const senders = known.get(token) ?? new Set();
      if (!senders.has(key) && senders.size >= MAX_SENDERS) return rowOf({ ...sender, ...REST });
      known.set(token, senders.add(key));
      return row;
    });
    // In the order of the key, so that hosts do not deadlock.
    rows.sort((a, b) => a.token_hash.compare(b.token_hash) || a.sender.compare(b.sender));
    await database('webhook_senders')
      .insert(rows)
      .onConflict()
      .merge({
        last_at: database.raw('GREATEST(last_at, VALUES(last_at))'),
        requests: database.raw('requests + VALUES(requests)'),
      });
  }
}

/** Returns the senders that are stored of tokens, both in hexadecimal. */
async function knownSenders(
  database: Database,
  hashes: readonly Buffer[],
): Promise<Map<string, Set<string>>> {
  const rows = await database('webhook_senders')
    .whereIn('token_hash', hashes)
    .whereNotNull('path')
    .select('token_hash', 'sender');
  const known = new Map<string, Set<string>>();
  for (const { token_hash, sender } of rows) {
    const token = token_hash.toString('hex');
    known.set(token, (known.get(token) ?? new Set()).add(sender.toString('hex')));
  }
  return known;
}

function rowOf({ tokenHash, firstAt, lastAt, requests, ...form }: TokenSender): Tables['webhook_senders'] {
  const { path, atRoot, host, userAgent } = form;
  const sender = createHash('sha256').update(JSON.stringify([path, atRoot, host, userAgent]));
  return {
    token_hash: tokenHash,
    sender: sender.digest().subarray(0, 16),
    ...{ path, at_root: atRoot ? 1 : 0, host, user_agent: userAgent },
    ...{ first_at: firstAt, last_at: lastAt, requests },
  };
}

/** A token that an integration accepts, and what sends to it, the last one first. */
export interface UsedToken {
  /** Null: it belongs to the webhook URL. */
  imported: { id: string; source: string; ending: string } | null;
  createdAt: Date;
  expiresAt: Date | null;
  senders: Sender[];
}

/** Returns the unexpired tokens of an integration with their senders: those of the webhook URL first, and of these the newest. */
export async function listSenders(database: Database, webhookId: string, now: Date): Promise<UsedToken[]> {
  const tokens = await database('webhook_tokens')
    .where('webhook_id', webhookId)
    .where((unexpired) => unexpired.whereNull('expires_at').orWhere('expires_at', '>', now))
    .orderByRaw('imported_id IS NOT NULL, created_at DESC, imported_id DESC')
    .select('token_hash', 'imported_id', 'imported_from', 'ending', 'created_at', 'expires_at');
  const hashes = tokens.map(({ token_hash }) => token_hash);
  const rows = await database('webhook_senders').whereIn('token_hash', hashes).orderBy('last_at', 'desc');
  return tokens.map((token) => ({
    imported: token.imported_id
      ? { id: token.imported_id, source: token.imported_from ?? '', ending: token.ending ?? '' }
      : null,
    createdAt: token.created_at,
    expiresAt: token.expires_at,
    senders: rows.filter(({ token_hash }) => token_hash.equals(token.token_hash)).map(toSender),
  }));
}

const toSender = (row: Tables['webhook_senders']): Sender => ({
  path: row.path,
  atRoot: row.at_root === 1,
  host: row.host,
  userAgent: row.user_agent,
  firstAt: row.first_at,
  lastAt: row.last_at,
  requests: Number(row.requests),
});

/** Deletes up to `limit` senders that have not sent since a time. Returns their number. */
export const deleteSendersBefore = (database: Database, before: Date, limit: number): Promise<number> =>
  database('webhook_senders').where('last_at', '<', before).limit(limit).delete();
