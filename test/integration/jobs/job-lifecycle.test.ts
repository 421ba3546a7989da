import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { finishJob, requestCancel, startJob } from '../../../db/jobs/job-lifecycle.js';
import { insertJob } from '../../../db/jobs/jobs.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

async function runningJob(): Promise<string> {
  const id = uuidv7();
  await insertJob(testDatabase.database, {
    id,
    type: 'identity-import',
    queue: 'identity-import',
    apiKeyId: uuidv7(),
    requestId: 'r',
    params: {},
  });
  await startJob(testDatabase.database, id);
  return id;
}

const filesOf = (id: string) =>
  testDatabase.database('jobs').where({ id }).first('result_key', 'rejected_key', 'result_bytes');

test('a job that is canceled when its work is done keeps its rejected file, with its size, and no result', async () => {
  const { database } = testDatabase;
  const id = await runningJob();
  await requestCancel(database, id);
  const files = { resultKey: 'results/a', rejectedKey: 'results/b', resultBytes: 1_000, rejectedBytes: 300 };
  expect(await finishJob(database, id, { state: 'completed', ...files })).toBe('canceled');
  expect(await filesOf(id)).toEqual({ result_key: null, rejected_key: 'results/b', result_bytes: 300 });
});

test('a job that ends in another state counts both files', async () => {
  const id = await runningJob();
  const files = { resultKey: 'results/a', rejectedKey: 'results/b', resultBytes: 1_000, rejectedBytes: 300 };
  await finishJob(testDatabase.database, id, { state: 'completed', ...files });
  expect(await filesOf(id)).toMatchObject({ result_bytes: 1_000 });
});
