import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { handlers } from '../../../workers/registry.js';
import { Client } from '../../support/api/client.js';
import { recordedJob, runJob, workerServices } from '../../support/api/run-job.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { theRow } from '../../support/the-row.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  client = await Client.of(stack);
});
afterAll(() => stack.stop());
beforeEach(() => stack.database('identities').delete());

const identities = '/v2/developers/identities';
const later = { prefer: 'respond-async' };
const orders = ['ABC', 'ACB', 'BAC', 'BCA', 'CAB', 'CBA'];
const RealDate = Date;
afterEach(() => {
  globalThis.Date = RealDate;
});

/** Each key is named after the uploads that contain it. */
const keys = ['a', 'b', 'c', 'ab', 'ac', 'bc', 'abc'];
const keysOf = (name: string) => keys.filter((one) => one.includes(name.toLowerCase()));

/** Submits an upload of all keys with the owner NAME@example.com, without running it. Returns its job's id. */
async function upload(name: string, removes: boolean): Promise<string> {
  const key = (identity: string) => ({ integrationId: 7, identity });
  const records = keysOf(name).map((one) => ({ ...key(one), email: `${name.toLowerCase()}@example.com` }));
  const response = removes
    ? await client.json(
        'DELETE',
        identities,
        records.map(({ identity }) => key(identity)),
        later,
      )
    : await client.json('PATCH', identities, records, later);
  expect(response.status).toBe(202);
  return response.body.jobId;
}

async function workOff(jobId: string): Promise<Record<string, number>> {
  await runJob(handlers['identity-import'], recordedJob(jobId), workerServices(stack));
  const { body } = await client.get(`/v2/jobs/${jobId}`);
  expect(body.data.state).toBe('completed');
  return body.data.counts;
}

/** Returns the owner of each key, as the API lists it. */
async function owners(): Promise<Record<string, string>> {
  const { body } = await client.get(identities);
  return Object.fromEntries(
    body.data.map((row: { identity: string; email: string }) => [row.identity, row.email]),
  );
}

/** Returns for each key the upload accepted last, without the keys that it removed. */
function expected(removal: string | null): Record<string, string> {
  const last = keys.map((key) => [key, key.at(-1)?.toUpperCase() as string] as const);
  return Object.fromEntries(
    last.flatMap(([key, name]) => (name === removal ? [] : [[key, `${name.toLowerCase()}@example.com`]])),
  );
}

const cases = [null, 'A', 'B', 'C'].flatMap((removal) => orders.map((order) => ({ order, removal })));

test.each(cases)('accepted A, B, C, processed $order, removal: $removal', async ({ order, removal }) => {
  const jobs: Record<string, string> = {};
  for (const name of 'ABC') jobs[name] = await upload(name, name === removal);
  const done: Record<string, Record<string, number>> = {};
  for (const name of order) done[name] = await workOff(jobs[name] as string);
  expect(await owners()).toEqual(expected(removal));
  for (const name of 'ABC') {
    const before = order.slice(0, order.indexOf(name));
    const lost = keysOf(name).filter((key) =>
      [...before].some((other) => other > name && key.includes(other.toLowerCase())),
    );
    expect(done[name]).toMatchObject({ total: 4, superseded: lost.length });
    const { total, ...parts } = done[name] as Record<string, number>;
    expect(Object.values(parts).reduce((sum, part) => sum + part)).toBe(total);
  }
});

/** Shifts the clock of this host by the given number of milliseconds. */
function setClockWrong(by: number): void {
  globalThis.Date = class extends RealDate {
    constructor(...given: unknown[]) {
      super(...((given.length === 0 ? [RealDate.now() + by] : given) as [number]));
    }
    static override now(): number {
      return RealDate.now() + by;
    }
  } as DateConstructor;
}

const HOUR = 60 * 60 * 1_000;

test.each(orders)('the clocks of the hosts that accept are hours apart, processed %s', async (order) => {
  const jobs: Record<string, string> = {};
  for (const [name, clock] of [
    ['A', HOUR],
    ['B', 0],
    ['C', -HOUR],
  ] as const) {
    setClockWrong(clock);
    jobs[name] = await upload(name, false);
  }
  setClockWrong(0);
  for (const name of order) await workOff(jobs[name] as string);
  expect(await owners()).toEqual(expected(null));
});

test('an upload that is delivered again after a later one changes nothing', async () => {
  const [a, b] = [await upload('A', false), await upload('B', true)];
  await workOff(a);
  await workOff(b);
  const before = await stack.database('identities');
  await stack.database('jobs').where({ id: a }).update({ state: 'queued', finished_at: null });
  await stack.database('job_steps').where({ job_id: a }).delete();
  await stack.database('import_changes').where({ job_id: a }).delete();
  const counts = await workOff(a);
  expect(counts).toMatchObject({ total: 4, unchanged: 2, superseded: 2 });
  expect(await stack.database('identities')).toEqual(before);
});

test('an upload gets a number above all recorded ones, even if Redis has lost its data and its clock is late', async () => {
  const first = await upload('A', false);
  const inAnHour = (Date.now() + 60 * 60 * 1_000) * 1_000;
  await stack.database('jobs').where({ id: first }).update({ acceptance: inAnHour });
  await stack.api.redis.del(`${stack.prefix}:acceptance`);
  const second = await upload('B', false);
  const { acceptance } = await theRow(stack.database('jobs').where({ id: second }).first('acceptance'));
  expect(Number(acceptance)).toBe(inAnHour + 1);
});
