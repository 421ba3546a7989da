import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { WaitingError } from 'bullmq';
import { beatForReplicas, ReadDatabase } from '../../../db/client/replica/replica.js';
import { findJob, type Job } from '../../../db/jobs/jobs.js';
import { exportAlerts } from '../../../workers/jobs/alert-export.js';
import { handlers } from '../../../workers/registry.js';
import type { WorkerServices } from '../../../workers/run/services.js';
import { fillAlerts } from '../../support/api/alerts.js';
import { Client } from '../../support/api/client.js';
import { recordedJob, runJob } from '../../support/api/run-job.js';
import { slowStore } from '../../support/faults/slow-store.js';
import { createTestDatabase } from '../../support/servers/database.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

const ROWS = 20_000;
let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
  await fillAlerts(stack.database, ROWS);
});
afterAll(() => stack.stop());

const find = async (id: string): Promise<Job> => (await findJob(stack.database, id)) as Job;

/** Runs an export until it ends, and returns its job. */
async function exported(): Promise<Job> {
  const { headers } = await client.get('/v2/alerts?format=csv');
  const [, id] = /jobs\/(.+)\/file/.exec(headers.get('content-location') ?? '') ?? [];
  return find(id as string);
}

test('an alert export reports its rows as progress', async () => {
  const { id } = await exported();
  const { data } = (await client.get(`/v2/jobs/${id}`)).body;
  expect(data).toMatchObject({
    counts: { rows: ROWS },
    progress: { rowsRead: ROWS, rowsTotal: ROWS, percent: 100 },
  });
});

test('each attempt has another key and another ETag, so that no ETag names the bytes of two attempts', async () => {
  const job = await exported();
  const etag = async () => (await client.get(`/v2/jobs/${job.id}/file`)).headers.get('etag');
  const first = await etag();
  const { resultKey } = await exportAlerts(job, stack.worker as WorkerServices);
  expect(resultKey).not.toBe(job.resultKey);
  for (const key of [job.resultKey, resultKey]) expect(await stack.files.stat(key as string)).not.toBeNull();
  await stack
    .database('jobs')
    .where({ id: job.id })
    .update({ result_key: resultKey ?? null });
  expect(await etag()).not.toBe(first);
});

test('a worker that shuts down hands the export back, and the next worker writes the whole file', async () => {
  const services = stack.worker as WorkerServices;
  const { id } = await exported();
  await stack
    .database('jobs')
    .where({ id })
    .update({ state: 'queued', finished_at: null, result_key: null, progress: null });
  const closing = new AbortController();
  const turn = runJob(handlers['alert-export'], recordedJob(id), {
    ...services,
    files: slowStore(services.files),
    closing: closing.signal,
  });
  const outcome = turn.catch((error) => error);
  await until('the export is running', async () => ((await find(id)).progress?.rowsRead ?? 0) > 0);
  closing.abort();
  expect(await outcome).toBeInstanceOf(WaitingError);
  expect(await find(id)).toMatchObject({ finishedAt: null, resultKey: null });
  expect(await runJob(handlers['alert-export'], recordedJob(id), services)).toBe('completed');
  expect(await find(id)).toMatchObject({ state: 'completed', counts: { rows: ROWS } });
  const file = await client.get(`/v2/jobs/${id}/file`);
  expect(file.text.trimEnd().split('\n')).toHaveLength(ROWS + 1);
}, 30_000);

test('an alert export reads from the replica if its lag is small enough, otherwise from the primary', async () => {
  const replica = await createTestDatabase();
  try {
    await fillAlerts(replica.database, 5);
    const job = await exported();
    const countRows = async () => {
      const reading = new ReadDatabase(stack.database, replica.database, { maxLagMs: 5_000 });
      return (await exportAlerts(job, { ...(stack.worker as WorkerServices), reading })).counts.rows;
    };
    expect(await countRows()).toBe(ROWS);
    await beatForReplicas(replica.database);
    expect(await countRows()).toBe(5);
  } finally {
    await replica.drop();
  }
});
