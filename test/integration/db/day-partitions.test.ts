import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Knex } from 'knex';
import { connectDatabase, type Database } from '../../../db/client/connect.js';
import { listPartitions } from '../../../db/events/day-partitions.js';
import { up } from '../../../db/migrations/018-day-partitions.js';
import { up as addValueKeys } from '../../../db/migrations/019-alert-values.js';
import { migrate } from '../../../db/migrations/index.js';
import { countRows, insertOldRows } from '../../support/api/old-rows.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { until } from '../../support/until.js';

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = testDatabase.database;
});
afterAll(() => testDatabase.drop());

const ROWS = 40;
const DELIVERED = `${'7f'.repeat(6)}8f${'7f'.repeat(9)}`;

/** Gives the tables the definition of the release before the migration, with rows. */
async function makeOldTables(): Promise<void> {
  await database.raw('DROP TABLE IF EXISTS deliveries, events, alerts, events_whole, alerts_whole');
  if (!(await database.schema.hasTable('old_events'))) await defineOldTables();
  for (const table of ['events', 'alerts']) await database.raw(`CREATE TABLE ${table} LIKE old_${table}`);
  await database('knex_migrations').where('name', '018-day-partitions').delete();
  await insertOldRows(database, { count: ROWS, from: new Date(Date.now() - 1_000) });
  await database('events')
    .limit(1)
    .update({ id: Buffer.from(DELIVERED, 'hex') });
}

/** Creates the two tables with that definition and another name, once: all migrations take more than a second. */
async function defineOldTables(): Promise<void> {
  await database('knex_migrations').delete();
  // All migrations before this one, whose tables exist, change nothing.
  await migrate(database);
  await dropValueKeys();
  for (const table of ['events', 'alerts']) {
    await database.raw(`ALTER TABLE ${table} REMOVE PARTITIONING`);
    await database.raw(
      `ALTER TABLE ${table} DROP KEY by_id, DROP KEY by_webhook, DROP KEY by_state, ADD UNIQUE KEY by_id (id),
        ADD KEY by_webhook (webhook_id, received_at), ADD KEY by_state (state, received_at)`,
    );
    await database.raw(`RENAME TABLE ${table} TO old_${table}`);
  }
  await database.raw('DROP TABLE deliveries');
}

/** Drops the indexes of later migrations. */
const dropValueKeys = (): Promise<unknown> =>
  database
    .raw(
      'ALTER TABLE alerts DROP KEY by_severity, DROP KEY by_team, DROP KEY by_rank, DROP KEY by_last_event, DROP KEY by_duration, DROP KEY by_owner',
    )
    .then();

/** Checks that nothing is lost, and that the tables are those of a new installation. */
async function expectPartitioned(): Promise<void> {
  for (const table of ['events', 'alerts'] as const) {
    expect(await countRows(database, table)).toBe(ROWS);
    expect(await listPartitions(database, table)).toEqual([
      { name: expect.stringMatching(/^before_\d{8}$/), before: expect.any(Date) },
      { name: 'rest', before: null },
    ]);
    const [keys] = await database.raw(`SHOW KEYS FROM ${table} WHERE Seq_in_index = 1 AND Non_unique = 1`);
    expect(keys.map((key: { Key_name: string }) => key.Key_name).sort()).toEqual([
      'by_id',
      'by_state',
      'by_webhook',
    ]);
    expect(await database.schema.hasTable(`${table}_whole`)).toBe(false);
  }
  expect((await database('deliveries').pluck('id')).map((id: Buffer) => id.toString('hex'))).toEqual([
    DELIVERED,
  ]);
}

const RUN = { say: () => {}, check: async () => {} };

/** Returns the database, which fails at the statement with this number, from 0, and at all statements after it. */
function failingAt(last: number): Knex {
  let count = 0;
  return failingIf((sql) => !sql.startsWith('INSERT') && count++ >= last);
}

/** Returns the database, which fails at statements for which this is true. */
function failingIf(fails: (sql: string) => boolean): Knex {
  return new Proxy(database, {
    get: (target, name) => {
      const value = Reflect.get(target, name);
      if (name !== 'raw') return value;
      return (sql: string, ...values: unknown[]) => {
        if (fails(sql)) throw new Error('killed');
        return value.call(target, sql, ...values);
      };
    },
  });
}

test('rows stay where they are, and a migration that is killed after any statement continues', async () => {
  await makeOldTables();
  let runs = 0;
  for (let last = 1; ; last++, runs++) {
    try {
      await up(failingAt(last), RUN);
      break;
    } catch (error) {
      expect((error as Error).message).toBe('killed');
      // Half of them start over, the others go on from where the last one was killed.
      if (last % 2 === 0) {
        await migrate(database);
        await expectPartitioned();
        await makeOldTables();
      }
    }
  }
  expect(runs).toBeGreaterThan(15);
  await expectPartitioned();
}, 240_000);

