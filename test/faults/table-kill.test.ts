import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { findJob, type Job } from '../../db/jobs/jobs.js';
import { loseLock } from '../support/faults/broken-off.js';
import { whyNotShort } from '../support/faults/effort.js';
import { balanceOf, Fault } from '../support/faults/fault.js';
import { end, type Processes, startProcesses } from '../support/servers/processes.js';
import { testUnless } from '../support/test-unless.js';
import { until } from '../support/until.js';

const prefix = `{table-${randomUUID().slice(0, 8)}}`;
/** Kills of one upload. There are three. */
const KILLS = 7;
/** A step has 2,000 rows. */
const ROWS = 100_000;

let processes: Processes;
let worker: ChildProcess;
beforeAll(async () => {
  processes = await startProcesses({ env: { REDIS_PREFIX: prefix, LOG_LEVEL: 'error' } });
  worker = processes.workers[0] as ChildProcess;
}, 120_000);
afterAll(() => processes?.stop());

const NAME = 'killed';
const PATH = `/v2/tables/${NAME}`;
const csvOf = (rows: ReadonlyMap<number, string>): string =>
  `key,value\n${[...rows].map(([key, value]) => `${key},${value}\n`).join('')}`;
const rowsWith = (value: string, part = 1): Map<number, string> =>
  new Map(Array.from({ length: ROWS / part }, (_, at) => [at * part, value]));

async function submit(method: 'PUT' | 'PATCH', rows: ReadonlyMap<number, string>): Promise<string> {
  const headers = { 'content-type': 'text/csv', prefer: 'respond-async' };
  const { status, body, text } = await processes.client.send(method, PATH, { body: csvOf(rows), headers });
  if (status !== 202) throw new Error(text);
  return body.jobId;
}

const jobOf = async (id: string): Promise<Job> => (await findJob(processes.database, id)) as Job;
const activeRevision = async (): Promise<number> => (await processes.client.get(PATH)).body.data.revision;
async function stepsOf(id: string): Promise<number> {
  const row = await processes.database('job_steps').where({ job_id: id }).count({ steps: '*' }).first();
  return Number(row?.steps);
}

/** Kills the worker of a job with -9, again and again, each time after it has written some steps. Does not start one after the last kill. */
async function killRepeatedly(id: string, fault: Fault): Promise<void> {
  const before = await activeRevision();
  for (let kill = 0; kill < KILLS; kill++) {
    if (kill > 0) worker = processes.start('workers');
    const steps = await stepsOf(id);
    await until('another step is written', async () => (await stepsOf(id)) > steps);
    await sleep(Math.random() * 30);
    await end(worker, 'SIGKILL');
    await loseLock(process.env.TEST_REDIS_URL as string, prefix, (await jobOf(id)).queue, id);
    if ((await jobOf(id)).finishedAt === null) fault.provoked();
    expect(await activeRevision()).toBe(before);
  }
}

async function expectRows(expected: ReadonlyMap<number, string>, fault: Fault): Promise<void> {
  const [, ...found] = (await processes.client.get(PATH, { accept: 'text/csv' })).text.trimEnd().split('\n');
  const lines = [...expected].map(([key, value]) => `${key},${value}`);
  expect(fault.add(balanceOf(lines, found))).toMatchObject({ lost: 0, doubled: 0, stored: lines.length });
}

testUnless(whyNotShort)(
  'kill -9 of the workers of an upload leaves the old revision active until the new one is whole, and a revert meanwhile wins',
  async () => {
    const fault = new Fault('SIGKILL of the worker in one upload of a table, repeatedly', 'rows');
    const { client } = processes;
    await client.jobEnd(await submit('PUT', rowsWith('first')));

    const replaced = await submit('PUT', rowsWith('second'));
    await killRepeatedly(replaced, fault);
    worker = processes.start('workers');
    const counts = { total: ROWS, added: 0, changed: ROWS, unchanged: 0, removed: 0, rejected: 0 };
    expect((await client.jobEnd(replaced)).body.data).toMatchObject({
      ...{ state: 'completed', counts, warnings: [] },
      links: { webhooks: `${PATH}/webhooks` },
    });
    await expectRows(rowsWith('second'), fault);

    const added = await submit('PATCH', rowsWith('third', 2));
    await killRepeatedly(added, fault);
    worker = processes.start('workers');
    expect((await client.jobEnd(added)).body.data).toMatchObject({
      state: 'completed',
      counts: { total: ROWS / 2, changed: ROWS / 2, unchanged: ROWS / 2 },
    });
    const stay = [...rowsWith('second')].filter(([key]) => key % 2 === 1);
    const merged = new Map([...stay, ...rowsWith('third', 2)]);
    await expectRows(merged, fault);

    const late = await submit('PATCH', rowsWith('fourth', 2));
    await killRepeatedly(late, fault);
    expect((await client.json('POST', `${PATH}/revert`, { revision: 2 })).status).toBe(200);
    worker = processes.start('workers');
    const { state, error } = (await client.jobEnd(late)).body.data;
    expect([state, error.code]).toEqual(['failed', 'table_changed']);
    await expectRows(rowsWith('second'), fault);
    const revisions = (await client.get(`${PATH}/revisions`)).body.data;
    expect(revisions.map(({ revision }: { revision: number }) => revision)).toEqual([3, 2, 1]);
    fault.report();
  },
  600_000,
);
