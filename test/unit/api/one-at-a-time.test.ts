import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { oneAtATime, type Pause } from '../../../api/preview/one-at-a-time.js';

const server = createServer();
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

/** Sends a request that the server leaves open. */
async function connect() {
  const request = get({ port: (server.address() as AddressInfo).port, agent: false });
  request.on('error', () => {});
  const [, res] = (await once(server, 'request')) as [unknown, ServerResponse];
  const disconnect = async () => {
    request.destroy();
    await once(res, 'close');
  };
  return { res, disconnect };
}

const asker = (res: ServerResponse, id: string) => ({ ctx: { res }, principal: { id } });

/** Starts a preview that ends on demand. */
function hold(res: ServerResponse, key: string) {
  let end = (): void => undefined;
  const task = () => new Promise<string>((resolve) => (end = () => resolve('held')));
  const result = oneAtATime(asker(res, key), task);
  return { result, end: () => end() };
}

const left = {
  status: 'rejected',
  reason: expect.objectContaining({ status: 408, code: 'client_disconnected' }),
};

test('a preview stops at its next pause if its client disconnects', async () => {
  const { res, disconnect } = await connect();
  const other = await connect();
  let steps = 0;
  const endless = async (pause: Pause) => {
    for (;;) {
      await pause();
      steps += 1;
    }
  };
  const outcome = Promise.allSettled([oneAtATime(asker(res, 'a'), endless)]);
  await disconnect();
  expect(await outcome).toEqual([left]);
  expect(steps).toBeGreaterThan(0);
  expect(await oneAtATime(asker(other.res, 'a'), async () => 'next')).toBe('next');
  await other.disconnect();
});

test('a preview does not start if its client disconnects while it waits', async () => {
  const [one, other] = [await connect(), await connect()];
  const first = hold(one.res, 'a');
  const started: string[] = [];
  const waiting = ['a', 'b'].map((key) =>
    oneAtATime(asker(other.res, key), async () => {
      started.push(key);
      return key;
    }),
  );
  const outcomes = Promise.allSettled(waiting);
  await other.disconnect();
  first.end();
  expect(await first.result).toBe('held');
  expect(await outcomes).toEqual(Array(2).fill(left));
  expect(started).toEqual([]);
  await one.disconnect();
});

test('a key may have 10 previews waiting, which leave room for those of other keys', async () => {
  const { res, disconnect } = await connect();
  const first = hold(res, 'a');
  const run = (key: string) => oneAtATime(asker(res, key), async () => key);
  const waiting = Array.from({ length: 10 }, () => run('a'));
  await expect(run('a')).rejects.toMatchObject({
    status: 503,
    code: 'overloaded',
    details: { headers: { 'Retry-After': '2' } },
  });
  const other = run('b');
  first.end();
  expect(await Promise.race([...waiting.slice(1), other])).toBe('b');
  expect(await Promise.all(waiting)).toEqual(Array(10).fill('a'));
  await disconnect();
});
