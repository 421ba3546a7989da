import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loseLock } from '../support/faults/broken-off.js';
import { shortOrLong } from '../support/faults/effort.js';
import { end, type Processes, startProcesses } from '../support/servers/processes.js';
import { until } from '../support/until.js';

const prefix = `{feed-${randomUUID().slice(0, 8)}}`;
const ROWS = 20_000;
const KILLS = shortOrLong(5, 12);

let processes: Processes;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'muster-feed-kill-'));
  const env = { REDIS_PREFIX: prefix, LOG_LEVEL: 'error', FEED_DIRECTORY: folder, IMPORT_CHUNK_ROWS: '1000' };
  processes = await startProcesses({ env });
}, 120_000);
afterAll(async () => {
  await processes?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Ends the locks of the jobs that a killed worker held, which would otherwise last for 10 s. */
async function loseLocks(): Promise<void> {
  const open = await processes.database('jobs').whereNull('finished_at').select('id', 'queue');
  for (const { id, queue } of open)
    await loseLock(process.env.TEST_REDIS_URL as string, prefix, queue, id).catch(() => {});
}

test('kill -9 of the workers of a run of a feed leaves one plan, which is applied once', async () => {
  const { client, database } = processes;
  const rows = Array.from({ length: ROWS }, (_, at) => `person-${at}@example.com,7,account-${at}`);
  writeFileSync(join(folder, 'people.csv'), `email,integrationId,identity\n${rows.join('\n')}\n`);
  const source = { kind: 'directory', path: 'people.csv' };
  const { id } = (await client.json('POST', '/v2/feeds', { name: 'killed', source, mirror: [7] })).body.data;
  const started = await client.send('POST', `/v2/feeds/${id}/runs`, { headers: { prefer: 'respond-async' } });
  const runId = started.body.jobId;
  const runOf = async () => (await client.get(`/v2/feeds/${id}/runs/${runId}`)).body.data;
  let worker = processes.workers[0] as ChildProcess;
  let interrupted = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    if (kill > 0) worker = processes.start('workers');
    const before = JSON.stringify(await database('job_steps').count({ steps: '*' }).first());
    const isOn = async () =>
      JSON.stringify(await database('job_steps').count({ steps: '*' }).first()) !== before;
    await until('the run goes on', async () => (await isOn()) || (await runOf()).state !== 'running');
    await sleep(Math.random() * 60);
    await end(worker, 'SIGKILL');
    if ((await runOf()).state === 'running') interrupted += 1;
    await loseLocks();
  }
  expect(interrupted).toBeGreaterThan(1);
  processes.start('workers');
  await until('the run has ended', async () => (await runOf()).state !== 'running', 60_000);
  const run = await runOf();
  expect(run).toMatchObject({
    state: 'applied',
    facts: { rows: ROWS, created: ROWS, removed: 0, conflicts: 0 },
  });
  const jobs = await database('jobs')
    .whereIn('type', ['identity-import', 'identity-apply'])
    .select('id', 'state');
  expect(jobs.map((job) => job.id).sort()).toEqual([run.planId, run.applyId].sort());
  const stored = await database('identities').where({ integration_id: 7 }).select('email', 'identity');
  expect(stored.map(({ email, identity }) => `${email},7,${identity}`).sort()).toEqual(rows.sort());
});
