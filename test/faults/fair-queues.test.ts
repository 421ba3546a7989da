import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createApiKey, SCOPES } from '../../db/access/api-keys.js';
import { Client } from '../support/api/client.js';
import { makeWebhook } from '../support/api/webhooks.js';
import { shortOrLong } from '../support/faults/effort.js';
import { Fault } from '../support/faults/fault.js';
import { type Processes, startProcesses } from '../support/servers/processes.js';

const JOBS = 25;
let muster: Processes;
/** The time of recovery is that of the other key's job. */
const fault = new Fault(`${JOBS} queued jobs of another API key`);
beforeAll(async () => {
  muster = await startProcesses({ workers: 1 });
}, 60_000);
afterAll(async () => {
  fault.report();
  await muster.stop();
});

async function newClient() {
  const { apiKey, text } = await createApiKey(muster.database, { name: 'test', scopes: SCOPES });
  return { id: apiKey.id, client: new Client(muster.url, text) };
}

const IDENTITIES = '/v2/developers/identities';
const later = { prefer: 'respond-async' };

/** Queues a job of a kind and returns its id. */
const kinds = {
  'identity-import': (client: Client, n: number) =>
    client.json(
      'PATCH',
      IDENTITIES,
      [{ email: 'a@example.com', integrationId: 1, identity: `n${n}` }],
      later,
    ),
  'identity-export': (client: Client) => client.json('POST', `${IDENTITIES}/exports`, {}, later),
  'alert-export': (client: Client) => client.get('/v2/alerts', { accept: 'text/csv', ...later }),
  'event-export': (client: Client) => client.get('/v2/events', { accept: 'text/csv', ...later }),
} as const;

test.each((Object.keys(kinds) as (keyof typeof kinds)[]).slice(0, shortOrLong(2, Number.POSITIVE_INFINITY)))(
  "one key's queued jobs do not hold up another key's: %s",
  async (kind) => {
    const [many, one] = [await newClient(), await newClient()];
    const [worker] = muster.workers;
    worker?.kill('SIGSTOP');
    for (let n = 0; n < JOBS; n++) expect((await kinds[kind](many.client, n)).status).toBe(202);
    const response = await kinds[kind](one.client, 0);
    expect(response.status).toBe(202);
    worker?.kill('SIGCONT');
    const { body } = await fault.recovery(() => one.client.jobEnd(response.body.jobId, 30_000));
    expect(body.data.state).toMatch(/^completed/);
    const [[{ before }]] = await muster.database.raw(
      'SELECT COUNT(*) AS `before` FROM jobs, (SELECT started_at FROM jobs WHERE id = ?) own WHERE api_key_id = ? AND jobs.started_at < own.started_at',
      [response.body.jobId, many.id],
    );
    // Two jobs in order of their turns, and the job that the worker had taken when it was stopped.
    expect(Number(before)).toBeLessThanOrEqual(4);
  },
  60_000,
);

test("one key's queued remaps do not hold up another key's", async () => {
  const [many, one] = [await newClient(), await newClient()];
  const { id } = await makeWebhook(many.client);
  const remap = (client: Client) => client.json('POST', `/v2/webhooks/${id}/remap`, {}, later);
  const [worker] = muster.workers;
  worker?.kill('SIGSTOP');
  for (let n = 0; n < JOBS; n++) expect((await remap(many.client)).status).toBe(202);
  const response = await remap(one.client);
  worker?.kill('SIGCONT');
  await fault.recovery(() => one.client.jobEnd(response.body.jobId, 30_000));
  const [[{ before }]] = await muster.database.raw(
    'SELECT COUNT(*) AS `before` FROM jobs, (SELECT started_at FROM jobs WHERE id = ?) own WHERE api_key_id = ? AND jobs.started_at < own.started_at',
    [response.body.jobId, many.id],
  );
  expect(Number(before)).toBeLessThanOrEqual(4);
}, 60_000);
