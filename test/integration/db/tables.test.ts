import { afterAll, expect, test } from '@jest/globals';
import { TABLES } from '../../../db/schema/tables.js';
import { createTestDatabase } from '../../support/servers/database.js';

const testDatabase = await createTestDatabase();
afterAll(() => testDatabase.drop());

/** The kind of a column by its type in the database. */
const KINDS: Record<string, RegExp> = {
  text: /char$|text$/,
  int: /^(tiny|small|medium)?int$/,
  bigint: /^bigint$/,
  date: /^datetime$/,
  bytes: /binary$|blob$/,
};

test('the declared tables are those that the migrations create', async () => {
  const rows = await testDatabase
    .database('information_schema.COLUMNS')
    .whereRaw("TABLE_SCHEMA = DATABASE() AND TABLE_NAME NOT LIKE 'knex%'")
    .orderBy('ORDINAL_POSITION')
    .select('TABLE_NAME', 'COLUMN_NAME', 'DATA_TYPE', 'IS_NULLABLE');
  const created: Record<string, Record<string, object>> = {};
  for (const row of rows) {
    const kind = Object.keys(KINDS).find((name) => KINDS[name]?.test(row.DATA_TYPE));
    created[row.TABLE_NAME] ??= {};
    Object.assign(created[row.TABLE_NAME] ?? {}, {
      [row.COLUMN_NAME]: { kind, isNullable: row.IS_NULLABLE === 'YES' },
    });
  }
  expect(TABLES).toEqual(created);
});
