import type { Knex } from 'knex';
import { keyNames } from './large-table.js';
import type { MigrationRun } from './migration-run.js';
import { addKeysOnline } from './online-keys.js';

/** Each statement is committed on its own: an interrupted migration continues where it was. */
export const config = { transaction: false } as const;

/**
 * `destinations.of_revision`: whether any has changed is seen from this index alone.
 * `of_key`: what all destinations know of a key is looked up by the key. The index that began with the destination had one lookup for each of them.
 */
export async function up(database: Knex, run: MigrationRun): Promise<void> {
  await addKeysOnline(database, 'destinations', { of_revision: '(deleted_at, revision)' }, run);
  await addKeysOnline(database, 'beliefs', { of_key: '(key_id)' }, run);
  await addKeysOnline(
    database,
    'messages',
    { of_key: '(key_id, destination_id, state, transition_id)' },
    run,
  );
  if (!(await keyNames(database, 'messages')).has('by_key')) return;
  await database.raw('ALTER TABLE messages DROP KEY by_key, ALGORITHM=INPLACE, LOCK=NONE');
}
