import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { connectDatabase, type Database } from '../../db/client/connect.js';
import { type PrivateServers, startPrivateServers } from '../../scripts/private-servers/index.js';
import { LedgerClient } from '../support/api/ledger-client.js';
import { makeWebhook } from '../support/api/webhooks.js';
import { isLong, shortOrLong, timeLimit } from '../support/faults/effort.js';
import { Fault } from '../support/faults/fault.js';
import { LINK_FAULTS, type SlowLink, startSlowLink } from '../support/faults/slow-link.js';
import { onMysql } from '../support/servers/on-mysql.js';
import { type Processes, startProcesses } from '../support/servers/processes.js';
import { testUnless } from '../support/test-unless.js';
import { until } from '../support/until.js';

const FAULT_MS = shortOrLong(1_200, 30_000);
/** A request gets its response within 2 s of its last byte if a server does not respond; the rest is for a busy machine. */
const LATEST_EVENT_MS = 4_500;
/** An upload waits up to 20 s for its job, and asks each server several times. */
const LATEST_UPLOAD_MS = 25_000;

/** The link connects TCP to MySQL's socket, and its clients send a password in another way over each. */
const missing = onMysql() ? 'the password of MySQL cannot be sent over the link' : null;

let folder: string;
let servers: PrivateServers;
let links: Record<'Redis' | 'MariaDB', SlowLink>;
let muster: Processes;
/** Not over the link, for the test's own questions. */
let database: Database;
let path: string;
const ledger = new LedgerClient();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'muster-links-'));
  servers = await startPrivateServers({ dir: folder, durable: true, throwAway: true, redoLogMb: 16 });
  const databaseUrl = new URL(servers.databaseUrls.root);
  links = {
    Redis: await startSlowLink({ path: servers.redisUrl.slice('unix://'.length) }),
    MariaDB: await startSlowLink({ path: databaseUrl.searchParams.get('socketPath') as string }),
  };
  const direct = new URL(databaseUrl);
  databaseUrl.searchParams.delete('socketPath');
  databaseUrl.host = `127.0.0.1:${links.MariaDB.port}`;
  muster = await startProcesses({
    servers: { databaseUrl: databaseUrl.href, redisUrl: `redis://127.0.0.1:${links.Redis.port}` },
    env: { LOG_LEVEL: 'error' },
  });
  direct.pathname = (await muster.database.raw('SELECT DATABASE() AS name'))[0][0].name;
  database = connectDatabase(direct.href);
  ({ path } = await makeWebhook(muster.client));
}, 60_000);
/** Ends the uploads, also those of a failed test. Returns the longest response time. */
let endUploads = async (): Promise<number> => 0;
afterEach(async () => {
  for (const link of Object.values(links)) link.restore();
  await ledger.stop();
  await endUploads().catch(() => {});
});
afterAll(async () => {
  await muster?.stop();
  await database?.destroy();
  for (const link of Object.values(links ?? {})) await link.stop();
  await servers?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

let uploads = 0;

/** Repeats uploads, each under a key of its own, until each is accepted. Returns the longest response time in milliseconds. */
async function uploadUntil(isOver: () => boolean): Promise<number> {
  let longest = 0;
  while (!isOver()) {
    const at = uploads++;
    for (let status = 503; status === 503 || status === 409; await sleep(50)) {
      const startedAt = performance.now();
      const csv = `email,integrationId,identity\nowner-${at}@example.com,1,a${at}\n`;
      ({ status } = await muster.client.upload(csv, '', { 'idempotency-key': `key-${at}` }));
      longest = Math.max(longest, performance.now() - startedAt);
      expect([200, 202, 409, 503]).toContain(status);
    }
  }
  return longest;
}

/** What the short form provokes. After resets of its connections to Redis, a job waits up to 15 s for another worker. */
const SHORT = [
  ['Redis', 'carries 8 KB/s'],
  ['MariaDB', 'carries 8 KB/s'],
  ['MariaDB', 'resets all connections again and again'],
];
const CASES = (['Redis', 'MariaDB'] as const)
  .flatMap((server) => Object.keys(LINK_FAULTS).map((fault) => [server, fault] as const))
  .filter((one) => isLong || SHORT.some((other) => isDeepStrictEqual(one, other)));

testUnless(missing).each(CASES)(
  'while the link to %s %s, every response is in time, nothing is lost or done twice, and all resumes',
  async (server, name) => {
    const fault = new Fault(`link to ${server} ${name}`, 'requests');
    const before = { events: ledger.outcomes.length, uploads };
    ledger.start(() => muster.url + path, 4);
    let isOver = false;
    const uploading = uploadUntil(() => isOver);
    uploading.catch(() => {});
    endUploads = () => {
      isOver = true;
      return uploading;
    };
    await LINK_FAULTS[name]?.(links[server], FAULT_MS);
    links[server].restore();
    const accepted = ledger.acknowledged;
    await fault.recovery(() => until('events are acknowledged', () => ledger.acknowledged > accepted + 50));
    const longestUpload = await endUploads();
    await ledger.stop();
    const outcomes = ledger.outcomes.slice(before.events);
    expect(outcomes.filter(({ status }) => ![202, 503].includes(status))).toEqual([]);
    const longestEvent = Math.max(...outcomes.map(({ ms }) => ms));
    expect(longestEvent).toBeLessThan(LATEST_EVENT_MS);
    expect(longestUpload).toBeLessThan(LATEST_UPLOAD_MS);
    if (!name.startsWith('resets')) expect(longestUpload).toBeGreaterThan(200);
    await ledger.settle(database);
    const jobs = () => database('jobs').whereNot({ state: 'canceled' }).select('state', 'attempts');
    await until('all jobs have ended', async () =>
      (await jobs()).every(({ state }) => !['queued', 'running'].includes(state)),
    );
    expect((await jobs()).filter(({ state }) => state !== 'completed')).toEqual([]);
    expect(await jobs()).toHaveLength(uploads);
    const rows: string[] = await database('identities').pluck('identity');
    const acknowledged = uploads - before.uploads;
    const stored = rows.length - before.uploads;
    const lost = Math.max(0, acknowledged - stored);
    const doubled = Math.max(0, stored - acknowledged);
    fault.add({ acknowledged, stored, lost, doubled });
    fault.waited(Math.max(longestEvent, longestUpload));
    fault.report();
    expect(rows.sort()).toEqual(Array.from({ length: uploads }, (_, at) => `a${at}`).sort());
  },
  timeLimit(60_000),
);
