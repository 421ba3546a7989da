import { expect, test } from '@jest/globals';
import type { ResolvedAddress } from '../../../workers/outbound/network.js';
import { rememberLookups } from '../../../workers/outbound/remembered-lookups.js';

const ADDRESS = { address: '203.0.113.1', family: 4 };
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Lookups that end when the test says so. */
function started() {
  const lookups: { host: string; end(): void; fail(): void }[] = [];
  const time = { now: 0 };
  const resolve = rememberLookups(
    (host) =>
      new Promise<ResolvedAddress[]>((end, fail) =>
        lookups.push({ host, end: () => end([ADDRESS]), fail: () => fail(new Error('no address')) }),
      ),
    () => time.now,
  );
  return { lookups, time, resolve };
}

test('a host is looked up once for requests at the same time, and for those of the next half minute', async () => {
  const { lookups, time, resolve } = started();
  const both = Promise.all([resolve('a'), resolve('a')]);
  lookups[0]?.end();
  expect(await both).toEqual([[ADDRESS], [ADDRESS]]);
  time.now = 29_000;
  expect(await resolve('a')).toEqual([ADDRESS]);
  expect(lookups).toHaveLength(1);
});

test('after that it is looked up again, and nobody waits for that for five minutes', async () => {
  const { lookups, time, resolve } = started();
  const first = resolve('a');
  lookups[0]?.end();
  await first;
  time.now = 31_000;
  expect(await resolve('a')).toEqual([ADDRESS]);
  expect(lookups).toHaveLength(2);
  lookups[1]?.fail();
  await settle();
  time.now = 5 * 60_000;
  const late = resolve('a');
  lookups[2]?.fail();
  await expect(late).rejects.toThrow('no address');
});

test('only two lookups go on at the same time, and a failure is not remembered', async () => {
  const { lookups, resolve } = started();
  const all = ['a', 'b', 'c'].map((host) => resolve(host).catch(() => 'failed'));
  await settle();
  expect(lookups.map(({ host }) => host)).toEqual(['a', 'b']);
  lookups[0]?.fail();
  await settle();
  expect(lookups.map(({ host }) => host)).toEqual(['a', 'b', 'c']);
  for (const { end } of lookups) end();
  expect(await Promise.all(all)).toEqual(['failed', [ADDRESS], [ADDRESS]]);
  void resolve('a');
  await settle();
  expect(lookups).toHaveLength(4);
});
