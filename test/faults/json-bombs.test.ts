import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { peakRssMb } from '../../scripts/bench/children.js';
import { shortOrLong } from '../support/faults/effort.js';
import { Fault } from '../support/faults/fault.js';
import { type Processes, startProcesses } from '../support/servers/processes.js';

const AT_ONCE = 24;
const BODY_BYTES = 8 * 1024 * 1024;

let muster: Processes;
beforeAll(async () => {
  muster = await startProcesses();
}, 60_000);
afterAll(() => muster.stop());

const records = (record: (index: number) => object) =>
  Buffer.from(JSON.stringify(Array.from({ length: 10_000 }, (_, index) => record(index))));
const padding = 'y'.repeat(720);

/** Requests the API's health until it is stopped. Returns every status. */
function watchHealth(fault: Fault) {
  const statuses: number[] = [];
  let watching = true;
  const watched = (async () => {
    while (watching) {
      statuses.push((await fault.response(fetch(`${muster.url}/healthz`))).status);
      await sleep(20);
    }
    return statuses;
  })();
  return {
    statuses: () => {
      watching = false;
      return watched;
    },
  };
}

const BOMBS: readonly [name: string, make: () => Buffer, statuses: number[]][] = [
  ['open brackets', () => Buffer.alloc(BODY_BYTES, '['), [400]],
  ['empty arrays', () => Buffer.from(`[${'[],'.repeat(BODY_BYTES / 3 - 2)}[]]`), [400]],
  [
    'valid records',
    () => records((i) => ({ email: `a${i}@example.com`, integrationId: 7, identity: `a${i}`, padding })),
    [202],
  ],
  ['invalid records', () => records(() => ({ email: 'x', integrationId: '7', identity: 4, padding })), [400]],
];

test.each(BOMBS.slice(0, shortOrLong(2, BOMBS.length)))(
  `${AT_ONCE} bodies of 8 MiB of %s at once leave the API small and responsive`,
  async (name, make, wanted) => {
    const fault = new Fault(`${AT_ONCE} bodies of 8 MiB of ${name} at once`);
    fault.provoked();
    const body = make();
    const before = peakRssMb(muster.api.pid as number);
    const health = watchHealth(fault);
    const headers = { 'content-type': 'application/json', prefer: 'respond-async' };
    const upload = () =>
      muster.client.send('PATCH', '/v2/developers/identities?dryRun=true', { body, headers });
    const responses = await Promise.all(Array.from({ length: AT_ONCE }, upload));
    expect([...new Set(responses.map(({ status }) => status))]).toEqual(wanted);
    const statuses = await health.statuses();
    fault.report();
    expect(new Set(statuses)).toEqual(new Set([200]));
    // Held in memory they take 192 MiB, and parsed 540 MiB.
    expect(peakRssMb(muster.api.pid as number) - before).toBeLessThan(150);
  },
  120_000,
);
