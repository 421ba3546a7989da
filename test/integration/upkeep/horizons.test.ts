import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { DAY_MS } from '../../../db/upkeep/horizons.js';
import { findUpkeep } from '../../../scripts/doctor/database/upkeep.js';
import { runUpkeepCommand } from '../../../scripts/upkeep/run.js';
import { ClockWatch } from '../../../workers/clocks/clock-watch.js';
import { doUpkeep } from '../../../workers/jobs/upkeep.js';
import type { WorkerServices } from '../../../workers/run/services.js';
import { Client } from '../../support/api/client.js';
import { countRows, insertOldRows } from '../../support/api/old-rows.js';
import { workerServices } from '../../support/api/run-job.js';
import { daysAgo } from '../../support/days-ago.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
let services: WorkerServices;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  client = await Client.of(stack);
  services = workerServices(stack);
});
beforeEach(async () => {
  for (const table of ['events', 'alerts', 'upkeep_horizons'])
    await stack.database.raw(`TRUNCATE TABLE ${table}`);
  await doUpkeep(services);
});
afterAll(() => stack.stop());

const events = () => countRows(stack.database, 'events');
/** Returns a worker's services with a clock whose distances to the others are given, in days. */
const withClocks = (redis: number, database: number): WorkerServices => {
  const ask = (days: number) => async () => Date.now() + days * DAY_MS;
  return { ...services, clock: new ClockWatch({ redis: ask(redis), database: ask(database) }) };
};
const withDays = (eventRetentionDays: number): WorkerServices => ({
  ...services,
  settings: { ...services.settings, eventRetentionDays },
});
/** Makes the last turn one of so many days ago. */
const pause = (days: number) =>
  stack.database.raw(
    'UPDATE upkeep_horizons SET horizon = horizon - INTERVAL ? DAY, moved_at = moved_at - INTERVAL ? DAY',
    [days, days],
  );
const command = async (...args: string[]) => {
  const written: string[] = [];
  const write = (text: string) => written.push(text);
  const context = { env: { DATABASE_URL: stack.env.DATABASE_URL }, out: { write }, err: { write } };
  return { code: await runUpkeepCommand(args, context), text: written.join('') };
};
const health = async () => (await client.get('/v2/health')).body.data;
const refusals = async () => {
  const metrics = await services.metrics.scrape();
  return /upkeep_tasks_total\{task="expire-events",outcome="refused"\} (\d+)/.exec(metrics)?.[1] ?? '0';
};

test.each([
  ['of the host is 500 days behind', 500, 500],
  ['of the host is 500 days ahead', -500, -500],
  ['of Redis is wrong', 500, 0],
  ['of the database is wrong', 0, -500],
])('upkeep removes nothing while the clock %s', async (_, redis, database) => {
  await insertOldRows(stack.database, { count: 10, from: daysAgo(400) });
  const before = Number(await refusals());
  await doUpkeep(withClocks(redis, database));
  expect([await events(), Number(await refusals()) - before]).toEqual([10, 1]);
  expect(stack.lines.some((line) => line.includes('differ by more than a minute'))).toBe(true);
  await doUpkeep(services);
  expect(await events()).toBe(0);
});

test('a retention that is lowered removes no more than a day until an operator allows it', async () => {
  await doUpkeep(withDays(60));
  await insertOldRows(stack.database, { count: 10, from: daysAgo(45) });
  await doUpkeep(withDays(59));
  await doUpkeep(withDays(30));
  expect(await events()).toBe(10);
  expect((await health()).upkeep.refused).toEqual([{ subject: 'events', before: expect.any(String) }]);
  expect(await findUpkeep('upkeep', stack.database)).toMatchObject({
    level: 'warning',
    advice: expect.stringContaining('npm run upkeep -- --force'),
  });
  const shown = await command();
  expect([shown.code, shown.text]).toEqual([1, expect.stringContaining('events')]);
  expect(await command('--force')).toMatchObject({ code: 0, text: expect.stringContaining('events to ') });
  expect(await command()).toMatchObject({ code: 0 });
  // What was allowed is not more than what was shown.
  await doUpkeep(withDays(20));
  expect(await events()).toBe(10);
  await doUpkeep(withDays(30));
  expect(await events()).toBe(0);
  expect((await health()).upkeep.refused).toEqual([]);
  expect(await findUpkeep('upkeep', stack.database)).toMatchObject({ level: 'ok' });
});

test('a pause of a week needs no permission, and a longer one, or clocks that all jump, does', async () => {
  await insertOldRows(stack.database, { count: 10, from: daysAgo(400) });
  await pause(9);
  await doUpkeep(services);
  expect(await events()).toBe(10);
  expect((await health()).upkeep.refused).toEqual([{ subject: 'clock', before: expect.any(String) }]);
  expect(await command('--force')).toMatchObject({ code: 0 });
  await doUpkeep(services);
  expect(await events()).toBe(0);
  await insertOldRows(stack.database, { count: 10, from: daysAgo(400) });
  await pause(7);
  await doUpkeep(services);
  expect(await events()).toBe(0);
});

test('jobs that Redis lost are queued again while the clocks differ', async () => {
  const counted = () => services.metrics.scrape();
  await doUpkeep(withClocks(500, 0));
  expect(await counted()).toMatch(/task="requeue-lost-jobs",outcome="done"/);
});

test('the options of npm run upkeep are checked', async () => {
  expect(await command('--help')).toMatchObject({ code: 0, text: expect.stringContaining('--force') });
  expect(await command('--yes')).toMatchObject({ code: 2 });
  expect(await command('--force')).toMatchObject({
    code: 0,
    text: 'Upkeep refuses nothing, so there is nothing to allow.\n',
  });
});
