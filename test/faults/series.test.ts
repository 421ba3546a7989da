import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Knex } from 'knex';
import { eventIdOf } from '../../db/events/alerts/alert-id.js';
import type { IntakeEvent } from '../../workers/queues/contracts/alert-intake.js';
import { IntakeQueue, intakeEvent } from '../support/api/intake-queue.js';
import { makeWebhook } from '../support/api/webhooks.js';
import { shortOrLong, timeLimit } from '../support/faults/effort.js';
import { balanceOf, Fault } from '../support/faults/fault.js';
import { MAPPINGS, type OracleAlert, oracle, type TestMapping } from '../support/series/oracle.js';
import { Draw, inBatches, sentEvents } from '../support/series/sent-events.js';
import { shownAlerts } from '../support/series/shown-alerts.js';
import { type Fleet, startFleet } from '../support/servers/fleet.js';
import { end } from '../support/servers/processes.js';
import { until } from '../support/until.js';

/** Each series of a round is one case. */
const ROUNDS = shortOrLong(1, 20);
/** The number of worker processes in each round, then again from the start. */
const WORKERS = [3, 2, 4, 1];
const SERIES = shortOrLong(30, 90);
const EVENTS = shortOrLong(150, 450);
/** Kills of a worker in a round. */
const KILLS = shortOrLong(1, 2);
/** Events on one key. */
const STORM = shortOrLong(1_500, 20_000);
const SEED = Number(process.env.SERIES_SEED ?? Date.now() % 1_000_000);

let fleet: Fleet;
let queue: IntakeQueue;
const fault = new Fault('SIGKILL of a worker in bursts and remaps of series', 'alerts');
const client = () => (fleet.apis[0] as Fleet['apis'][0]).client;

beforeAll(async () => {
  fleet = await startFleet();
  queue = new IntakeQueue(fleet.servers.redis.url);
}, 60_000);
afterAll(async () => {
  if (fault.times > 0) fault.report();
  await queue?.close();
  await fleet?.stop();
}, 60_000);

test.each(Array.from({ length: ROUNDS }, (_, round) => round))(
  'round %i: with workers that are killed, the alerts are those of a fold in acceptance order',
  async (round) => {
    const draw = new Draw(SEED + round);
    await haveWorkers(WORKERS[round % WORKERS.length] as number);
    const webhook = await makeWebhook(client());
    await saveMapping(webhook.id, MAPPINGS.byKey);
    const events = sentEvents(draw, { webhookId: webhook.id, count: EVENTS, series: SERIES });
    await sendWithKills(draw, webhook.id, events);
    try {
      await expectOracle(webhook.id, events, MAPPINGS.byKey);
      await saveMapping(webhook.id, MAPPINGS.byGroup);
      await remapWithKill(draw, webhook.id);
      await expectOracle(webhook.id, events, MAPPINGS.byGroup);
    } catch (error) {
      throw new Error(`SERIES_SEED=${SEED}`, { cause: error });
    }
  },
  180_000,
);

test(
  'a storm on one key, stored by three workers, becomes one alert that counts every event',
  async () => {
    await haveWorkers(3);
    const webhook = await makeWebhook(client());
    await saveMapping(webhook.id, MAPPINGS.byKey);
    const items = [{ key: 'disk', group: 'host', status: 'alarm', title: 'a', text: '91%' }];
    const events = Array.from({ length: STORM }, () => intakeEvent(webhook.id, { items }));
    while (events.length > 0) await queue.add(events.splice(0, 200));
    await areStored(webhook.id, STORM);
    const alerts = await shownAlerts(client(), webhook.id);
    expect(alerts).toEqual([
      expect.objectContaining({ dedupKey: 'disk', status: 'firing', eventCount: STORM }),
    ]);
  },
  timeLimit(180_000),
);

async function haveWorkers(count: number): Promise<void> {
  while (fleet.workers.length < count) fleet.workers.push(fleet.startWorker());
  for (const worker of fleet.workers.splice(count)) await end(worker, 'SIGTERM');
}

async function saveMapping(webhookId: string, { mapping }: TestMapping): Promise<void> {
  const saved = await client().json('PUT', `/v2/webhooks/${webhookId}/mapping`, mapping);
  expect([saved.status, saved.text]).toEqual([201, expect.any(String)]);
}

/** Kills a random worker with -9, and starts another one, which takes over its jobs at once. */
async function killWorker(draw: Draw): Promise<void> {
  const index = draw.below(fleet.workers.length);
  await end(fleet.workers[index] as Fleet['workers'][0], 'SIGKILL');
  fault.provoked();
  fleet.workers[index] = fleet.startWorker();
  await queue.expireLocks();
}

async function sendWithKills(draw: Draw, webhookId: string, events: readonly IntakeEvent[]): Promise<void> {
  const batches = inBatches(draw, events);
  const kills = new Set(Array.from({ length: KILLS }, () => draw.below(batches.length)));
  for (const [index, batch] of batches.entries()) {
    await queue.add(batch);
    if (kills.has(index)) await killWorker(draw);
  }
  await areStored(webhookId, events.length);
}

