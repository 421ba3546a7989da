import type { Database } from '../../client/connect.js';

/** Deletes the oldest entries that are older than `before`. Returns their number. */
export const deleteHistoryBefore = (database: Database, before: Date, limit: number): Promise<number> =>
  database('identity_history').where('changed_at', '<', before).orderBy('changed_at').limit(limit).delete();

/** Deletes uploads with an acceptance number below this one, lowest first. Returns their number. */
export const deleteUploadsBelow = (database: Database, acceptance: number, limit: number): Promise<number> =>
  database('identity_uploads')
    .where('acceptance', '<', acceptance)
    .orderBy('acceptance')
    .limit(limit)
    .delete();
