import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { LedgerClient } from '../support/api/ledger-client.js';
import { makeWebhook } from '../support/api/webhooks.js';
import { Fault } from '../support/faults/fault.js';
import { type Processes, startProcesses } from '../support/servers/processes.js';
import { startSentinel } from '../support/servers/sentinel.js';
import { until } from '../support/until.js';

let sentinel: Awaited<ReturnType<typeof startSentinel>>;
let processes: Processes;
const ledger = new LedgerClient();
beforeAll(async () => {
  // The second replica confirms events after the failover.
  sentinel = await startSentinel({ replicas: 2 });
  const env = { REDIS_URL: sentinel.url, NODE_EXTRA_CA_CERTS: sentinel.ca, LOG_LEVEL: 'error' };
  processes = await startProcesses({ env });
});
afterAll(async () => {
  await ledger.stop();
  await processes?.stop();
  await sentinel?.stop();
});

test('with a user, passwords and TLS, events and jobs are processed before and after a failover', async () => {
  const { client, url, database } = processes;
  const { path } = await makeWebhook(client);
  const fault = new Fault('SIGKILL of the master of a Sentinel', 'events');
  expect((await ledger.sendOne(url + path)).status).toBe(202);
  await ledger.settle(database);
  await sentinel.killMaster();
  const isTaken = async () => (await ledger.sendOne(url + path)).status === 202;
  await fault.recovery(() => until('the API takes events again', isTaken, 20_000));
  await ledger.settle(database, { fault });
  const upload = await client.upload('email,integrationId,identity\nada@example.com,1,ada\n');
  expect([upload.status, upload.body.counts?.created]).toEqual([200, 1]);
});
