import type { Knex } from 'knex';
import { BulkTable } from '../bulk/table.js';
import type { Database } from '../client/connect.js';
import { orderByKeyset } from '../client/keyset.js';
import { sqlNow } from '../client/now.js';
import { inTransaction } from '../client/transaction.js';
import type { StoredRow } from './lookup-rows.js';
import { describeRevision, type LookupTable } from './lookup-tables.js';

/** A revision is `loading` until all of its rows are written, and its rows are deleted once it is `removed`. */
export type RevisionState = 'loading' | 'ready' | 'removed';

/** A revision that is to be written. */
interface NewRevision
  extends Pick<LookupTable, 'name' | 'matching' | 'keyColumns' | 'columns' | 'lengths' | 'rowCount'> {
  /** Over all that it contains: revisions with the same one are identical. */
  digest: Buffer;
  jobId: string;
  author: { id: string; name: string };
  /** Whether the job has written rows before. */
  isStarted: boolean;
}

/** The place of a revision. */
export type RevisionId = Pick<LookupTable, 'id' | 'revision'>;

/**
 * Adds a revision without rows to a table, which it creates if there is none. A job that starts again gets the revision that it has; null if that was
 * deleted.
 */
export async function beginRevision(
  database: Database,
  { name, lengths, digest, ...revision }: NewRevision,
): Promise<RevisionId | null> {
  return inTransaction(database, async (transaction) => {
    const id = await lockTable(transaction, name);
    const own = { table_id: id, job_id: revision.jobId };
    const existing = await transaction('lookup_revisions').where(own).first('revision');
    if (existing) return { id, revision: existing.revision };
    if (revision.isStarted) return null;
    await transaction('lookup_tables').where({ id }).increment('last_revision');
    const row = await transaction('lookup_tables').where({ id }).first('last_revision');
    const number = row?.last_revision ?? 1;
    await transaction('lookup_revisions').insert({
      ...own,
      revision: number,
      state: 'loading',
      matching: revision.matching,
      key_columns: JSON.stringify(revision.keyColumns),
      columns: JSON.stringify(revision.columns),
      lengths: lengths.length === 0 ? null : JSON.stringify(lengths),
      row_count: revision.rowCount,
      digest,
      created_at: sqlNow(database),
      saved_by_id: revision.author.id,
      saved_by_name: revision.author.name,
    });
    return { id, revision: number };
  });
}

/** Locks the row of a table, which it creates if there is none. Returns the table's id. */
async function lockTable(transaction: Knex.Transaction, name: string): Promise<number> {
  const find = () => transaction('lookup_tables').where({ name }).forUpdate().first('id');
  const found = await find();
  if (found) return found.id;
  await transaction('lookup_tables')
    .insert({ name, updated_at: sqlNow(transaction) })
    .onConflict()
    .ignore();
  const created = await find();
  if (!created) throw new Error(`the lookup table ${name} was not created`);
  return created.id;
}

const ROWS = new BulkTable('lookup_rows', {
  table_id: 'number',
  revision: 'number',
  position: 'number',
  key_hash: 'bytes',
  cells: 'text',
});

/** Writes rows of a revision. */
export async function insertRows(
  transaction: Knex.Transaction,
  { id, revision }: RevisionId,
  rows: readonly StoredRow[],
): Promise<void> {
  const bulk = ROWS.rows();
  for (const { position, keyHash, cells } of rows) {
    bulk.number(id);
    bulk.number(revision);
    bulk.number(position);
    bulk.bytes(keyHash);
    bulk.text(cells);
    bulk.endRow();
  }
  await ROWS.insert(transaction, bulk);
}

/** Revisions of a table that are kept, the active one among them or besides. */
const KEPT = 10;

interface Activation {
  /** Of the upload that decides which revision is active. */
  acceptance: number;
  /** The only revision that may be replaced, such as one whose other rows the upload has; null: none may be active. Undefined for any. */
  base?: number | null | undefined;
  /** Where the file is kept from which the table comes. Undefined leaves that as it is. */
  managedBy?: string | null | undefined;
}

/**
 * Makes a revision whose rows are all written the active one of its table, unless an upload that was accepted later, or a person since, has decided
 * otherwise. Then only the last ten revisions stay. Returns whether it is active.
 */
