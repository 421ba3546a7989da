import type { Knex } from 'knex';
import { BulkTable } from '../bulk/table.js';
import type { Database } from '../client/connect.js';
import { sqlNow } from '../client/now.js';
import { inTransaction } from '../client/transaction.js';
import type { LookupTable } from './lookup-tables.js';

/** A revision is `loading` until all of its rows are written, and its rows are deleted once it is `removed`. */
export type RevisionState = 'loading' | 'ready' | 'removed';

/** A revision that is to be written. */
export interface NewRevision
  extends Pick<LookupTable, 'name' | 'matching' | 'keyColumns' | 'columns' | 'lengths' | 'rowCount'> {
  /** Over all that it contains: revisions with the same one are identical. */
  digest: Buffer;
  jobId: string;
  author: { id: string; name: string };
}

/** The place of a revision. */
export type RevisionId = Pick<LookupTable, 'id' | 'revision'>;

/** Adds a revision without rows to a table, which it creates if there is none. A job that starts again gets the revision that it has. */
export async function beginRevision(
  database: Database,
  { name, lengths, digest, ...revision }: NewRevision,
): Promise<RevisionId> {
  return inTransaction(database, async (transaction) => {
    const id = await lockTable(transaction, name);
    const own = { table_id: id, job_id: revision.jobId };
    const existing = await transaction('lookup_revisions').where(own).first('revision');
    if (existing) return { id, revision: existing.revision };
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

/** A row on its way into a revision. */
export interface NewRow {
  /** Its place in the upload, from 0, among the valid rows. */
  position: number;
  keyHash: Buffer;
  /** A JSON array. */
  cells: string;
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
  rows: readonly NewRow[],
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

/**
 * Makes a revision whose rows are all written the active one of its table, unless an upload that was accepted later, or a person since, has decided
 * otherwise. Returns whether it is active.
 */
export async function activateRevision(
  database: Database,
  { id, revision }: RevisionId,
  acceptance: number,
): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    const table = transaction('lookup_tables').where({ id });
    await table.clone().forUpdate().first('id');
    await transaction('lookup_revisions')
      .where({ table_id: id, revision, state: 'loading' })
      .update({ state: 'ready' });
    const activated = await table
      .clone()
      .where('acceptance', '<=', acceptance)
      .update({ revision, acceptance, updated_at: sqlNow(database) });
    return activated > 0;
  });
}
