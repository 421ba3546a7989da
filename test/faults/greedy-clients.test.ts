import { get } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createApiKey, SCOPES } from '../../db/access/api-keys.js';
import { peakRssMb } from '../../scripts/bench/children.js';
import { freePort } from '../../scripts/processes/free-port.js';
import { Client } from '../support/api/client.js';
import { ALERT, makeWebhook, sendEvent } from '../support/api/webhooks.js';
import { shortOrLong, timeLimit } from '../support/faults/effort.js';
import { Fault } from '../support/faults/fault.js';
import { rssMb } from '../support/servers/process-usage.js';
import { type Processes, START_WITHIN_MS, startProcesses } from '../support/servers/processes.js';
import { until } from '../support/until.js';

let muster: Processes;
beforeAll(async () => {
  muster = await startProcesses({ env: { LOG_LEVEL: 'error' } });
}, 120_000);
afterAll(() => muster?.stop(), 120_000);

const AT_ONCE = 24;
const BODY_BYTES = 8 * 1024 * 1024;

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
  [
    'valid records',
    () => records((i) => ({ email: `a${i}@example.com`, integrationId: 7, identity: `a${i}`, padding })),
    [202],
  ],
  ['invalid records', () => records(() => ({ email: 'x', integrationId: '7', identity: 4, padding })), [400]],
  // The most values.
  ['empty arrays', () => Buffer.from(`[${'[],'.repeat(BODY_BYTES / 3 - 2)}[]]`), [400]],
];

test.each(BOMBS.slice(shortOrLong(-1, 0)))(
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

const IDENTITIES = '/v2/developers/identities';

async function newKey() {
  const { apiKey, text } = await createApiKey(muster.database, { name: 'test', scopes: SCOPES });
  return { id: apiKey.id, client: new Client(muster.url, text) };
}
const newClient = async () => (await newKey()).client;

/** Locks the table, which makes every lookup in it run into its time limit, and runs `during`. */
async function whileIdentitiesAreSlow(fault: Fault, during: () => Promise<void>): Promise<void> {
  fault.provoked();
  const connection = await muster.database.client.acquireConnection();
  const run = (sql: string) => muster.database.raw(sql).connection(connection);
  await run('LOCK TABLES identities WRITE');
  try {
    await during();
  } finally {
    await run('UNLOCK TABLES');
    await muster.database.client.releaseConnection(connection);
  }
  fault.report();
}

/** Returns how many lookups wait for the locked table. Upkeep, which deletes rows of it in its first turn, may wait too. */
async function waitingLookups(): Promise<number> {
  const [rows] = await muster.database.raw(
    "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE '%select%identities%' AND state LIKE '%lock%'",
  );
  return rows.length;
}

const codes = (responses: { status: number; body: { code?: string } }[]) =>
  responses.map(({ status, body }) => `${status} ${body.code}`).sort();

test("one key's slow lookups leave connections for the lists of other keys, and are not reported as an unavailable database", async () => {
  const [greedy, other] = [await newClient(), await newClient()];
  const fault = new Fault("slow lookups of one API key, and another key's lists");
  await whileIdentitiesAreSlow(fault, async () => {
    const slow = Promise.all(Array.from({ length: 12 }, () => greedy.get(`${IDENTITIES}?includeTotal=true`)));
    await until('the lookups run', async () => (await waitingLookups()) >= 3);
    for (let i = 0; i < 5; i++) expect((await fault.response(other.get('/v2/events'))).status).toBe(200);
    expect(await waitingLookups()).toBe(3);
    expect((await other.get('/readyz')).body.database).toBe(true);
    const responses = await slow;
    expect(codes(responses)).toEqual([
      ...Array(9).fill('503 overloaded'),
      ...Array(3).fill('503 search_too_slow'),
    ]);
    for (const { headers } of responses) expect(headers.get('retry-after')).toMatch(/^\d+$/);
  });
}, 120_000);

test('when several keys use up the connections for lookups, further lookups get an overload error', async () => {
  const greedy = [await newClient(), await newClient()];
  const other = await newClient();
  await other.get('/v2/events');
  const fault = new Fault('slow lookups on all connections for lookups');
  await whileIdentitiesAreSlow(fault, async () => {
    const slow = Promise.all(
      greedy.flatMap((client) => [client.get(IDENTITIES), client.get(IDENTITIES), client.get(IDENTITIES)]),
    );
    await until('all connections for lookups are in use', async () => (await waitingLookups()) === 6);
    const response = await fault.response(other.get('/v2/events'));
    expect([response.status, response.body.code]).toEqual([503, 'overloaded']);
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await other.get('/readyz')).body.database).toBe(true);
    expect((await other.get('/v2/keys')).status).toBe(200);
    expect(codes(await slow)).toEqual(Array(6).fill('503 search_too_slow'));
  });
}, 120_000);

const JOBS = 25;
/** The time of recovery is that of the other key's job. */
const queued = new Fault(`${JOBS} queued jobs of another API key`);
afterAll(() => {
  if (queued.times > 0) queued.report();
});
const later = { prefer: 'respond-async' };

/** Queues a job of a kind and returns its id. */
const kinds = {
  'identity-import': (client: Client, n: number) =>
    client.json(
      'PATCH',
      IDENTITIES,
      [{ email: 'a@example.com', integrationId: 1, identity: `n${n}` }],
      later,
    ),
  'identity-export': (client: Client) => client.json('POST', `${IDENTITIES}/exports`, {}, later),
  'alert-export': (client: Client) => client.get('/v2/alerts', { accept: 'text/csv', ...later }),
  'event-export': (client: Client) => client.get('/v2/events', { accept: 'text/csv', ...later }),
} as const;