async function areStored(webhookId: string, count: number): Promise<void> {
  const own = { webhook_id: binary(webhookId) };
  await until(
    'all batches are stored',
    async () => {
      const [row] = await fleet.database('events').where(own).count({ count: '*' });
      return Number(row?.count) >= count && (await queue.batches()).length === 0;
    },
    timeLimit(120_000),
  );
}

const binary = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

async function remapWithKill(draw: Draw, webhookId: string): Promise<void> {
  const job = await client().json('POST', `/v2/webhooks/${webhookId}/remap`, {});
  expect(job.status).toBe(202);
  const path = `/v2/jobs/${job.body.jobId}`;
  await until('the remap writes', async () => {
    const { state, progress } = (await client().get(path)).body.data;
    return progress?.rowsRead > 0 || state === 'completed';
  });
  await killWorker(draw);
  await until(
    'the remap is done',
    async () => (await client().get(path)).body.data.state === 'completed',
    60_000,
  );
}

async function expectOracle(
  webhookId: string,
  events: readonly IntakeEvent[],
  mapping: TestMapping,
): Promise<void> {
  const expected = oracle(events, mapping);
  const shown = await shownAlerts(client(), webhookId);
  const alerts = expected.alerts.map(({ timeline, ...alert }) => alert);
  const lines = (list: object[]) => list.map((alert) => JSON.stringify(alert));
  fault.add(balanceOf(lines(alerts), lines(shown)));
  expect(shown).toEqual(alerts);
  await expectTimelines(expected.alerts);
  await expectOutcomes(events, expected);
  await expectNoLeftovers(webhookId, expected);
}

/** Checks every fifth timeline. */
async function expectTimelines(alerts: readonly OracleAlert[]): Promise<void> {
  for (const { id, timeline } of alerts.filter(
    ({ dedupKey }, index) => dedupKey !== null && index % 5 === 0,
  )) {
    const { body } = await client().get(`/v2/alerts/${id}/events?pageSize=1000`);
    const entries = body.data.map((entry: { id: string; outcome: string }) => ({
      item: entry.id,
      outcome: entry.outcome,
    }));
    expect({ id, entries }).toEqual({ id, entries: timeline });
  }
}

/** Checks the receipt of every tenth event. */
async function expectOutcomes(
  events: readonly IntakeEvent[],
  { alerts, nothing }: ReturnType<typeof oracle>,
): Promise<void> {
  const expected = new Map<string, { outcome: string; alertId: string | null }>(
    [...nothing].map(([item, outcome]) => [item, { outcome, alertId: null }]),
  );
  const standAlone = new Set<string>();
  for (const { id, dedupKey, timeline } of alerts) {
    if (dedupKey === null) standAlone.add(id);
    for (const { item, outcome } of timeline) expected.set(item, { outcome, alertId: id });
  }
  for (const { id } of events.filter((_, index) => index % 10 === 0)) {
    const { data } = (await client().get(`/v2/events/${id}`)).body;
    const own = [...expected].filter(([item]) => eventIdOf(item) === id && !standAlone.has(item)).sort();
    const ids = [...expected].filter(([item]) => eventIdOf(item) === id).map(([, { alertId }]) => alertId);
    expect({
      id,
      alertIds: [...data.alertIds].sort(),
      outcomes: data.outcomes.map(({ outcome, alertId }: { outcome: string; alertId: string }) => ({
        outcome,
        alertId,
      })),
    }).toEqual({
      id,
      alertIds: [...new Set(ids.filter((alert) => alert !== null))].sort(),
      outcomes: own.map(([, outcome]) => outcome),
    });
  }
}

/** Checks that the tables hold one row per item, alert and series, and nothing else. */
async function expectNoLeftovers(
  webhookId: string,
  { alerts, nothing }: ReturnType<typeof oracle>,
): Promise<void> {
  const { database } = fleet;
  const own = { webhook_id: binary(webhookId) };
  const keyed = alerts.filter(({ dedupKey }) => dedupKey !== null);
  const ids = database('series').where(own).select('id');
  const count = async (query: Knex.QueryBuilder) => {
    const [row] = await query.count({ count: '*' });
    return Number(row?.count);
  };
  const items = keyed.reduce((sum, { timeline }) => sum + timeline.length, nothing.size);
  expect({
    items: await count(database('series_items').whereIn('series_id', ids)),
    starts: await count(database('series_alerts').whereIn('series_id', ids)),
    firing: await count(database('series').where({ ...own, firing: 1 })),
    unfolded: await count(database('series').where(own).whereNotNull('refold_from')),
  }).toEqual({
    items,
    starts: keyed.length,
    firing: keyed.filter(({ status }) => status === 'firing').length,
    unfolded: 0,
  });
}
