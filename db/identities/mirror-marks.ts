import type { Knex } from 'knex';
import type { Database } from '../client/connect.js';
import { readPrepared } from '../client/statement.js';
import { inTransaction } from '../client/transaction.js';
import type { OwnedKey } from './chunk-outcome.js';
import type { IdentityKey } from './key-order.js';
import type { StoredIdentities } from './lock-identities.js';

/** The row with the greatest acceptance number of all marks. No account system has this id. */
const GATE = 0;

const NONE: ReadonlySet<number> = new Set();

/**
 * Returns the account systems that were mirrored by an upload accepted later than `acceptance`: nothing of an earlier upload
 * may be written to them any more. With `lock`, no account system can be marked until the transaction ends. It must come
 * before the transaction's other statements.
 */
export async function readMirrored(
  transaction: Knex.Transaction,
  acceptance: number,
  lock: boolean,
): Promise<ReadonlySet<number>> {
  const sql = `SELECT acceptance FROM identity_mirrors WHERE integration_id = ${GATE}`;
  const [gate] = await readPrepared<[number | string]>(
    transaction,
    lock ? `${sql} LOCK IN SHARE MODE` : sql,
    [],
  );
  if (Number(gate?.[0] ?? 0) <= acceptance) return NONE;
  const marked = await transaction('identity_mirrors')
    .where('acceptance', '>', acceptance)
    .whereNot({ integration_id: GATE })
    .pluck('integration_id');
  return new Set(marked.map(Number));
}

/**
 * Marks account systems as mirrored by an upload. Waits until all chunks that were being written without the mark are
 * committed, so their rows can be read afterwards.
 */
export async function markMirrored(
  database: Database,
  integrationIds: readonly number[],
  acceptance: number,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await transaction.raw(
      'UPDATE identity_mirrors SET acceptance = GREATEST(acceptance, ?) WHERE integration_id = ?',
      [acceptance, GATE],
    );
    await transaction.raw(
      `INSERT INTO identity_mirrors (integration_id, acceptance) VALUES ${integrationIds.map(() => '(?, ?)').join()}
       ON DUPLICATE KEY UPDATE acceptance = GREATEST(acceptance, VALUES(acceptance))`,
      integrationIds.flatMap((id) => [id, acceptance]),
    );
  });
}

/** Returns stored rows in which all accounts of these account systems count as asserted by a later upload. */
export function superseding(
  stored: StoredIdentities,
  keys: readonly IdentityKey[],
  mirrored: ReadonlySet<number>,
): StoredIdentities {
  if (mirrored.size === 0) return stored;
  const isMirrored = keys.map(({ integrationId }) => mirrored.has(integrationId));
  const rows = stored.rows.map((row, at) =>
    isMirrored[at] ? { email: row?.email ?? null, assertedBy: 1 as const } : row,
  );
  // Their stored numbers may still be lower, so no range may be updated across them.
  const gapBefore = stored.gapBefore.map((gap, at) => gap || isMirrored[at] === true);
  return { rows, gapBefore };
}

interface KeyPage {
  integrationId: number;
  /** Start after this account. */
  after: string | null;
  /** Only accounts that an upload with a lower acceptance number asserted last. */
  acceptance: number;
  limit: number;
}

/** Returns the next accounts of an account system that have an owner, in the order of their names. */
export async function listAssertedBefore(
  database: Database,
  { integrationId, after, acceptance, limit }: KeyPage,
): Promise<OwnedKey[]> {
  const query = database('identities')
    .where({ integration_id: integrationId })
    .where('asserted_by', '<', acceptance)
    .whereNotNull('email')
    .orderBy('identity')
    .limit(limit)
    .select('identity', 'email');
  if (after !== null) query.where('identity', '>', after);
  const rows = await query;
  return rows.map(({ identity, email }) => ({ integrationId, identity, email }));
}