test.each((Object.keys(kinds) as (keyof typeof kinds)[]).slice(0, shortOrLong(2, Number.POSITIVE_INFINITY)))(
  "one key's queued jobs do not hold up another key's: %s",
  async (kind) => {
    const [many, one] = [await newKey(), await newKey()];
    const [worker] = muster.workers;
    worker?.kill('SIGSTOP');
    for (let n = 0; n < JOBS; n++) expect((await kinds[kind](many.client, n)).status).toBe(202);
    const response = await kinds[kind](one.client, 0);
    expect(response.status).toBe(202);
    worker?.kill('SIGCONT');
    const { body } = await queued.recovery(() => one.client.jobEnd(response.body.jobId, 60_000));
    expect(body.data.state).toMatch(/^completed/);
    const [[{ before }]] = await muster.database.raw(
      'SELECT COUNT(*) AS `before` FROM jobs, (SELECT started_at FROM jobs WHERE id = ?) own WHERE api_key_id = ? AND jobs.started_at < own.started_at',
      [response.body.jobId, many.id],
    );
    // Two jobs in order of their turns, and the job that the worker had taken when it was stopped.
    expect(Number(before)).toBeLessThanOrEqual(4);
  },
  120_000,
);

test("one key's queued remaps do not hold up another key's", async () => {
  const [many, one] = [await newKey(), await newKey()];
  const { id } = await makeWebhook(many.client);
  const remap = (client: Client) => client.json('POST', `/v2/webhooks/${id}/remap`, {}, later);
  const [worker] = muster.workers;
  worker?.kill('SIGSTOP');
  for (let n = 0; n < JOBS; n++) expect((await remap(many.client)).status).toBe(202);
  const response = await remap(one.client);
  worker?.kill('SIGCONT');
  await queued.recovery(() => one.client.jobEnd(response.body.jobId, 60_000));
  const [[{ before }]] = await muster.database.raw(
    'SELECT COUNT(*) AS `before` FROM jobs, (SELECT started_at FROM jobs WHERE id = ?) own WHERE api_key_id = ? AND jobs.started_at < own.started_at',
    [response.body.jobId, many.id],
  );
  expect(Number(before)).toBeLessThanOrEqual(4);
}, 120_000);

const UPLOADS = shortOrLong(30, 500);
const DOWNLOADS = shortOrLong(10, 100);
const GROUP = 10;
/** Each account has a long name, so that an export is larger than the buffers of a connection. */
const ROWS = shortOrLong(10_000, 20_000);
const REQUEST_TIMEOUT_S = 4;

/** Of which about 150 are in use before. */
const MOST_MB = 256;
/** For a busy machine. */
const MEDIAN_MS = 15_000;
const ROUNDS = shortOrLong(1, 3);

/** An API that ends slow requests soon. */
async function startImpatientApi() {
  const port = await freePort();
  const child = muster.start('api', { PORT: String(port), REQUEST_TIMEOUT_S: String(REQUEST_TIMEOUT_S) });
  const url = `http://127.0.0.1:${port}`;
  await until(
    'it responds',
    async () => (await fetch(`${url}/readyz`).catch(() => null))?.status === 200,
    START_WITHIN_MS,
  );
  return { child, port, url, client: new Client(url, muster.key) };
}
let impatient: Awaited<ReturnType<typeof startImpatientApi>>;

/** Starts an upload that sends one byte a second. Resolves to the status line that ends it. */
function dripUpload(): Promise<string> {
  const start = `PATCH /v2/developers/identities HTTP/1.1\r\nHost: x\r\nAuthorization: ApiKey ${muster.key}\r\n`;
  return new Promise((resolve) => {
    const head = `${start}Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 9000\r\n\r\n`;
    const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\nemail,';
    const socket = connect(impatient.port, '127.0.0.1', () => socket.write(head + part));
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
    await impatient.client.get('/v2/webhooks');
  }
  return started;
}

test(
  'with hundreds of uploads at 1 B/s and downloads at 1 KB/s, other requests are in time, all uploads are ended, and the API stays below 256 MB',
  async () => {
    impatient = await startImpatientApi();
    const { path } = await makeWebhook(impatient.client);
    const fault = new Fault(`${UPLOADS} uploads at 1 B/s and ${DOWNLOADS} downloads at 1 KB/s`, 'events');
    /** Of an event and an upload of one row, one after the other. */
    const times: number[] = [];
    let mostMb = 0;
    const rows = Array.from(
      { length: ROWS },
      (_, at) => `a@example.com,1,account-${at}-${'x'.repeat(200)}\n`,
    );
    await impatient.client.upload(`email,integrationId,identity\n${rows.join('')}`);
    const created = await impatient.client.json(
      'POST',
      '/v2/developers/identities/exports',
      {},
      { prefer: 'wait=30' },
    );
    expect(created.status).toBe(200);
    const file = `${impatient.url}/v2/jobs/${created.body.jobId ?? created.body.data.id}/file`;
    const whole = Buffer.byteLength((await impatient.client.get(new URL(file).pathname)).text);

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
        const event = await sendEvent(impatient.url, path, ALERT);
        const upload = await impatient.client.json('PATCH', '/v2/developers/identities', [row]);
        times.push(performance.now() - startedAt);
        expect([event.status, upload.status]).toEqual([202, 200]);
        mostMb = Math.max(mostMb, rssMb(impatient.child.pid));
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
