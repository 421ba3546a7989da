import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { submitJob } from '../../../api/jobs/submit-job.js';
import { connectDatabase, type Database } from '../../../db/client/connect.js';
import { isDatabaseUnavailable } from '../../../db/client/errors.js';
import { identityImport } from '../../../workers/queues/contracts/identity-import.js';
import { startDatabaseDoor } from '../../support/servers/database-door.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

let stack: Stack;
let door: Awaited<ReturnType<typeof startDatabaseDoor>>;
let database: Database;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  door = await startDatabaseDoor(stack.env.DATABASE_URL);
  database = connectDatabase(door.url, { statementTimeoutMs: 1_500, poolMax: 2 });
});
afterAll(async () => {
  await database.destroy();
  await door.stop();
  await stack.stop();
});
afterEach(() => stack.database('jobs').update({ state: 'canceled' }));

const openJobs = () => stack.database('jobs').where({ state: 'queued' });

async function submit(): Promise<{ id: string | null; error: unknown; sourceKey: string }> {
  const sourceKey = `uploads/${uuidv7()}`;
  await stack.files.write(sourceKey, Readable.from([Buffer.from('[]')]));
  const submission = {
    contract: identityImport,
    params: {
      version: 1 as const,
      format: 'json' as const,
      action: 'assert' as const,
      onError: 'abort' as const,
      dryRun: false,
      bytes: 2,
      maxBytes: 1e6,
      maxRows: 1e6,
    },
    origin: {
      actor: { kind: 'key' as const, id: uuidv7(), name: 'test' },
      action: 'importIdentities',
      requestId: 'r',
      address: null,
    },
    sourceKey,
  };
  const outcome = await submitJob({ ...stack.api, database }, submission).then(
    (id) => ({ id, error: null }),
    (error: unknown) => ({ id: null, error }),
  );
  return { ...outcome, sourceKey };
}

test('after a COMMIT without a response, a committed job is enqueued', async () => {
  door.breakCommit('response lost');
  const { id, sourceKey } = await submit();
  expect(door.faults()).toBe(1);
  expect(await openJobs()).toMatchObject([{ id, source_key: sourceKey }]);
  expect(await stack.files.stat(sourceKey)).not.toBeNull();
  expect(await stack.api.producer.has({ queue: identityImport.queues[0], id: id as string })).toBe(true);
});

test('after a COMMIT without a response, the upload of a job that was not committed is removed', async () => {
  door.breakCommit('request lost');
  const { error, sourceKey } = await submit();
  expect(isDatabaseUnavailable(error)).toBe(true);
  expect(await openJobs()).toEqual([]);
  expect(await stack.files.stat(sourceKey)).toBeNull();
});

test('the upload remains if the query after a COMMIT fails too', async () => {
  door.breakCommit('response lost');
  door.shut(true);
  const { error, sourceKey } = await submit();
  door.shut(false);
  expect([isDatabaseUnavailable(error), (error as Error).name]).toEqual([true, 'CommitUnknown']);
  await until('the job is committed', async () => (await openJobs()).length === 1);
  expect(await stack.files.stat(sourceKey)).not.toBeNull();
});