test('a statement of a killed migration that the server still executes is waited for', async () => {
  await makeOldTables();
  await expect(
    up(
      failingIf((sql) => sql.includes('EXCHANGE')),
      RUN,
    ),
  ).rejects.toThrow('killed');
  const reader = await database.transaction();
  await reader('events_whole').first('id');
  const [[{ name }]] = await database.raw(
    "SELECT MIN(PARTITION_NAME) AS name FROM information_schema.PARTITIONS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'events'",
  );
  const exchange = database
    .raw(`ALTER TABLE events EXCHANGE PARTITION ${name} WITH TABLE events_whole`)
    .then();
  await until('the exchange waits for the reader', async () => {
    const [rows] = await database.raw('SHOW PROCESSLIST');
    return rows.some(
      ({ Info, State }: Record<string, string | null>) =>
        Info?.includes('EXCHANGE') && /lock/.test(State ?? ''),
    );
  });
  const migrated = migrate(database);
  await new Promise((resolve) => setTimeout(resolve, 300));
  await reader.rollback();
  await exchange;
  await migrated;
  await expectPartitioned();
});

test('a row that is written before the old rows are in the new table is kept, with the old ones', async () => {
  for (const receivedAt of [
    new Date(),
    new Date(Date.now() - 86_400_000),
    new Date(Date.now() + 86_400_000),
  ]) {
    await makeOldTables();
    const killed = up(
      failingIf((sql) => sql.includes('EXCHANGE')),
      RUN,
    );
    await expect(killed).rejects.toThrow('killed');
    const old = await database('events_whole').first();
    const id = randomBytes(16);
    await database('events').insert({ ...old, id, received_at: receivedAt });
    await migrate(database);
    expect(await countRows(database, 'events')).toBe(ROWS + 1);
    expect(await database('events').where({ id }).pluck('received_at')).toEqual([receivedAt]);
    expect(await database.schema.hasTable('events_whole')).toBe(false);
  }
});

test('indexes are added to a table with partitions, and a migration that is killed between two of them continues', async () => {
  await makeOldTables();
  await migrate(database);
  const keys = async () => {
    const [rows] = await database.raw("SHOW KEYS FROM alerts WHERE Key_name IN ('by_severity', 'by_team')");
    return [...new Set(rows.map((row: { Key_name: string }) => row.Key_name))];
  };
  const killed = addValueKeys(
    failingIf((sql) => sql.includes('(team')),
    RUN,
  );
  await expect(killed).rejects.toThrow('killed');
  expect(await keys()).toEqual(['by_severity']);
  for (const _ of ['continued', 'repeated']) await addValueKeys(database, RUN);
  expect(await keys()).toEqual(['by_severity', 'by_team']);
  expect(await countRows(database, 'alerts')).toBe(ROWS);
});

test('rows of a clock that is ahead fit into the first partition, and a large table gets an estimate', async () => {
  await makeOldTables();
  await database('alerts')
    .limit(1)
    .update({ received_at: new Date(Date.now() + 9 * 86_400_000) });
  const said: string[] = [];
  await insertOldRows(database, { count: 120_000, from: new Date(Date.now() - 3_600_000), run: 1 });
  for (const table of ['events', 'alerts']) {
    // The estimate is then from all pages: from a few, MySQL's may be half of the rows.
    await database.raw(`ALTER TABLE ${table} STATS_SAMPLE_PAGES = 10000`);
    await database.raw(`ANALYZE TABLE ${table}`);
  }
  expect(await migrate(database, (text) => said.push(text))).toEqual(['018-day-partitions']);
  expect(said).toHaveLength(4);
  expect(said[0]).toMatch(
    /^events: about 1[\d,]+ rows\. New indexes take about [12] s, .* unavailable for about 1 s\./,
  );
  const [first] = await listPartitions(database, 'alerts');
  expect(first?.before?.getTime()).toBeGreaterThan(Date.now() + 9 * 86_400_000);
  expect(await countRows(database, 'alerts')).toBe(ROWS + 120_000);
}, 60_000);

test('writers that use the tables meanwhile lose nothing', async () => {
  await makeOldTables();
  const writer = connectDatabase(testDatabase.url);
  let [stored, failed, done] = [0, 0, false];
  const writing = (async () => {
    while (!done) {
      try {
        await writer.transaction((transaction) =>
          insertOldRows(transaction, { count: 10, from: new Date(), run: 10 + stored + failed }),
        );
        stored++;
      } catch (error) {
        // The table does not exist, or has changed since the transaction started.
        expect([1146, 1412]).toContain((error as { errno: number }).errno);
        failed++;
      }
    }
  })();
  await migrate(database);
  done = true;
  await writing;
  await writer.destroy();
  expect(stored).toBeGreaterThan(0);
  for (const table of ['events', 'alerts']) expect(await countRows(database, table)).toBe(ROWS + 10 * stored);
});
