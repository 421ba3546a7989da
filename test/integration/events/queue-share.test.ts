import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { lastHour, pendingEvents } from '../../../workers/queues/intake-gauge.js';
import { Client } from '../../support/api/client.js';
import { ALERT, makeWebhook, sendEvent } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

const MAX_QUEUED = 12;

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({ worker: false, env: { INTAKE_MAX_QUEUED: String(MAX_QUEUED) } });
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

/** Sends events until one is rejected. */
async function flood(path: string) {
  for (let accepted = 0; ; accepted++) {
    const response = await sendEvent(stack.url, path, ALERT);
    if (response.status !== 202) return { accepted, response };
  }
}

test('flooding integrations leave room in the queue for others, however many flood', async () => {
  const counts: number[] = [];
  for (let i = 0; i < 3; i++) {
    const { path } = await makeWebhook(client);
    const { accepted, response } = await flood(path);
    counts.push(accepted);
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await response.json()).toMatchObject({ code: 'overloaded' });
  }
  // About half of the queue, half of the rest, and again half of that: the count may be one event behind.
  expect(counts[0]).toBeGreaterThanOrEqual(MAX_QUEUED / 2);
  expect(counts[0]).toBeLessThanOrEqual(MAX_QUEUED / 2 + 2);
  expect(Math.min(...counts)).toBeGreaterThan(0);
});

test('the counts of queued events and bytes return to zero once all events are stored', async () => {
  const own = await startStack();
  try {
    const admin = await Client.of(own);
    const { path } = await makeWebhook(admin);
    for (const body of [
      '{"a":"ü€😀"}',
      '\uFEFF{"a":1}',
      'no JSON at all',
      Buffer.from([0xff, 0xfe, 0x00]),
      '[]',
    ]) {
      await sendEvent(own.url, path, body);
    }
    const { redis } = own.api;
    const countsOf = async (name: 'accepted' | 'stored') =>
      (await lastHour(redis, own.prefix)).reduce((sum, minute) => sum + minute[name], 0);
    await until('all events are counted as accepted', async () => (await countsOf('accepted')) === 5);
    await until('all events are counted as stored', async () => (await countsOf('stored')) === 5);
    const sizes = () => redis.hgetall(`${own.prefix}:intake:pending-size`);
    await until('no bytes are counted as queued', async () => Object.values(await sizes()).join() === '0');
    expect([...(await pendingEvents(redis, own.prefix)).values()]).toEqual([0]);
  } finally {
    await own.stop();
  }
});
