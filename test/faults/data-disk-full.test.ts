import { join } from 'node:path';
import { afterAll, expect } from '@jest/globals';
import { shortOrLong } from '../support/faults/effort.js';
import { balanceOf, Fault } from '../support/faults/fault.js';
import { mountSmallDisk, type SmallDisk, whyNoDisk } from '../support/faults/small-disk.js';
import {
  type Access,
  nodeStart,
  pidOf,
  readRecords,
  storeRecord,
  untilRunning,
} from '../support/servers/muster.js';
import { testUnless } from '../support/test-unless.js';
import { until } from '../support/until.js';

/** The space that `npm start` needs at first, most of it for the database's log. */
const FIRST_KIB = 1_100 * 1024;
/** More than the space that must be free before Redis is started again. */
const LEFT_KIB = 32 * 1024;
const disk = mountSmallDisk(FIRST_KIB);
afterAll(() => disk?.unmount());

/** Creates an integration and returns its URL. */
async function makeWebhook({ address, apiKey }: Access): Promise<string> {
  const response = await fetch(`${address}/v2/webhooks`, {
    method: 'POST',
    headers: { authorization: `ApiKey ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'disk', template: 'generic-alert' }),
  });
  return ((await response.json()) as { data: { url: string } }).data.url;
}

async function sendEvent(url: string, name: string): Promise<number> {
  const body = JSON.stringify({ alert: { name, severity: 'low', message: 'm'.repeat(4_000) } });
  const response = await fetch(url, { method: 'POST', body, signal: AbortSignal.timeout(30_000) });
  await response.arrayBuffer();
  return response.status;
}

/** Returns the titles of all alerts, which are the names of their events. */
async function storedNames({ address, apiKey }: Access): Promise<string[]> {
  const headers = { authorization: `ApiKey ${apiKey}` };
  const response = await fetch(`${address}/v2/alerts?pageSize=1000`, { headers });
  return ((await response.json()) as { data: { title: string }[] }).data.map(({ title }) => title);
}

testUnless(whyNoDisk(disk))(
  'a full data disk is waited out: writes get 503, reads go on, and all resumes with nothing lost',
  async () => {
    const { folder, shrinkToFree, fill, free } = disk as SmallDisk;
    const dataDir = join(folder, 'data');
    const muster = nodeStart({ DATA_DIR: dataDir, PORT: '0', STORAGE_URL: '' });
    const access = await untilRunning(muster);
    const url = await makeWebhook(access);
    expect(await storeRecord(access, 'before')).toBe(200);
    shrinkToFree(LEFT_KIB);
    fill();

    const accepted: string[] = [];
    let sent = 0;
    const says = () => muster.output().includes('the disk is full, waiting');
    await until('Redis is waited for', async () => {
      const name = `event ${sent++}`;
      const status = await sendEvent(url, name);
      expect([202, 503]).toContain(status);
      if (status === 202) accepted.push(name);
      return says();
    });
    for (let round = 0; round < shortOrLong(3, 20); round++) {
      expect((await readRecords(access)).status).toBe(200);
      expect(await storeRecord(access, `round-${round}`)).toBe(503);
      expect(await sendEvent(url, `rejected ${round}`)).toBe(503);
    }
    expect(pidOf(dataDir, 'redis')).toBeUndefined();

    free();
    const fault = new Fault('full data disk', 'events');
    const isAccepted = async () => (await storeRecord(access, 'after')) === 200;
    await fault.recovery(() => until('writes are accepted again', isAccepted));
    let stored: string[] = [];
    await until('every accepted event is an alert', async () => {
      stored = await storedNames(access);
      return accepted.every((name) => stored.includes(name));
    });
    // An event that got 503 may be stored, once.
    expect(new Set(stored).size).toBe(stored.length);
    fault.add({ ...balanceOf(accepted, stored), doubled: stored.length - new Set(stored).size });
    fault.report();
    expect(muster.output().match(/the disk is full, waiting/g)).toHaveLength(1);
    muster.child.kill('SIGTERM');
    expect(await muster.ended).toBe(0);
  },
  300_000,
);
