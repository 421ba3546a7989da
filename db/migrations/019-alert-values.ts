import type { Knex } from 'knex';
import type { MigrationRun } from './migration-run.js';
import { addKeysOnline } from './online-keys.js';

/** Each statement is committed on its own: an interrupted migration continues where it was. */
export const config = { transaction: false } as const;

/** The alerts with a value, in the order of the list, so that a page of a rare one does not read the others. */
const KEYS = {
  by_severity: '(severity, received_at, id)',
  by_team: '(team, received_at, id)',
};

export const up = (database: Knex, run: MigrationRun): Promise<void> =>
  addKeysOnline(database, 'alerts', KEYS, run);
