import type { Knex } from 'knex';
import { BulkTable } from '../bulk/table.js';
import type { Database } from '../client/connect.js';
import { takePositions } from './identity-feed.js';
import type { IdentityKey } from './key-order.js';

/** What happened to an account. A row that asserts the owner that is stored already changes nothing and is left out. */
export interface IdentityChange extends IdentityKey {
  /** The owner before and after; null if there is none. */
  before: string | null;
  after: string | null;
  outcome: (typeof CHANGE_OUTCOMES)[number];
  /**
   * The line or the index of the row in the upload; of the last one if rows repeat the key. Null if no row names the
   * account: then a mirrored file has removed it.
   */
  place: number | null;
  /** Conflicts only: the owner that the account has. `before` and `after` are what was planned. */
  owner?: string | null;
}

export const CHANGE_OUTCOMES = [
  'created',
  'updated',
  'removed',
  'superseded',
  'not_found',
  'restored',
  'skipped',
  'conflict',
] as const;

/** The files that the changes of a job form, and the numbers that stand for them in the table. */
const KINDS = { changes: 0, skipped: 1, conflicts: 2 } as const;
export type ChangesKind = keyof typeof KINDS;

/** A piece of such a file: whole lines, compressed. */
export interface ChangesPart {
  kind: ChangesKind;
  /** A complete gzip member. */
  content: Buffer;
  /** Size after decompression. */
  textBytes: number;
  /** The bytes that escaping formulas adds to it. */
  escapes: number;
}

/** Turns the changes of a chunk into parts. */
export type EncodeChanges = (changes: readonly IdentityChange[]) => Promise<ChangesPart[]>;

/** A part in the table, without its content. */
export interface StoredPart {
  chunk: number;
  part: number;
  textBytes: number;
  gzipBytes: number;
  escapes: number;
}

const table = new BulkTable(
  'import_changes',
  {
    job_id: 'text',
    kind: 'number',
    chunk: 'number',
    part: 'number',
    text_bytes: 'number',
    gzip_bytes: 'number',
    escapes: 'number',
    content: 'bytes',
    position: 'number',
  },
  '',
  { constants: { changed_at: 'UTC_TIMESTAMP(6)' } },
);

/** A chunk whose parts are stored. */
interface RecordedChunk {
  jobId: string;
  chunk: number;
  /** Whether its changes are in the feed: it has changed identities. */
  isFed: boolean;
}

/**
 * Stores the parts of a chunk in the transaction that writes the chunk, so each committed change is in them exactly once. If the
 * chunk has changed identities, it must be the last that the transaction does, see `takePositions`.
 */
export async function insertChanges(
  transaction: Knex.Transaction,
  { jobId, chunk, isFed }: RecordedChunk,
  parts: readonly ChangesPart[],
): Promise<void> {
  const fed = isFed ? parts.filter(({ kind }) => kind === 'changes').length : 0;
  let position = fed > 0 ? await takePositions(transaction, fed) : 0;
  const rows = table.rows();
  for (const [part, { kind, content, textBytes, escapes }] of parts.entries()) {
    rows.text(jobId);
    rows.number(KINDS[kind]);
    rows.number(chunk);
    rows.number(part);
    rows.number(textBytes);
    rows.number(content.length);
    rows.number(escapes);
    rows.bytes(content);
    rows.number(fed > 0 && kind === 'changes' ? position++ : null);
    rows.endRow();
  }
  await table.insert(transaction, rows);
}

/** Returns the parts of a file in their order, which is the order of the keys. */
export async function listParts(
  database: Database,
  jobId: string,
  kind: ChangesKind = 'changes',
): Promise<StoredPart[]> {
  const rows = await database('import_changes')
    .where({ job_id: jobId, kind: KINDS[kind] })
    .orderBy(['chunk', 'part'])
    .select('chunk', 'part', 'text_bytes', 'gzip_bytes', 'escapes');
  return rows.map((row) => ({
    chunk: row.chunk,
    part: row.part,
    textBytes: row.text_bytes,
    gzipBytes: row.gzip_bytes,
    escapes: row.escapes,
  }));
}

/** Returns the content of a part; null if it has been deleted. */
export async function readPart(
  database: Database,
  jobId: string,
  kind: ChangesKind,
  { chunk, part }: Pick<StoredPart, 'chunk' | 'part'>,
): Promise<Buffer | null> {
  const key = { job_id: jobId, kind: KINDS[kind], chunk, part };
  const row = await database('import_changes').where(key).first('content');
  return row?.content ?? null;
}

/**
 * Returns how many bytes the changes of a job take. Returns null if they are not known completely: a worker that does not
 * record changes has written a chunk.
 */
export async function measureChanges(database: Database, jobId: string): Promise<number | null> {
  const missing = await database('job_steps')
    .where({ job_id: jobId })
    .whereNull('changes_kept')
    .first('step');
  if (missing) return null;
  return sizeOfChanges(database, jobId);
}

/** Returns how many bytes the stored parts of a job take. */
export async function sizeOfChanges(database: Database, jobId: string): Promise<number> {
  const row = await database('import_changes').where({ job_id: jobId }).sum({ bytes: 'gzip_bytes' }).first();
  return Number(row?.bytes ?? 0);
}
