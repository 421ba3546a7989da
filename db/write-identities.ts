import type { Knex } from 'knex';
import type { RowDataPacket } from 'mysql2';
import type { Database } from './connect.js';
import { isDuplicateKey } from './errors.js';
import { type ChunkCounts, enterChunk, type LedgerEntry, NO_COUNTS } from './import-chunks.js';
import { runStatement } from './statement.js';
import { inTransaction } from './transaction.js';

/** What an upload says of one account: who owns it, or with a null e-mail that it is to be removed. */
export interface Assertion {
  integrationId: number;
  identity: string;
  email: string | null;
}

export interface ChunkWrite {
  jobId: string;
  /** The upload's acceptance number: it changes only rows whose last upload was not accepted later. */
  acceptance: number;
  entry: LedgerEntry;
  /** Sorted by key; rows of the same key in the order of the upload. */
  rows: readonly Assertion[];
}

interface StoredRow {
  email: string | null;
  asserted_by: number;
  created_at: Date;
  updated_at: Date;
}

/**
 * Writes one chunk and its ledger entry in one transaction. Null when the chunk had been committed before.
 * The rows there are read and locked first, so the counts are exact and what is written is decided here; a key that
 * somebody else inserts in between refuses the insert, and the chunk starts over.
 */
export async function writeChunk(database: Database, chunk: ChunkWrite): Promise<ChunkCounts | null> {
  for (;;) {
    try {
      return await inTransaction(database, (transaction) => writeOnce(transaction, chunk));
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      if (await isEntered(database, chunk)) return null;
    }
  }
}

async function isEntered(database: Database, { jobId, entry }: ChunkWrite): Promise<boolean> {
  const { lane, chunk } = entry;
  return (await database('import_chunks').where({ job_id: jobId, lane, chunk }).first('lane')) !== undefined;
}

async function writeOnce(transaction: Knex.Transaction, chunk: ChunkWrite): Promise<ChunkCounts> {
  const stored = await lockRows(transaction, chunk.rows);
  const { counts, inserts, changes } = decide(chunk, stored, new Date());
  if (inserts.length > 0) await runStatement(transaction, INSERT, [inserts]);
  if (changes.length > 0) await runStatement(transaction, INSERT + ON_DUPLICATE, [changes]);
  await enterChunk(transaction, chunk.jobId, chunk.entry, counts);
  return counts;
}

const INSERT =
  'INSERT INTO identities (integration_id, identity, email, asserted_by, created_at, updated_at) VALUES ?';
/** Only for rows that are locked already, so there is nothing left to compare. */
const ON_DUPLICATE = ` ON DUPLICATE KEY UPDATE email = VALUES(email), asserted_by = VALUES(asserted_by),
  created_at = VALUES(created_at), updated_at = VALUES(updated_at)`;

const keyOf = (integrationId: number, identity: string): string => `${integrationId}\n${identity}`;

async function lockRows(
  transaction: Knex.Transaction,
  rows: readonly Assertion[],
): Promise<Map<string, StoredRow>> {
  const byIntegration = groupByIntegration(rows);
  const conditions = [...byIntegration.keys()]
    .map(() => '(integration_id = ? AND identity IN (?))')
    .join(' OR ');
  const values = [...byIntegration].flatMap(([id, group]) => [id, group.map(({ identity }) => identity)]);
  const sql = `SELECT integration_id, identity, email, asserted_by, created_at, updated_at
    FROM identities WHERE ${conditions} FOR UPDATE`;
  const found = await runStatement<(StoredRow & RowDataPacket)[]>(transaction, sql, values);
  return new Map(found.map((row) => [keyOf(Number(row.integration_id), row.identity), row]));
}

function groupByIntegration(rows: readonly Assertion[]): Map<number, Assertion[]> {
  const groups = new Map<number, Assertion[]>();
  for (const row of rows) {
    const group = groups.get(row.integrationId);
    if (group) group.push(row);
    else groups.set(row.integrationId, [row]);
  }
  return groups;
}

type Cells = [number, string, string | null, number, Date, Date];

/** Applies the rows one by one to what is stored: what was counted, and which rows are to be written. */
function decide({ rows, acceptance }: ChunkWrite, stored: Map<string, StoredRow>, now: Date) {
  const counts = { ...NO_COUNTS };
  const present = new Map(stored);
  const touched = new Map<string, Assertion>();
  for (const row of rows) {
    const key = keyOf(row.integrationId, row.identity);
    const before = present.get(key);
    const outcome = outcomeOf(before, row.email, acceptance);
    counts[outcome] += 1;
    if (outcome === 'superseded') continue;
    present.set(key, applied(before, row.email, acceptance, outcome, now));
    touched.set(key, row);
  }
  const inserts: Cells[] = [];
  const changes: Cells[] = [];
  for (const [key, { integrationId, identity }] of touched) {
    const after = present.get(key) as StoredRow;
    const cells: Cells = [
      integrationId,
      identity,
      after.email,
      after.asserted_by,
      after.created_at,
      after.updated_at,
    ];
    (stored.has(key) ? changes : inserts).push(cells);
  }
  return { counts, inserts, changes };
}

function outcomeOf(
  before: StoredRow | undefined,
  email: string | null,
  acceptance: number,
): keyof ChunkCounts {
  if (before && Number(before.asserted_by) > acceptance) return 'superseded';
  const owner = before?.email ?? null;
  if (email === null) return owner === null ? 'notFound' : 'removed';
  if (owner === null) return 'created';
  return owner === email ? 'unchanged' : 'updated';
}

/** A row that was removed and comes back is a new one; `updatedAt` moves only when the e-mail does. */
function applied(
  before: StoredRow | undefined,
  email: string | null,
  acceptance: number,
  outcome: keyof ChunkCounts,
  now: Date,
): StoredRow {
  const created = outcome === 'created' || before === undefined;
  const moved = created || outcome === 'updated' || outcome === 'removed';
  return {
    email,
    asserted_by: acceptance,
    created_at: created ? now : before.created_at,
    updated_at: moved || before === undefined ? now : before.updated_at,
  };
}
