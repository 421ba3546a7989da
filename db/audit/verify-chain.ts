import type { Database } from '../client/connect.js';
import { inTransaction } from '../client/transaction.js';
import { hashEntry } from './chain.js';

/** The first place at which a chain does not hold. */
export interface ChainFault {
  shard: number;
  sequence: number;
  /** The entry there; null if there is none any more. */
  id: string | null;
  /**
   * `removed`: there is no entry. `changed`: the entry is not what its hash says. `added`: it comes after the head. `head`: the head does not have
   * the hash of the last entry.
   */
  what: 'removed' | 'changed' | 'added' | 'head';
}

/** A place in the chain of a shard: the hash of the entry there is known from elsewhere. */
export interface ChainPlace {
  shard: number;
  sequence: number;
  hash: Buffer;
}

const BATCH = 2_000;

/** Returns the heads of all shards. */
export async function readHeads(database: Database): Promise<ChainPlace[]> {
  const rows = await database('audit_heads').orderBy('shard');
  return rows.map(({ shard, sequence, hash }) => ({ shard, sequence: Number(sequence), hash }));
}

/**
 * Computes the hashes of all entries again, at one moment: entries that are written or expire meanwhile do not matter.
 * @returns how many entries there are, and the first fault of each shard
 */
export async function verifyChains(database: Database): Promise<{ entries: number; faults: ChainFault[] }> {
  return inTransaction(database, async (snapshot) => {
    const heads = await readHeads(snapshot);
    const checkpoints = await snapshot('audit_checkpoints');
    let entries = 0;
    const faults: ChainFault[] = [];
    for (const head of heads) {
      const start = checkpoints.find(({ shard }) => shard === head.shard);
      const place = {
        shard: head.shard,
        sequence: Number(start?.sequence ?? 0),
        hash: start?.hash ?? head.hash,
      };
      const fault = await verifyShard(snapshot, place, head, (count) => {
        entries += count;
      });
      if (fault) faults.push(fault);
    }
    return { entries, faults };
  });
}

async function verifyShard(
  snapshot: Database,
  start: ChainPlace,
  head: ChainPlace,
  counted: (entries: number) => void,
): Promise<ChainFault | null> {
  const { shard } = start;
  let { sequence, hash } = start;
  for (;;) {
    const rows = await snapshot('audit_entries')
      .where({ shard })
      .where('sequence', '>', sequence)
      .orderBy('sequence')
      .limit(BATCH);
    counted(rows.length);
    for (const row of rows) {
      const { id } = row;
      if (Number(row.sequence) !== sequence + 1)
        return { shard, sequence: sequence + 1, id: null, what: 'removed' };
      sequence += 1;
      if (sequence > head.sequence) return { shard, sequence, id, what: 'added' };
      const expected = hashEntry(hash, row);
      if (!expected.equals(row.hash)) return { shard, sequence, id, what: 'changed' };
      hash = expected;
    }
    if (rows.length < BATCH) break;
  }
  if (sequence < head.sequence) return { shard, sequence: sequence + 1, id: null, what: 'removed' };
  return hash.equals(head.hash) ? null : { shard, sequence, id: null, what: 'head' };
}

/** Returns the places whose entries have another hash now, or are gone although they have not expired. */
export async function findRewritten(
  database: Database,
  places: readonly ChainPlace[],
): Promise<ChainPlace[]> {
  const checkpoints = new Map(
    (await database('audit_checkpoints')).map((row) => [row.shard, Number(row.sequence)]),
  );
  const rewritten: ChainPlace[] = [];
  for (const place of places) {
    const { shard, sequence } = place;
    if (sequence <= (checkpoints.get(shard) ?? 0)) continue;
    const row = await database('audit_entries').where({ shard, sequence }).first('hash');
    if (!row?.hash.equals(place.hash)) rewritten.push(place);
  }
  return rewritten;
}
