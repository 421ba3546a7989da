import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Client } from '../support/api/client.js';
import { startPausedUpload } from '../support/api/paused-upload.js';
import { isLong, shortOrLong, timeLimit, times } from '../support/faults/effort.js';
import { balanceOf, Fault } from '../support/faults/fault.js';
import { LINK_FAULTS, type SlowLink, startSlowLink } from '../support/faults/slow-link.js';
import { startS3, type TestS3 } from '../support/servers/s3.js';
import { type Stack, startStack } from '../support/servers/stack.js';
import { until } from '../support/until.js';

const FAULT_MS = shortOrLong(1_200, 30_000);
/** An upload takes the time of its bytes, and gets 503 within 2 s of the last one if S3 does not respond. The rest is for a busy machine. */
const LATEST_MS = 15_000;
const HEADER = 'email,integrationId,identity';
/** Some 12 KB. */
const ROWS = 250;
const later = { prefer: 'respond-async' };
const EXPORTS = '/v2/developers/identities/exports';

let s3: TestS3;
let link: SlowLink;
let stack: Stack;
let client: Client;
beforeAll(async () => {
  s3 = await startS3();
  link = await startSlowLink({ port: s3.server.port });
  stack = await startStack({ env: { STORAGE_URL: s3.url('links', 'muster', link.port) } });
  client = await Client.of(stack);
}, 120_000);
beforeEach(async () => {
  accepted.clear();
  await stack.database('identities').delete();
});
/** Ends the work, also that of a failed test. */
let endWork: () => Promise<unknown> = async () => {};
afterEach(async () => {
  link.restore();
  await endWork().catch(() => {});
});
afterAll(async () => {
  await stack?.stop();
  await link?.stop();
  await s3?.stop();
});

/** Returns the rows of an upload. No two uploads have the same accounts. */
const rowsOf = (upload: number): string[] =>
  Array.from({ length: ROWS }, (_, row) => `owner-${upload}@example.com,1,account-${upload}-${row}`);
const fileOf = (upload: number): string => `${[HEADER, ...rowsOf(upload)].join('\n')}\n`;

let uploads = 0;
/** The uploads that were accepted, by the id of their job. */
const accepted = new Map<string, number>();

/** Sends uploads, one after the other. Each is accepted or rejected as a whole. Returns the longest response time. */
async function uploadUntil(isOver: () => boolean): Promise<number> {
  let longest = 0;
  while (!isOver()) {
    const upload = uploads++;
    const startedAt = performance.now();
    const { status, body, headers } = await client.upload(fileOf(upload), '', later);
    longest = Math.max(longest, performance.now() - startedAt);
    if (status === 202) accepted.set(body.jobId, upload);
    else expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '5']);
    await sleep(50);
  }
  return longest;
}

/** Requests exports, and returns the ids of their jobs. */
async function exportUntil(isOver: () => boolean): Promise<string[]> {
  const ids: string[] = [];
  while (!isOver()) {
    const { status, body } = await client.json('POST', EXPORTS, {}, later);
    expect(status).toBe(202);
    ids.push(body.jobId);
    await sleep(500);
  }
  return ids;
}

const ended = async (id: string) => (await client.jobEnd(id)).body.data;

/** Checks that an export has completed, and that its file has all rows that the job counted. */
async function expectWhole(id: string): Promise<void> {
  const { state, error, counts, links } = await ended(id);
  expect([state, error]).toEqual(['completed', undefined]);
  const { text } = await client.get(links.file);
  expect(text.endsWith('\n')).toBe(true);
  expect(text.trimEnd().split('\n')).toHaveLength(counts.rows + 1);
}

/** A link of 8 KB/s demands more than one that takes 200 ms, which the short form leaves out. */
test.each(Object.keys(LINK_FAULTS).filter((name) => isLong || name !== 'takes 200 ms'))(
  'while the link to S3 %s, uploads are stored or rejected as a whole and in time, and exports are complete',
  async (name) => {
    const fault = new Fault(`link to S3 ${name}`, 'rows');
    let isOver = false;
    const work = Promise.all([uploadUntil(() => isOver), exportUntil(() => isOver)]);
    work.catch(() => {});
    endWork = () => {
      isOver = true;
      return work;
    };
    await LINK_FAULTS[name]?.(link, FAULT_MS);
    link.restore();
    await fault.recovery(async () => {
      let id: string | undefined;
      const isAccepted = async () => {
        id = (await client.upload(fileOf(0), '', later)).body.jobId;
        return id !== undefined;
      };
      await until('an upload is accepted', isAccepted);
      return ended(id as string);
    });
    isOver = true;
    const [longest, exports] = await work;
    expect(longest).toBeLessThan(LATEST_MS);
    for (const id of accepted.keys()) expect(await ended(id)).toMatchObject({ state: 'completed' });
    for (const id of exports) await expectWhole(id);
    const stored = await stack.database('identities').select();
    const expected = [...new Set([0, ...accepted.values()])].flatMap(rowsOf);
    const balance = fault.add(
      balanceOf(
        expected,
        stored.map(({ email, identity }) => `${email},1,${identity}`),
      ),
    );
    fault.waited(longest);
    fault.report();
    expect([balance.lost, balance.doubled]).toEqual([0, 0]);
    // Nothing is half-written: each stored upload is one of the files.
    const files = new Set(Array.from({ length: uploads }, (_, upload) => fileOf(upload)));
    const objects = [...s3.server.objects].filter(([key]) => key.includes('/uploads/'));
    expect(objects.filter(([, { body }]) => !files.has(body.toString()))).toEqual([]);
  },
  timeLimit(120_000),
);

/** More than 8 MiB, of which S3 gets a part at once, and a further part. */
const IN_PARTS = [9_000_000, 1_000_000].map((bytes) => Buffer.alloc(bytes, `${rowsOf(0)[0]}\n`));

test(
  'an upload in parts whose link to S3 is interrupted is rejected in time, and its parts are removed',
  async () => {
    const fault = new Fault('link to S3 carries nothing after the first part of an upload');
    while (fault.times < times(1)) {
      const { resume, response } = startPausedUpload(client, IN_PARTS);
      const parts = () => [...s3.server.uploads.values()].filter((stored) => stored.size > 0);
      await until('S3 has the first part', () => parts().length > 0);
      link.delay(60_000);
      resume();
      const startedAt = performance.now();
      const { status, body } = await fault.response(response);
      expect(performance.now() - startedAt).toBeLessThan(LATEST_MS);
      expect([status, body.code]).toEqual([503, 'unavailable']);
      link.restore();
      await fault.recovery(() => until('no part is left', () => s3.server.uploads.size === 0));
    }
    fault.report();
  },
  timeLimit(120_000),
);
