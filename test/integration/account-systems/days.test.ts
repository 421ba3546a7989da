import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { DAY_MS } from '../../../db/upkeep/horizons.js';
import { handlers } from '../../../workers/registry.js';
import type { WorkerServices } from '../../../workers/run/services.js';
import { beginTurn, type Turn } from '../../../workers/upkeep/begin-turn.js';
import {
  countAccountSystems,
  deleteOldAccountSystemDays,
} from '../../../workers/upkeep/count-account-systems.js';
import { Client } from '../../support/api/client.js';
import { insertIdentities } from '../../support/api/identities.js';
import { recordedJob, runJob, workerServices } from '../../support/api/run-job.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
let services: WorkerServices;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  services = workerServices(stack);
  client = await Client.of(stack);
});
beforeEach(() => stack.database('account_system_days').delete());
afterAll(() => stack.stop());

const turnAt = (now: Date): Turn => ({ now, ago: (ms) => new Date(+now - ms), expiry: () => now });

/** Runs the task as a turn at this time does. Returns how many account systems it counted. */
async function count(now: Date): Promise<number> {
  let counted = 0;
  for await (const one of countAccountSystems.run(services, turnAt(now))) counted += one;
  return counted;
}

const daysOf = async (integrationId: number) =>
  (await client.get(`/v2/integrations/${integrationId}/days`)).body.data;

test('each account system is counted once a day, those without accounts too, however often the task runs', async () => {
  await insertIdentities(stack.database, [
    { email: 'ada@example.com', integrationId: 7, identity: 'ada' },
    { email: 'ada@example.com', integrationId: 7, identity: 'ada-l' },
    { email: 'bob@example.com', integrationId: 8, identity: 'bob' },
    { email: null, integrationId: 8, identity: 'gone' },
  ]);
  await client.json('PUT', '/v2/integrations/9', { name: 'Empty' });
  expect(await count(new Date('2026-03-01T00:00:00.000Z'))).toBe(3);
  expect(await count(new Date('2026-03-01T23:59:59.999Z'))).toBe(0);
  const day = { day: '2026-03-01', accounts: 2, owners: 1, listed: null, withoutOwner: null };
  expect(await daysOf(7)).toEqual([day]);
  expect(await daysOf(8)).toEqual([{ ...day, accounts: 1 }]);
  expect(await daysOf(9)).toEqual([{ ...day, accounts: 0, owners: 0 }]);

  const list = 'identity\nada\nada-l\nnobody\nnobody-else\nno-one\n';
  const headers = { 'content-type': 'text/csv', prefer: 'respond-async' };
  const made = await client.send('POST', '/v2/integrations/7/worklists', { headers, body: list });
  expect(await runJob(handlers['identity-worklist'], recordedJob(made.body.jobId), services)).toBe(
    'completed',
  );
  expect(await count(new Date('2026-03-02T00:00:00.000Z'))).toBe(3);
  expect(await daysOf(7)).toEqual([
    day,
    { day: '2026-03-02', accounts: 2, owners: 1, listed: 5, withoutOwner: 3 },
  ]);
});

test('a turn of upkeep counts by the clock of the database, and an interrupted one is continued', async () => {
  await insertIdentities(stack.database, [
    { email: 'ada@example.com', integrationId: 17, identity: 'ada' },
    { email: 'ada@example.com', integrationId: 18, identity: 'ada' },
  ]);
  const turn = await beginTurn(services);
  const steps = countAccountSystems.run(services, turn);
  await steps.next();
  await steps.return();
  expect(await stack.database('account_system_days')).toHaveLength(1);
  for await (const _ of countAccountSystems.run(services, await beginTurn(services)));
  const [[{ today }]] = await stack.database.raw("SELECT DATE_FORMAT(UTC_TIMESTAMP(), '%Y-%m-%d') AS today");
  for (const integrationId of [17, 18])
    expect((await daysOf(integrationId)).map(({ day }: { day: string }) => day)).toEqual([today]);
});

test('what takes too long to count is recorded as unknown, and not tried again on that day', async () => {
  await stack.database('identities').delete();
  await insertIdentities(stack.database, [
    { email: 'ada@example.com', integrationId: 27, identity: 'ada' },
    { email: 'ada@example.com', integrationId: 28, identity: 'ada' },
  ]);
  const now = new Date('2026-04-01T12:00:00.000Z');
  const steps = countAccountSystems.run(services, turnAt(now));
  await steps.next();
  const last = await stack.database.transaction(async (transaction) => {
    await transaction.raw('LOCK TABLES identities WRITE');
    const step = await steps.next();
    await transaction.raw('UNLOCK TABLES');
    return step;
  });
  expect(last).toEqual({ done: false, value: 1 });
  await steps.return();
  const unknown = { day: '2026-04-01', accounts: null, owners: null, listed: null, withoutOwner: null };
  expect(await daysOf(27)).toEqual([{ ...unknown, accounts: 1, owners: 1 }]);
  expect(await daysOf(28)).toEqual([unknown]);
  await count(now);
  expect(await daysOf(28)).toEqual([unknown]);
}, 30_000);

test('days are kept for 400 days', async () => {
  const now = new Date();
  const row = { integration_id: 7, accounts: 1, owners: 1, listed: null, without_owner: null };
  const ages = [401, 399, 0];
  for (const age of ages)
    await stack.database('account_system_days').insert({ ...row, day: new Date(+now - age * DAY_MS) });
  for await (const _ of deleteOldAccountSystemDays.run(services, turnAt(now)));
  expect(await daysOf(7)).toHaveLength(2);
});
