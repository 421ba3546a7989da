import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { StoreUnavailable } from '../../../db/files/errors.js';
import type { Job } from '../../../db/jobs/jobs.js';
import { WorkerClosing } from '../../../workers/run/errors.js';
import type { JobHandler } from '../../../workers/run/handler.js';
import { runHandler } from '../../../workers/run/run-handler.js';
import type { WorkerServices } from '../../../workers/run/services.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

/** Runs a handler in a worker that closes with `closing`. Resolves to the error that it failed with. */
const failureOf = (handler: JobHandler, closing: AbortSignal): Promise<unknown> => {
  const { database } = testDatabase;
  const services = {
    database,
    closing,
    log: pino({ level: 'silent' }),
    files: {},
  } as unknown as WorkerServices;
  return runHandler(handler, { id: 'x' } as Job, services).then(
    () => null,
    (error) => error,
  );
};

test('a handler is not started while the worker shuts down', async () => {
  let starts = 0;
  const handler = async () => {
    starts += 1;
    throw new Error('started');
  };
  expect(await failureOf(handler, AbortSignal.abort())).toBeInstanceOf(WorkerClosing);
  expect(starts).toBe(0);
});

test('a handler that waited for the store is not started again while the worker shuts down', async () => {
  const closing = new AbortController();
  let starts = 0;
  const handler = async () => {
    starts += 1;
    setImmediate(() => closing.abort());
    throw new StoreUnavailable('unavailable');
  };
  expect(await failureOf(handler, closing.signal)).toBeInstanceOf(WorkerClosing);
  expect(starts).toBe(1);
});