export async function activateRevision(
  database: Database,
  { id, revision }: RevisionId,
  { acceptance, base, managedBy }: Activation,
): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    const table = transaction('lookup_tables').where({ id });
    const row = await table.clone().forUpdate().first('revision', 'acceptance');
    if (!row) return false;
    const own = transaction('lookup_revisions')
      .where({ table_id: id, revision })
      .whereNot('state', 'removed');
    if (!(await own.first('revision'))) return false;
    const isReplaced = base === undefined || row.revision === base || row.revision === revision;
    if (!isReplaced || Number(row.acceptance) > acceptance) return false;
    const managed = managedBy === undefined ? {} : { managed_by: managedBy };
    await table.clone().update({ revision, acceptance, updated_at: sqlNow(database), ...managed });
    await transaction('lookup_revisions')
      .where({ table_id: id, revision, state: 'loading' })
      .update({ state: 'ready' });
    const kept = await transaction('lookup_revisions')
      .where({ table_id: id, state: 'ready' })
      .orderBy('revision', 'desc')
      .limit(KEPT)
      .pluck('revision');
    await transaction('lookup_revisions')
      .where({ table_id: id, state: 'ready' })
      .whereNotIn('revision', [...kept, revision])
      .update(removedNow(database));
    return true;
  });
}

/** The state of a revision that was kept. When it was made matters no more. */
const removedNow = (database: Database) => ({ state: 'removed', created_at: sqlNow(database) }) as const;

/** Gives up a revision that did not become the active one. */
export async function discardRevision(database: Database, { id, revision }: RevisionId): Promise<void> {
  await database('lookup_revisions')
    .where({ table_id: id, revision, state: 'loading' })
    .update({ state: 'removed' });
}

/** Makes a kept revision the active one, because a person wants it. Returns false if there is none with this number. */
export async function revertTable(
  database: Database,
  { id, revision }: RevisionId,
  acceptance: number,
): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    const table = transaction('lookup_tables').where({ id });
    await table.clone().forUpdate().first('id');
    const kept = await transaction('lookup_revisions')
      .where({ table_id: id, revision, state: 'ready' })
      .first('revision');
    if (!kept) return false;
    await table.clone().update({ revision, acceptance, updated_at: sqlNow(database) });
    return true;
  });
}

/** Deletes a table with all its revisions. Its name stays, so that no upload that was accepted before brings it back. */
export async function deleteTable(database: Database, id: number, acceptance: number): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await transaction('lookup_tables')
      .where({ id })
      .update({ revision: null, acceptance, updated_at: sqlNow(database), managed_by: null });
    await transaction('lookup_revisions')
      .where({ table_id: id, state: 'ready' })
      .update(removedNow(database));
  });
}

/** Returns the number of the kept revision that has the same content; null if there is none. */
export async function findIdentical(database: Database, id: number, digest: Buffer): Promise<number | null> {
  const row = await database('lookup_revisions')
    .where({ table_id: id, digest, state: 'ready' })
    .orderBy('revision', 'desc')
    .first('revision');
  return row?.revision ?? null;
}

/** A revision that is kept. */
export type Revision = ReturnType<typeof describeRevision> & {
  jobId: string;
  createdAt: Date;
  savedBy: { id: string; name: string } | null;
};

/** Returns a page of the kept revisions of a table, the newest first. */
export async function listRevisions(
  database: Database,
  id: number,
  { limit, before }: { limit: number; before: number | undefined },
): Promise<Revision[]> {
  const query = database('lookup_revisions').where({ table_id: id, state: 'ready' }).limit(limit);
  const after = before === undefined ? undefined : [before];
  orderByKeyset(query, { columns: ['revision'], order: 'desc', after });
  return (await query).map((row) => ({
    ...describeRevision(row),
    jobId: row.job_id,
    createdAt: row.created_at,
    savedBy: row.saved_by_id === null ? null : { id: row.saved_by_id, name: row.saved_by_name ?? '' },
  }));
}

/** Marks the revisions as removed that no job completes: it has ended, and cannot be retried. */
export async function removeAbandoned(database: Database): Promise<number> {
  const [{ affectedRows }] = await database.raw(
    `UPDATE lookup_revisions AS r LEFT JOIN jobs AS j ON j.id = r.job_id SET r.state = 'removed'
     WHERE r.state = 'loading' AND (j.id IS NULL OR j.state NOT IN ('queued', 'running', 'failed') OR j.source_key IS NULL)`,
  );
  return affectedRows;
}

/** How long the rows of a removed revision stay: a worker that began to read it ends before. */
const READ_FOR_MINUTES = 10;

/** Deletes up to `limit` rows of a revision that was removed some minutes ago, and the revision itself once it has none. Returns the number of rows; null if there is no such revision. */
export async function deleteRemoved(database: Database, limit: number): Promise<number | null> {
  const found = await database('lookup_revisions')
    .where({ state: 'removed' })
    .whereRaw(`created_at < UTC_TIMESTAMP(3) - INTERVAL ${READ_FOR_MINUTES} MINUTE`)
    .first('table_id', 'revision');
  if (!found) return null;
  const deleted = await database('lookup_rows').where(found).limit(limit).delete();
  if (deleted < limit)
    await database('lookup_revisions')
      .where({ ...found, state: 'removed' })
      .delete();
  return deleted;
}
