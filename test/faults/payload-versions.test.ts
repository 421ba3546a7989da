import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { allQueues } from '../../workers/queues/index.js';
import { Client } from '../support/api/client.js';
import { intakeEvent } from '../support/api/intake-queue.js';
import { storedBodies } from '../support/api/ledger-client.js';
import { parseMetrics } from '../support/api/metrics.js';
import { ALERT, makeWebhook, receiptOf, type TestWebhook } from '../support/api/webhooks.js';
import { balanceOf, Fault } from '../support/faults/fault.js';
import { end } from '../support/servers/processes.js';
import { type Stack, startStack } from '../support/servers/stack.js';
import { theRow } from '../support/the-row.js';
import { until } from '../support/until.js';

/** A version that only a newer release knows. */
const NEWER = 99;
const IDENTITIES = '/v2/developers/identities';
const LOG_LINE = 'jobs of a version that this release cannot read';

let stack: Stack;
let client: Client;
let webhook: TestWebhook;
let release: string;
let newer: ChildProcess;
/** What waits for a worker of the newer release. */
const waiting = { events: [] as string[], import: '', export: '' };
beforeAll(async () => {
  release = buildNewerRelease();
  stack = await startStack();
  client = await Client.of(stack);
  webhook = await makeWebhook(client);
});
afterAll(async () => {
  await end(newer);
  await stack.stop();
  rmSync(release, { recursive: true });
});

/** Copies the built release and lets the copy read every version. Returns its folder. */
function buildNewerRelease(): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-newer-'));
  cpSync('package.json', join(folder, 'package.json'));
  cpSync('dist', join(folder, 'dist'), {
    recursive: true,
    filter: (path) => !path.startsWith('dist/console'),
  });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  let changed = 0;
  for (const file of readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' })) {
    if (!/^(api\/main|workers\/main|chunks\/.*)\.js$/.test(file)) continue;
    const path = join(folder, 'dist', file);
    const readsAll = readFileSync(path, 'utf8').replace(
      /version:(\w+)\.(?:literal\(1\)|union\(\[[^\]]*\]\))/g,
      (_match, zod) => {
        changed += 1;
        return `version:${zod}.number()`;
      },
    );
    writeFileSync(path, readsAll);
  }
  expect(changed).toBeGreaterThanOrEqual(8);
  return folder;
}

/** Starts a worker of the newer release. The pipe to its input ends it if the test run is killed. */
function startNewerWorker(): ChildProcess {
  return spawn(process.execPath, ['dist/workers/main.js'], {
    cwd: release,
    env: { ...process.env, ...stack.env, NODE_OPTIONS: '', MUSTER_SUPERVISED: '1', LOG_LEVEL: 'warn' },
    stdio: ['pipe', 'inherit', 'inherit'],
  });
}

/** Does work while no worker takes a job. */
const paused = async (work: () => Promise<void>): Promise<void> => {
  const queues = allQueues().map((name) => stack.api.producer.queue(name));
  for (const queue of queues) await queue.pause();
  await work();
  for (const queue of queues) await queue.resume();
};

/** Returns how often a worker took the job, and how many attempts that cost. */
async function turnsOf(queue: 'alert-intake' | 'identity-import' | 'identity-export', id: string) {
  const job = await stack.api.producer.queue(queue).getJob(id);
  return { turns: job?.attemptsStarted ?? -1, attempts: job?.attemptsMade ?? -1 };
}

const rowOf = (id: string) => theRow(stack.database('jobs').where({ id }).first());

test('a batch of a newer release costs no attempt, and is logged once', async () => {
  const queue = stack.api.producer.queue('alert-intake');
  const options = { attempts: 1, removeOnComplete: true, removeOnFail: true };
  for (const event of Array.from({ length: 3 }, () => intakeEvent(webhook.id, ALERT))) {
    await queue.add('alert-intake', { version: NEWER, events: [event] }, { ...options, jobId: event.id });
    waiting.events.push(event.id);
  }
  for (const id of waiting.events) {
    await until('the worker took it twice', async () => (await turnsOf('alert-intake', id)).turns >= 2);
    expect((await turnsOf('alert-intake', id)).attempts).toBe(0);
  }
  const lines = stack.lines.filter((line) => line.includes(LOG_LINE));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { job: 'alert-intake', version: NEWER, level: 40 },
  ]);
  expect(stack.lines.join()).not.toContain(ALERT.alert.message);
  const turns = async (outcome: string) =>
    parseMetrics((await stack.worker?.metrics.scrape()) ?? '').sum('muster_job_duration_seconds_count', {
      job: 'alert-intake',
      outcome,
    });
  await until('these turns are counted', async () => (await turns('unknown_version')) >= 6);
  expect(await turns('retried')).toBe(0);
});

test('jobs of a newer release keep their rows as they are, and can be canceled', async () => {
  const later = { prefer: 'respond-async' };
  const ids: string[] = [];
  await paused(async () => {
    const upload = await client.upload('email,integrationId,identity\nann@example.com,1,ann\n', '', later);
    const exports = [1, 2].map(() => client.json('POST', `${IDENTITIES}/exports`, {}, later));
    ids.push(...[upload, ...(await Promise.all(exports))].map(({ body }) => body.jobId));
    // The import has params that this release does not know, the exports have such a payload.
    const params = JSON.parse((await rowOf(ids[0] as string)).params);
    await stack
      .database('jobs')
      .where('id', ids[0] ?? '')
      .update({ params: JSON.stringify({ ...params, version: NEWER }) });
    for (const id of ids.slice(1)) {
      const job = await stack.api.producer.queue('identity-export').getJob(id);
      await job?.updateData({ ...job.data, version: NEWER });
    }
  });
  const [imported = '', exported = '', canceled = ''] = ids;
  Object.assign(waiting, { import: imported, export: exported });
  await until('the worker took both twice', async () => {
    const { turns } = await turnsOf('identity-import', imported);
    return turns > 1 && (await turnsOf('identity-export', exported)).turns > 1;
  });
  for (const id of ids)
    expect(await rowOf(id)).toMatchObject({ state: 'queued', attempts: 0, starts_without_progress: 0 });
  await client.send('POST', `/v2/jobs/${canceled}/cancel`);
  expect((await client.get(`/v2/jobs/${canceled}`)).body.data.state).toBe('canceled');
});

test('a worker of the newer release takes them all over', async () => {
  newer = startNewerWorker();
  await until('both workers run', async () => (await stack.api.redis.zcard(`${stack.prefix}:workers`)) === 2);
  await stack.closeWorker();
  for (const id of waiting.events) expect((await receiptOf(client, id)).state).toBe('normalized');
  expect((await client.jobEnd(waiting.import)).body.data).toMatchObject({
    state: 'completed',
    attempts: 1,
    counts: { created: 1 },
  });
  expect((await client.jobEnd(waiting.export)).body.data).toMatchObject({ state: 'completed', attempts: 1 });
  const fault = new Fault('events of a newer release meet an older worker', 'events');
  fault.provoked();
  const stored = [...(await storedBodies(stack.database)).keys()];
  const balance = fault.add(balanceOf(waiting.events, stored));
  fault.report();
  expect([balance.lost, balance.doubled]).toEqual([0, 0]);
});
