import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { connectDatabase, type Database } from '../../db/client/connect.js';
import { inTransaction } from '../../db/client/transaction.js';
import { readRange } from '../../db/identities/lock-identities.js';
import { findJob, type Job } from '../../db/jobs/jobs.js';
import type { ApiResponse } from '../support/api/client.js';
import { fingerprintOf, largeUpload } from '../support/api/large-upload.js';
import { LedgerClient } from '../support/api/ledger-client.js';
import { makeWebhook } from '../support/api/webhooks.js';
import { shortOrLong, timeLimit, whyNotShort } from '../support/faults/effort.js';
import { balanceOf, Fault } from '../support/faults/fault.js';
import { type Fleet, startFleet } from '../support/servers/fleet.js';
import { testUnless } from '../support/test-unless.js';
import { theRow } from '../support/the-row.js';
import { until } from '../support/until.js';

jest.setTimeout(timeLimit(120_000));

const PATH = '/v2/developers/identities';
const HEADER = 'email,integrationId,identity\n';
const later = { prefer: 'respond-async' };
/** Of a storm. */
const KEYS = shortOrLong(500, 1_500);
const EVENTS = shortOrLong(100, 200);
const ROUNDS = shortOrLong(1, 20);

let fleet: Fleet;
let database: Database;
/** Connections of a client that locks rows in an order of its own, as no part of Muster does. */
let rude: Database;
const api = () => fleet.apis[0] as Fleet['apis'][0];

beforeAll(async () => {
  fleet = await startFleet({
    apis: 0,
    workers: 0,
    env: { IMPORT_CHUNK_ROWS: '100', LOG_LEVEL: 'error' },
  });
  database = fleet.database;
  // In seconds, for all sessions that begin from now on.
  await database.raw('SET GLOBAL innodb_lock_wait_timeout = 1');
  rude = connectDatabase(fleet.servers.mariadb.urls.root);
  fleet.apis.push(await fleet.startApi());
  fleet.workers.push(fleet.startWorker(), fleet.startWorker());
  await fleet.untilReady();
}, 120_000);
beforeEach(() => database('identities').delete());
/** Ends the storm, also that of a failed test: it would go on for ever. */
let endStorm = async () => {};
afterEach(() => endStorm());
afterAll(async () => {
  await rude?.destroy();
  await fleet?.stop();
}, 120_000);

const jobs: string[] = [];
async function accept(request: Promise<ApiResponse>): Promise<string> {
  const { status, body } = await request;
  expect([status, body.errors]).toEqual([202, undefined]);
  const id = body.jobId ?? body.data.id;
  jobs.push(id);
  return id;
}
const upload = (csv: string) => accept(api().client.upload(csv, '', later));

const jobOf = async (id: string): Promise<Job> => (await findJob(database, id)) as Job;
async function untilEnded(id: string): Promise<Job> {
  await until('the job has ended', async () => (await jobOf(id)).finishedAt !== null, timeLimit(60_000));
  return jobOf(id);
}

/** Waits until all accepted jobs have ended, each completed in one attempt, with counts that add up. */
async function expectAllCompleted(): Promise<void> {
  const ended = await Promise.all(jobs.splice(0).map(untilEnded));
  const failed = ended.filter(({ state, attempts }) => state !== 'completed' || attempts !== 1);
  expect(failed).toEqual([]);
  for (const { counts } of ended.filter(({ type }) => type === 'identity-import')) {
    const { total = 0, ...parts } = counts as Record<string, number>;
    expect(Object.values(parts).reduce((sum, part) => sum + part)).toBe(total);
  }
}

/** Compares the owner of each account with the stored ones, as that of a fault. */
async function expectOwners(owners: Map<string, string>, fault: Fault): Promise<void> {
  const found = await database('identities').whereNotNull('email').select();
  const balance = fault.add(
    balanceOf(
      [...owners].map(([key, owner]) => `${key} ${owner}`),
      found.map(({ integration_id, identity, email }) => `${integration_id},${identity} ${email}`),
    ),
  );
  fault.report();
  expect([balance.lost, balance.doubled]).toEqual([0, 0]);
}

const statusOf = async (name: string): Promise<number> =>
  Number((await database.raw('SHOW GLOBAL STATUS LIKE ?', [name]))[0][0].Value);

