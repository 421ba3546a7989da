import { deleteRemoved, removeAbandoned } from '../../db/lookups/revisions.js';
import type { UpkeepTask } from './task.js';

/** Rows of a revision are small. */
const ROWS = 5_000;

/** Deletes the rows of revisions of lookup tables that are no longer kept, or that no job will complete. */
export const removeOldRevisions: UpkeepTask = {
  name: 'remove-old-revisions',
  async *run({ database }) {
    yield await removeAbandoned(database);
    for (
      let deleted = await deleteRemoved(database, ROWS);
      deleted !== null;
      deleted = await deleteRemoved(database, ROWS)
    )
      yield deleted;
  },
};
