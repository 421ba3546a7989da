import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { mountSmallDisk, type SmallDisk } from '../support/faults/small-disk.js';
import {
  type Access,
  nodeStart,
  pidOf,
  readRecords,
  storeRecord,
  untilRunning,
} from '../support/servers/muster.js';
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
  const response = await fetch(url, { method: 'POST', body, signal: AbortSignal.timeout(10_000) });
  await response.arrayBuffer();
  return response.status;
}

async function countAlerts({ address, apiKey }: Access): Promise<number> {
  const headers = { authorization: `ApiKey ${apiKey}` };
  const response = await fetch(`${address}/v2/alerts?pageSize=1000`, { headers });
  return ((await response.json()) as { data: unknown[] }).data.length;
}

// Only root may mount a small disk that a test can fill.
(disk ? test : test.skip)(
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

    let accepted = 0;
    const says = () => muster.output().includes('the disk is full, waiting');
    await until('Redis is waited for', async () => {
      const status = await sendEvent(url, `event ${accepted}`);
      expect([202, 503]).toContain(status);
      if (status === 202) accepted += 1;
      return says();
    });
    for (let round = 0; round < 20; round++) {
      expect((await readRecords(access)).status).toBe(200);
      expect(await storeRecord(access, `round-${round}`)).toBe(503);
      expect(await sendEvent(url, 'rejected')).toBe(503);
    }
    expect(pidOf(dataDir, 'redis')).toBeUndefined();

    free();
    await until(
      'writes are accepted again',
      async () => (await storeRecord(access, 'after')) === 200,
      15_000,
    );
    await until(
      'every accepted event is an alert, at least',
      async () => (await countAlerts(access)) >= accepted,
    );
    expect(muster.output().match(/the disk is full, waiting/g)).toHaveLength(1);
    muster.child.kill('SIGTERM');
    expect(await muster.ended).toBe(0);
  },
  120_000,
);
