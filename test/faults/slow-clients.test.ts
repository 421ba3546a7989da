import { get } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ALERT, makeWebhook, sendEvent } from '../support/api/webhooks.js';
import { shortOrLong, timeLimit } from '../support/faults/effort.js';
import { Fault } from '../support/faults/fault.js';
import { rssMb } from '../support/servers/process-usage.js';
import { type Processes, startProcesses } from '../support/servers/processes.js';
import { until } from '../support/until.js';

const UPLOADS = shortOrLong(30, 500);
const DOWNLOADS = shortOrLong(10, 100);
const GROUP = 10;
/** Each account has a long name, so that an export is larger than the buffers of a connection. */
const ROWS = 20_000;
const REQUEST_TIMEOUT_S = 4;

/** Of which about 150 are in use before. */
const MOST_MB = 256;
/** For a busy machine. */
const MEDIAN_MS = 5_000;
const ROUNDS = shortOrLong(1, 3);

let muster: Processes;
let path: string;
beforeAll(async () => {
  const env = {
    REQUEST_TIMEOUT_S: String(REQUEST_TIMEOUT_S),
    LOG_LEVEL: 'error',
  };
  muster = await startProcesses({ env });
  ({ path } = await makeWebhook(muster.client));
}, 60_000);
afterAll(() => muster?.stop(), 60_000);

/** Starts an upload that sends one byte a second. Resolves to the status line that ends it. */
function dripUpload(): Promise<string> {
  const start = `PATCH /v2/developers/identities HTTP/1.1\r\nHost: x\r\nAuthorization: ApiKey ${muster.key}\r\n`;
  return new Promise((resolve) => {
    const head = `${start}Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 9000\r\n\r\n`;
    const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\nemail,';
    const socket = connect(muster.port, '127.0.0.1', () => socket.write(head + part));
    const drip = setInterval(() => socket.write('x'), 1_000);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(drip);
      resolve(text.split('\r\n')[0] ?? '');
    });
  });
}

/** Reads a download at about 1 KB/s until `hurry` is called, then the rest at once. Resolves to the number of its bytes. */
function slowDownload(url: string, slow: Set<() => void>): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `ApiKey ${muster.key}`, accept: 'text/csv' };
    get(url, { headers, agent: false }, (response) => {
      let bytes = 0;
      let isSlow = true;
      let timer: NodeJS.Timeout;
      slow.add(() => {
        isSlow = false;
        clearTimeout(timer);
        response.resume();
      });
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (!isSlow) return;
        response.pause();
        timer = setTimeout(() => response.resume(), chunk.length);
      });
      response.on('end', () => resolve(bytes));
      response.on('error', reject);
    }).on('error', reject);
  });
}

/** Starts that many clients in groups, so that other requests need not wait for hundreds that begin at the same moment. */
async function inGroups<T>(count: number, start: () => Promise<T>): Promise<Promise<T>[]> {
  const started: Promise<T>[] = [];
  while (started.length < count) {
    for (let at = 0; at < GROUP; at++) started.push(start());
    await muster.client.get('/v2/webhooks');
  }
  return started;
}

test(
  'with hundreds of uploads at 1 B/s and downloads at 1 KB/s, other requests are in time, all uploads are ended, and the API stays below 256 MB',
  async () => {
    const fault = new Fault(`${UPLOADS} uploads at 1 B/s and ${DOWNLOADS} downloads at 1 KB/s`, 'events');
    /** Of an event and an upload of one row, one after the other. */
    const times: number[] = [];
    let mostMb = 0;
    const rows = Array.from(
      { length: ROWS },
      (_, at) => `a@example.com,1,account-${at}-${'x'.repeat(200)}\n`,
    );
    await muster.client.upload(`email,integrationId,identity\n${rows.join('')}`);
    const created = await muster.client.json(
      'POST',
      '/v2/developers/identities/exports',
      {},
      { prefer: 'wait=30' },
    );
    expect(created.status).toBe(200);
    const file = `${muster.url}/v2/jobs/${created.body.jobId ?? created.body.data.id}/file`;
    const whole = Buffer.byteLength((await muster.client.get(new URL(file).pathname)).text);

    for (let round = 0; round < ROUNDS; round++) {
      const slow = new Set<() => void>();
      fault.provoked();
      const downloads = await inGroups(DOWNLOADS, () => slowDownload(file, slow));
      await until('all downloads have started', () => slow.size === DOWNLOADS);
      const uploads = await inGroups(UPLOADS, dripUpload);
      const ends = Promise.all(uploads);
      let areOver = false;
      void ends.then(() => {
        areOver = true;
      });
      while (!areOver) {
        const row = { email: 'b@example.com', integrationId: 2, identity: `b${times.length}` };
        const startedAt = performance.now();
        const event = await sendEvent(muster.url, path, ALERT);
        const upload = await muster.client.json('PATCH', '/v2/developers/identities', [row]);
        times.push(performance.now() - startedAt);
        expect([event.status, upload.status]).toEqual([202, 200]);
        mostMb = Math.max(mostMb, rssMb(muster.api.pid));
      }
      expect((await ends).filter((line) => line !== 'HTTP/1.1 408 Request Timeout')).toEqual([]);
      for (const hurry of slow) hurry();
      expect(new Set(await Promise.all(downloads))).toEqual(new Set([whole]));
    }
    const median = times.sort((one, other) => one - other)[times.length >> 1] as number;
    expect(median).toBeLessThan(MEDIAN_MS);
    expect(mostMb).toBeLessThan(MOST_MB);
    const countEvents = async () => (await muster.database('events').select('id')).length;
    await until('all events are stored', async () => (await countEvents()) >= times.length);
    const stored = await countEvents();
    const doubled = stored - times.length;
    fault.add({ acknowledged: times.length, stored, lost: 0, doubled });
    fault.waited(times.at(-1) as number);
    fault.report();
    expect(doubled).toBe(0);
  },
  timeLimit(120_000),
);
