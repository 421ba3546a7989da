import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest } from '@jest/globals';
import { findJob, type Job } from '../../db/jobs/jobs.js';
import { fillIdentities } from '../support/api/identities.js';
import { loseLock } from '../support/faults/broken-off.js';
import { whyNotShort } from '../support/faults/effort.js';
import { balanceOf, Fault } from '../support/faults/fault.js';
import { end, type Processes, startProcesses } from '../support/servers/processes.js';
import { testUnless } from '../support/test-unless.js';
import { until } from '../support/until.js';

jest.setTimeout(120_000);

/** As many as a list may have. Indexing them takes long enough to be interrupted. */
const ACCOUNTS = 100_000;
/** Those with an owner elsewhere, who is a candidate. */
const OWNED = ACCOUNTS * 0.6;

const prefix = `{worklist-${randomUUID().slice(0, 8)}}`;

let processes: Processes;
beforeAll(async () => {
  processes = await startProcesses({ env: { REDIS_PREFIX: prefix, LOG_LEVEL: 'error' } });
  await fillIdentities(processes.database, OWNED);
  await processes.database.raw("UPDATE identities SET email = CONCAT(identity, '@example.com')");
});
afterAll(() => processes.stop());

const jobOf = async (id: string): Promise<Job> => (await findJob(processes.database, id)) as Job;

async function create(): Promise<string> {
  const rows = Array.from({ length: ACCOUNTS }, (_, i) => `octo-${i + 1},`);
  const form = new FormData();
  form.append('file', new Blob([`identity,name\n${rows.join('\n')}\n`]), 'accounts.csv');
  const { status, body } = await processes.client.send('POST', '/v2/integrations/99/worklists', {
    body: form,
  });
  expect(status).toBe(202);
  return body.jobId;
}

const untilStarted = (id: string) =>
  until('the worklist is being made', async () => (await jobOf(id)).attempts > 0, 60_000);

testUnless(whyNotShort)(
  'a worklist whose worker is killed is made again by another one, and a canceled one leaves no file',
  async () => {
    const whole = (await processes.client.jobEnd(await create(), 90_000)).body.data;
    const expected = (await processes.client.get(whole.links.file)).text;
    expect(whole.counts).toMatchObject({ total: ACCOUNTS, owned: 0, withCandidates: OWNED });

    const id = await create();
    await untilStarted(id);
    const fault = new Fault('SIGKILL of the worker in a worklist', 'rows');
    await end(processes.workers[0] as ChildProcess, 'SIGKILL');
    await loseLock(process.env.TEST_REDIS_URL as string, prefix, (await jobOf(id)).queue, id);
    const worker = processes.start('workers');
    const { data: job } = (await fault.recovery(() => processes.client.jobEnd(id, 90_000))).body;
    expect(job).toMatchObject({ state: 'completed', counts: whole.counts, attempts: 2 });
    const { text } = await processes.client.get(job.links.file);
    fault.add(balanceOf(expected.split('\n').slice(1, -1), text.split('\n').slice(1, -1)));
    fault.report();
    expect(text === expected).toBe(true);

    const canceled = await create();
    await untilStarted(canceled);
    // The worker checks once a second and might finish before. Stopped for longer, it checks as soon as it continues.
    worker.kill('SIGSTOP');
    await processes.client.send('POST', `/v2/jobs/${canceled}/cancel`);
    await sleep(1_500);
    worker.kill('SIGCONT');
    const { data: stopped } = (await processes.client.jobEnd(canceled, 30_000)).body;
    expect([stopped.state, stopped.links.file]).toEqual(['canceled', undefined]);
  },
);
