import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { connectDatabase, type Database } from '../../db/client/connect.js';
import { LedgerClient } from '../support/api/ledger-client.js';
import { makeWebhook } from '../support/api/webhooks.js';
import { shortOrLong, timeLimit } from '../support/faults/effort.js';
import { Fault } from '../support/faults/fault.js';
import { type Processes, startProcesses } from '../support/servers/processes.js';
import { until } from '../support/until.js';

const KEYS = 1_500;
const ROUNDS = shortOrLong(2, 20);
const later = { prefer: 'respond-async' };
const PATH = '/v2/developers/identities';

let muster: Processes;
let webhook: { id: string; path: string };
/** Connections of a client that locks rows in an order of its own, as no part of Muster does. */
let rude: Database;
beforeAll(async () => {
  muster = await startProcesses({ workers: 2, env: { IMPORT_CHUNK_ROWS: '100', LOG_LEVEL: 'error' } });
  webhook = await makeWebhook(muster.client);
  const url = new URL(process.env.TEST_DATABASE_URL as string);
  url.pathname = (await muster.database.raw('SELECT DATABASE() AS name'))[0][0].name;
  rude = connectDatabase(url.href);
}, 60_000);
/** Ends the storm, also that of a failed test: it would go on for ever. */
let endStorm = async () => {};
afterEach(() => endStorm());
afterAll(async () => {
  await rude?.destroy();
  await muster?.stop();
}, 60_000);

const accountOf = (at: number): string => `account-${(at * 48_271) % 9_973}`;
const random = (limit: number): number => Math.floor(Math.random() * limit);

/** Counts the deadlocks that the database's server has ended. */
const deadlocks = async (): Promise<number> => {
  const counter = muster.database('information_schema.INNODB_METRICS').where({ NAME: 'lock_deadlocks' });
  return Number((await counter.first({ count: 'COUNT' })).count);
};

/** Locks some rows and events one by one in a random order, and changes nothing, until it is told to stop. */
async function lockAtRandom(isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await rude
      .transaction(async (transaction) => {
        for (let row = 0; row < 8; row++) {
          const key = { integration_id: 1, identity: accountOf(random(KEYS)) };
          await transaction('identities').where(key).forUpdate().select('email');
        }
        for (let row = 0; row < 4; row++) {
          await transaction('alerts').orderByRaw('RAND()').limit(2).forUpdate().select('id');
        }
      })
      // It is often the victim of a deadlock itself.
      .catch(() => {});
  }
}

test(
  'overlapping imports, removals and remaps in a storm of deadlocks end as if each had been alone, in the order of acceptance',
  async () => {
    const fault = new Fault('deadlocks in the server during imports, removals and remaps', 'rows');
    const before = await deadlocks();
    const ledger = new LedgerClient();
    for (let event = 0; event < 200; event++) await ledger.sendOne(muster.url + webhook.path);
    await ledger.settle(muster.database);
    let isOver = false;
    const storm = Promise.all(Array.from({ length: 4 }, () => lockAtRandom(() => isOver)));
    endStorm = async () => {
      isOver = true;
      await storm;
    };
    const owners = new Map<string, string>();
    const jobs: string[] = [];
    const accept = async (response: ReturnType<Processes['client']['json']>) => {
      const { status, body } = await response;
      expect([status, body.errors]).toEqual([202, undefined]);
      jobs.push(body.jobId ?? body.data.id);
    };
    for (let round = 0; round < ROUNDS; round++) {
      for (let part = 0; part < 3; part++) {
        const keys = Array.from({ length: KEYS }, (_, at) => accountOf(at)).filter(() => random(3) > 0);
        const owner = `owner-${round}-${part}@example.com`;
        const rows = keys.map((key) => `${owner},1,${key}\n`);
        await accept(muster.client.upload(`email,integrationId,identity\n${rows.join('')}`, '', later));
        for (const key of keys) owners.set(key, owner);
      }
      const removed = Array.from({ length: 300 }, () => accountOf(random(KEYS)));
      const accounts = [...new Set(removed)].map((identity) => ({ integrationId: 1, identity }));
      await accept(muster.client.json('DELETE', PATH, accounts, later));
      for (const key of removed) owners.delete(key);
      await accept(muster.client.json('POST', `/v2/webhooks/${webhook.id}/remap`, {}, later));
    }
    const ended = await Promise.all(jobs.map((id) => muster.client.jobEnd(id, timeLimit(60_000))));
    await endStorm();
    const failed = ended.filter(({ body }) => body.data.state !== 'completed' || body.data.attempts !== 1);
    expect(failed.map(({ body }) => body.data)).toEqual([]);
    const found = await muster.database('identities').whereNotNull('email').select('identity', 'email');
    const stored = new Map(found.map(({ identity, email }) => [identity, email]));
    const lost = [...owners].filter(([key, owner]) => stored.get(key) !== owner).length;
    const doubled = [...stored.keys()].filter((key) => !owners.has(key)).length;
    for (let times = (await deadlocks()) - before; times > 0; times--) fault.provoked();
    fault.add({ acknowledged: owners.size, stored: stored.size, lost, doubled });
    fault.report();
    expect(stored).toEqual(owners);
    expect(fault.times).toBeGreaterThan(0);
    await until(
      'the alerts are as before',
      async () => (await muster.database('alerts').select('id')).length === 200,
    );
    await ledger.settle(muster.database);
  },
  timeLimit(120_000),
);
