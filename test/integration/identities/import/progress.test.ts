import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { ProgressKeeper } from '../../../../workers/run/progress.js';
import type { WorkerServices } from '../../../../workers/run/services.js';
import { createTestDatabase, type TestDatabase } from '../../../support/servers/database.js';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

test('the log says why progress was not saved, without the statement and its values', async () => {
  const { database } = testDatabase;
  await database.schema.renameTable('jobs', 'jobs_elsewhere');
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const services = { database, log, closing: new AbortController().signal } as unknown as WorkerServices;
  const progress = new ProgressKeeper('0190a0b0-0000-7000-8000-000000000000', 1, services);
  await progress.checkNow();
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] as string)).toMatchObject({
    error: { code: 'ER_NO_SUCH_TABLE' },
    msg: 'progress was not saved',
  });
  expect(lines[0]).not.toMatch(/update|0190a0b0|rowsRead/i);
});
