import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, jest } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { findJob, type Job } from '../../db/jobs/jobs.js';
import { entryLines, readHistories } from '../support/api/identity-history.js';
import { largeUpload } from '../support/api/large-upload.js';
import { loseLock } from '../support/faults/broken-off.js';
import { timeLimit, times, whyNotShort } from '../support/faults/effort.js';
import { balanceOf, Fault } from '../support/faults/fault.js';
import { scratchParent } from '../support/scratch.js';
import { end, type Processes, startProcesses } from '../support/servers/processes.js';
import { testUnless } from '../support/test-unless.js';
import { until } from '../support/until.js';

jest.setTimeout(timeLimit(240_000));

const prefix = `{changes-${randomUUID().slice(0, 8)}}`;
const KILLS = times(2);
const upload = largeUpload(80_000);

let folder: string;
let processes: Processes;
const workers: ChildProcess[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(scratchParent(), 'muster-hosts-'));
  const env = {
    REDIS_PREFIX: prefix,
    IMPORT_CHUNK_ROWS: '200',
    LOG_LEVEL: 'error',
    STORAGE_URL: pathToFileURL(join(folder, 'files')).href,
  };
  processes = await startProcesses({ env });
  workers.push(...processes.workers);
}, 120_000);
afterAll(async () => {
  await processes?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a worker on a host of its own: it finds nothing of another worker's folder. */
const startOnNewHost = (): void => {
  workers.push(processes.start('workers', { DATA_DIR: join(folder, randomUUID()) }));
};

const jobOf = async (id: string): Promise<Job> => (await findJob(processes.database, id)) as Job;
const hasEnded = async (id: string): Promise<boolean> => (await jobOf(id)).finishedAt !== null;
async function chunksOf(id: string): Promise<number> {
  const row = await processes.database('job_steps').where({ job_id: id }).count({ chunks: '*' }).first();
  return Number(row?.chunks);
}

/** Kills each worker of a job after some chunks, and continues on other hosts, with two workers at the end. */
async function finishThroughKills(id: string, fault: Fault): Promise<number> {
  let writing = 0;
  for (let kills = 0; kills < KILLS; kills++) {
    startOnNewHost();
    const before = await chunksOf(id);
    await until(
      'some chunks are written',
      async () => (await chunksOf(id)) >= before + 10 || hasEnded(id),
      60_000,
    );
    await sleep(Math.random() * 50);
    const ended = await hasEnded(id);
    if (!ended && (await chunksOf(id)) > before) writing += 1;
    await Promise.all(workers.splice(0).map((worker) => end(worker, 'SIGKILL')));
    if (!ended) fault.provoked();
    await loseLock(process.env.TEST_REDIS_URL as string, prefix, (await jobOf(id)).queue, id);
  }
  startOnNewHost();
  startOnNewHost();
  await until('the job has ended', () => hasEnded(id), 60_000);
  await Promise.all(workers.splice(0).map((worker) => end(worker)));
  return writing;
}

/** The owner of each account, as `integrationId identity`. */
async function owners(): Promise<Map<string, string>> {
  const rows = await processes
    .database('identities')
    .whereNotNull('email')
    .select('integration_id', 'identity', 'email');
  return new Map(rows.map((row) => [`${row.integration_id} ${row.identity}`, row.email ?? '']));
}

const linesOf = (owners: Map<string, string>) => [...owners].map(([key, owner]) => `${key} ${owner}`);

/** What differs between two states, as the sorted lines `account: before > after`. */
function differences(before: Map<string, string>, after: Map<string, string>): string[] {
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  return keys
    .filter((key) => before.get(key) !== after.get(key))
    .map((key) => `${key}: ${before.get(key) ?? ''} > ${after.get(key) ?? ''}`)
    .sort();
}

/** The changes that the file of a job lists, in the same form. */
async function changesOf(id: string): Promise<string[]> {
  const { text } = await processes.client.get(`/v2/jobs/${id}/changes`);
  const rows = parse(text, { columns: true }) as Record<string, string>[];
  return rows.map((row) => `${row.integrationId} ${row.identity}: ${row.before} > ${row.after}`).sort();
}

/** What the history of the accounts says about a job, in the same form. */
const historyOf = async (id: string): Promise<string[]> =>
  entryLines(await readHistories(processes.database, await jobOf(id)));

/** Compared as one text: Jest would take minutes to compare long lists. */
function expectSame(found: string[], wanted: string[]): void {
  expect(found.length).toBe(wanted.length);
  expect(found.join('\n') === wanted.join('\n')).toBe(true);
}

testUnless(whyNotShort)(
  'kill -9 of the workers of an import, of its revert and of an applied plan, on changing hosts, leaves exact changes',
  async () => {
    const seeded = await processes.client.upload(upload.seed, '', { prefer: 'wait=60' });
    expect(seeded.body.counts.created).toBe(seeded.body.counts.total);
    await Promise.all(workers.splice(0).map((worker) => end(worker)));
    const before = await owners();
    const fault = new Fault(
      'SIGKILL of the workers of one import, its revert and an applied plan, on changing hosts',
      'rows',
    );

    const accepted = await processes.client.upload(upload.csv, '', { prefer: 'respond-async' });
    const id = accepted.body.jobId;
    expect(await finishThroughKills(id, fault)).toBeGreaterThanOrEqual(KILLS / 2);
    expect(await jobOf(id)).toMatchObject({ state: 'completed', counts: upload.counts });
    const after = await owners();
    const changed = differences(before, after);
    expectSame(await changesOf(id), changed);
    expectSame(await historyOf(id), changed);

    const submitted = await processes.client.send('POST', `/v2/jobs/${id}/revert`);
    const revert = submitted.body.jobId;
    expect(await finishThroughKills(revert, fault)).toBeGreaterThanOrEqual(KILLS / 2);
    expect(await jobOf(revert)).toMatchObject({
      state: 'completed',
      counts: { total: changed.length, restored: changed.length, skipped: 0 },
    });
    const restored = await owners();
    fault.add(balanceOf(linesOf(before), linesOf(restored)));
    fault.report();
    expect(differences(before, restored)).toEqual([]);
    expectSame(await changesOf(revert), differences(after, before));
    expectSame(await historyOf(revert), differences(after, before));
    // The history of a created account is copied when its owner changes.
    expectSame(await historyOf(id), changed);
    expectSame(await historyOf(seeded.body.jobId), differences(new Map(), before));

    startOnNewHost();
    const dryRun = await processes.client.upload(upload.csv, '?dryRun=true', { prefer: 'wait=60' });
    const applying = await processes.client.send('POST', `/v2/jobs/${dryRun.body.jobId}/apply`);
    const apply = applying.body.jobId;
    expect(await finishThroughKills(apply, fault)).toBeGreaterThanOrEqual(KILLS / 2);
    expect(await jobOf(apply)).toMatchObject({
      state: 'completed',
      counts: { total: changed.length, removed: 0, unchanged: 0, conflicts: 0 },
    });
    expect(differences(after, await owners())).toEqual([]);
    expectSame(await changesOf(dryRun.body.jobId), changed);
    expectSame(await changesOf(apply), changed);
    expectSame(await historyOf(apply), changed);
  },
);
