import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migrate } from '../../db/migrations/index.js';
import { describeEngine } from '../support/engines/describe-engine.js';
import { createTestDatabase } from '../support/servers/database.js';
import { startMysql, whyNoMysql } from '../support/servers/mysql.js';

describeEngine('MySQL 9', whyNoMysql(), () => {
  let mysql: Awaited<ReturnType<typeof startMysql>>;
  beforeAll(async () => {
    mysql = await startMysql();
  });
  afterAll(() => mysql?.stop());

  test('all migrations run, and run again after an interruption', async () => {
    const created = await createTestDatabase(mysql.url);
    const names = (await created.database('knex_migrations').orderBy('id')).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(15);
    await created.database('knex_migrations').delete();
    expect(await migrate(created.database)).toEqual(names);
    await created.drop();
  });
});
