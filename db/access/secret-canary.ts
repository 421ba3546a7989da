import type { Database } from '../client/connect.js';

/** Returns the encrypted canary; null if it may be replaced, undefined if there is none yet. */
export async function readCanary(database: Database): Promise<Buffer | null | undefined> {
  const row = await database('secret_canary').where({ id: 1 }).first('sealed');
  return row?.sealed;
}

/**
 * Replaces the canary, unless it has changed since it was read. Returns false if another host was faster.
 * @param was what `readCanary` returned
 */
export async function writeCanary(
  database: Database,
  was: Buffer | null | undefined,
  sealed: Buffer,
): Promise<boolean> {
  if (was === undefined) {
    const [made] = await database.raw('INSERT IGNORE INTO secret_canary (id, sealed) VALUES (1, ?)', [
      sealed,
    ]);
    return made.affectedRows > 0;
  }
  return (await database('secret_canary').where({ id: 1, sealed: was }).update({ sealed })) > 0;
}