test('an import waits for a key that is locked for longer than the lock timeout', async () => {
  const large = largeUpload(2_000);
  await api().client.upload(large.seed);
  const middle = await theRow(
    database('identities').orderBy(['integration_id', 'identity']).offset(200).first(),
  );
  const holder = await rude.transaction();
  await holder('identities')
    .where({ integration_id: middle.integration_id, identity: middle.identity })
    .forUpdate();
  const before = await statusOf('Innodb_row_lock_waits');
  const id = await upload(large.csv);
  await until(
    'it has waited twice',
    async () =>
      (await statusOf('Innodb_row_lock_waits')) >= before + 2 &&
      (await statusOf('Innodb_row_lock_current_waits')) > 0,
  );
  expect((await jobOf(id)).state).toBe('running');
  await holder.commit();
  await expectAllCompleted();
  expect((await jobOf(id)).counts).toEqual(large.counts);
  expect(await fingerprintOf(database)).toEqual(large.fingerprint);
});

const accountOf = (at: number): string => `account-${(at * 48_271) % 9_973}`;
const random = (limit: number): number => Math.floor(Math.random() * limit);

/** Counts the deadlocks that the database's server has ended. */
const deadlocks = async (): Promise<number> => {
  const counter = database('information_schema.INNODB_METRICS').where({ NAME: 'lock_deadlocks' });
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

test('overlapping imports, removals and remaps in a storm of deadlocks end as if each had been alone, in the order of acceptance', async () => {
  const fault = new Fault('deadlocks in the server during imports, removals and remaps', 'rows');
  const webhook = await makeWebhook(api().client);
  const before = await deadlocks();
  const ledger = new LedgerClient();
  for (let event = 0; event < EVENTS; event++) await ledger.sendOne(api().url + webhook.path);
  await ledger.settle(database);
  let isOver = false;
  const storm = Promise.all(Array.from({ length: 4 }, () => lockAtRandom(() => isOver)));
  endStorm = async () => {
    isOver = true;
    await storm;
  };
  const owners = new Map<string, string>();
  for (let round = 0; round < ROUNDS; round++) {
    for (let part = 0; part < 3; part++) {
      const keys = Array.from({ length: KEYS }, (_, at) => accountOf(at)).filter(() => random(3) > 0);
      const owner = `owner-${round}-${part}@example.com`;
      await upload(`${HEADER}${keys.map((key) => `${owner},1,${key}\n`).join('')}`);
      for (const key of keys) owners.set(`1,${key}`, owner);
    }
    const removed = new Set(Array.from({ length: KEYS / 5 }, () => accountOf(random(KEYS))));
    const accounts = [...removed].map((identity) => ({ integrationId: 1, identity }));
    await accept(api().client.json('DELETE', PATH, accounts, later));
    for (const key of removed) owners.delete(`1,${key}`);
    await accept(api().client.json('POST', `/v2/webhooks/${webhook.id}/remap`, {}, later));
  }
  await expectAllCompleted();
  await endStorm();
  for (let times = (await deadlocks()) - before; times > 0; times--) fault.provoked();
  await expectOwners(owners, fault);
  expect(fault.times).toBeGreaterThan(0);
  await until(
    'the alerts are as before',
    async () => (await database('alerts').select('id')).length === EVENTS,
  );
  await ledger.settle(database);
});

/** In the short form, the storm has overlapping uploads. */
testUnless(whyNotShort)(
  'overlapping uploads on several workers at the same time report no conflict',
  async () => {
    const keys = Array.from({ length: 6_000 }, (_, at) => `${1 + (at % 2)},${accountOf(at)}`);
    const owners = new Map<string, string>();
    for (let at = 1; at <= 8; at++) {
      const owner = `${at}@example.com`;
      const part = keys.toSorted(() => Math.random() - 0.5).slice(0, 5_000);
      await upload(`${HEADER}${part.map((key) => `${owner},${key}\n`).join('')}`);
      for (const key of part) owners.set(key, owner);
    }
    await expectAllCompleted();
    const fault = new Fault('eight overlapping imports on two workers', 'rows');
    fault.provoked();
    await expectOwners(owners, fault);
  },
);

test('the number of prepared statements stays small, however many uploads a worker has written', async () => {
  const one = connectDatabase(fleet.servers.mariadb.urls.root, { poolMax: 1 });
  try {
    const before = await statusOf('Prepared_stmt_count');
    for (let acceptance = 1; acceptance <= 250; acceptance++) {
      await inTransaction(one, (transaction) =>
        readRange(transaction, [{ integrationId: 1, identity: 'a' }], acceptance, true),
      );
    }
    expect((await statusOf('Prepared_stmt_count')) - before).toBeLessThanOrEqual(100);
  } finally {
    await one.destroy();
  }
});
