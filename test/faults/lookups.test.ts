import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findJob } from '../../db/jobs/jobs.js';
import { DEFAULT_PREFIX } from '../../workers/queues/connection.js';
import type { IntakeEvent } from '../../workers/queues/contracts/alert-intake.js';
import { IntakeQueue, intakeEvent } from '../support/api/intake-queue.js';
import { storedBodies } from '../support/api/ledger-client.js';
import { makeWebhook, receiptOf, sendEvent, type TestWebhook } from '../support/api/webhooks.js';
import { cases, enoughTime } from '../support/effort.js';
import { loseLock } from '../support/faults/broken-off.js';
import { timeLimit, times } from '../support/faults/effort.js';
import { balanceOf, Fault } from '../support/faults/fault.js';
import { type Freeze, freeze } from '../support/faults/process-faults.js';
import {
  ACCOUNT_SYSTEM,
  ACCOUNTS,
  ChangingWorld,
  LATER,
  type Looked,
  OWNERS,
  SERVICES,
} from '../support/lookups/changing-world.js';
import { MAPPINGS, oracle, type SentItem } from '../support/series/oracle.js';
import { Draw } from '../support/series/sent-events.js';
import { shownAlerts } from '../support/series/shown-alerts.js';
import { type Fleet, startFleet } from '../support/servers/fleet.js';
import { end } from '../support/servers/processes.js';
import { until } from '../support/until.js';

const SEED = Number(process.env.LOOKUPS_SEED ?? Date.now() % 1_000_000);
const ROUNDS = cases(times(1));
const CHANGES = 6;
const SENDERS = 3;
/** Between two events of a sender, at most. */
const PAUSE_MS = 60;
/** Sent during a change, after it, and while the database is frozen. */
const EVENTS = 9;

const MARIADB_FROZEN: Freeze = { name: 'frozen', server: 'mariadb', seconds: 2 };

let fleet: Fleet;
let queue: IntakeQueue;
const api = () => fleet.apis[0] as Fleet['apis'][0];
const client = () => api().client;
beforeAll(async () => {
  fleet = await startFleet({ workers: 2 });
  queue = new IntakeQueue(fleet.servers.redis.url);
}, 120_000);
afterAll(async () => {
  await queue?.close();
  await fleet?.stop();
}, 120_000);

/** The texts of the series oracle, looked up instead of sent: by key, by what another lookup found, and by who owns an account. */
const LOOKING_UP = {
  ...MAPPINGS.byKey.mapping,
  lookups: {
    service: { table: 'services', key: '{{item.service}}' },
    team: { table: 'teams', key: '{{lookup.service.team}}' },
    author: { owner: { integrationId: ACCOUNT_SYSTEM, identity: '{{item.login}}' } },
  },
  fields: {
    ...MAPPINGS.byKey.mapping.fields,
    title: { template: '{{lookup.service.title}}' },
    severity: { ...MAPPINGS.byKey.mapping.fields.severity, template: '{{lookup.team.severity}}' },
    description: { template: '{{lookup.author.email}}' },
    service: { template: '{{lookup.service.team}}/{{lookup.team.zone}}' },
    team: { template: '{{lookup.service.team}}' },
  },
  custom: { zone: { template: '{{lookup.team.zone}}' } },
};

/** What an item of an event says. The rest is looked up. */
interface LookingUpItem extends Pick<SentItem, 'key' | 'group' | 'status' | 'run'> {
  service: string;
  login: string;
}

/** An event, and between which times it was mapped, at the latest ones known. */
interface Sent {
  id: string;
  items: readonly LookingUpItem[];
  from: number;
  to: number;
}

/** Sends events of one integration, to the API, or late into its queue. */
class Senders {
  readonly sent: Sent[] = [];
  readonly #webhook: TestWebhook;
  readonly #draw: Draw;

  constructor(webhook: TestWebhook, draw: Draw) {
    this.#webhook = webhook;
    this.#draw = draw;
  }

  async send(count: number): Promise<void> {
    const lanes = Array.from({ length: SENDERS }, async () => {
      for (let number = 0; number < count / SENDERS; number++) {
        const items = Array.from({ length: this.#draw.from([1, 1, 2, 3]) }, () => this.#item());
        const from = performance.now();
        const id = this.#draw.below(5) ? await this.#now(items) : await this.#late(items);
        this.sent.push({ id, items, from, to: Number.POSITIVE_INFINITY });
        await sleep(this.#draw.below(PAUSE_MS));
      }
    });
    await Promise.all(lanes);
  }

  /** Waits until all are stored. */
  async settle(): Promise<void> {
    await until('all events are stored', async () => {
      const row = await fleet.database('events').count({ count: '*' }).first();
      return Number(row?.count) >= this.sent.length && (await queue.count()) === 0;
    });
    const now = performance.now();
    for (const one of this.sent) one.to = Math.min(one.to, now);
  }

  async #now(items: readonly LookingUpItem[]): Promise<string> {
    const response = await sendEvent(api().url, this.#webhook.path, { items });
    expect(response.status).toBe(202);
    return ((await response.json()) as { eventId: string }).eventId;
  }

  /** Queues an event that was accepted a while ago. */
  async #late(items: readonly LookingUpItem[]): Promise<string> {
    const event = intakeEvent(this.#webhook.id, { items });
    await queue.add([{ ...event, receivedAt: Date.now() - this.#draw.below(5_000) }]);
    return event.id;
  }

  #item(): LookingUpItem {
    const draw = this.#draw;
    return {
      key: `disk ${draw.below(8)}`,
      group: '',
      status: draw.from(['alarm', 'alarm', 'alarm', 'ok', 'reopened', 'update', 'test']),
      ...(draw.below(3) ? {} : { run: draw.below(4) }),
      service: draw.from([...SERVICES, 'unknown']),
      login: draw.from([...ACCOUNTS, 'unknown']),
    };
  }
}

/** Returns what an item says once it is looked up in tables and owners. Written from the documentation, without the code that it checks. */
function lookedUp(item: LookingUpItem, find: (place: string, key: string) => Looked['row']): SentItem {
  const { key, group, status, run } = item;
  const service = find('services', item.service);
  const team = service && find('teams', service.team ?? '');
  const owner = find(OWNERS, item.login);
  return {
    ...{ key, group, status },
    ...(run !== undefined && { run }),
    ...(service && { title: service.title, team: service.team }),
    ...(team && { zone: team.zone, severity: team.severity }),
    ...(owner && { text: owner.email }),
  };
}

const placeOf = ({ table }: Looked): string => table ?? OWNERS;

/** Returns what an event found, as its receipt says. All of it must be what it could find. */
async function readReceipt(world: ChangingWorld, { id, items, from, to }: Sent): Promise<SeriesEvent> {
  const { lookups, receivedAt }: { lookups: Looked[]; receivedAt: string } = await receiptOf(client(), id);
  const asked = new Set<string>();
  const texts = items.map((item) =>
    lookedUp(item, (place, key) => {
      asked.add(`${place} ${key}`);
      return lookups.find((one) => placeOf(one) === place && one.key === key)?.row ?? null;
    }),
  );
  expect(lookups.map((one) => `${placeOf(one)} ${one.key}`).sort()).toEqual([...asked].sort());
  for (const one of lookups) {
    const { table, revision, key, row } = one;
    expect({ id, table, revision, key, row, canBe: true }).toEqual({ id, ...world.check(one, from, to) });
  }
  return { id, receivedAt: Date.parse(receivedAt), items: texts };
}

/** An event as the oracle of series has it. */
interface SeriesEvent {
  id: string;
  receivedAt: number;
  items: readonly SentItem[];
}

const readReceipts = async (world: ChangingWorld, sent: readonly Sent[]): Promise<SeriesEvent[]> => {
  const events: SeriesEvent[] = [];
  for (let from = 0; from < sent.length; from += 8)
    events.push(...(await Promise.all(sent.slice(from, from + 8).map((one) => readReceipt(world, one)))));
  return events;
};

/** Checks that the alerts are those of a fold in acceptance order of what receipts say. */
async function expectAlerts(webhook: TestWebhook, events: readonly SeriesEvent[]): Promise<void> {
  const intake = events.map(
    ({ id, receivedAt, items }): IntakeEvent => ({
      ...{ id, receivedAt, webhookId: webhook.id },
      raw: JSON.stringify({ items }),
    }),
  );
  const expected = oracle(intake, MAPPINGS.byKey).alerts.map(({ timeline, ...alert }) => alert);
  expect(await shownAlerts(client(), webhook.id)).toEqual(expected);
}

/** Remaps all events. Does something once the remap runs. Returns what it counts. */
async function remap(
  { id }: TestWebhook,
  body: { dryRun?: boolean },
  meanwhile: () => Promise<void> = async () => {},
): Promise<Record<string, number>> {
  const { jobId } = (await client().json('POST', `/v2/webhooks/${id}/remap`, body, LATER)).body;
  await until('the remap runs', async () => (await findJob(fleet.database, jobId))?.state !== 'queued');
  await meanwhile();
  const { state, counts } = (await client().jobEnd(jobId)).body.data;
  expect(state).toBe('completed');
  return counts;
}

/** Kills a worker with -9, and starts another one, which takes over its events and jobs at once. */
async function killWorker(draw: Draw): Promise<void> {
  const index = draw.below(fleet.workers.length);
  await end(fleet.workers[index] as Fleet['workers'][0], 'SIGKILL');
  await queue.expireLocks();
  const jobs = await fleet.database('jobs').where('state', 'running').select('id', 'queue');
  for (const job of jobs) await loseLock(fleet.servers.redis.url, DEFAULT_PREFIX, job.queue, job.id);
  fleet.workers[index] = fleet.startWorker();
}

test(
  'through kills of workers, a frozen database, late events and changes of tables and owners, an alert has what its events found when they were mapped',
  async () => {
    const draw = new Draw(SEED);
    const world = new ChangingWorld(fleet, draw);
    const webhook = await makeWebhook(client(), { template: null, driftSeverity: null });
    const saved = await client().json('PUT', `/v2/webhooks/${webhook.id}/mapping`, LOOKING_UP);
    expect([saved.status, saved.text]).toEqual([201, expect.any(String)]);
    const senders = new Senders(webhook, draw);
    const fault = new Fault('SIGKILL of workers while tables change', 'events');
    try {
      await world.start();
      for (let round = 0; round < ROUNDS; round++) {
        const killAt = draw.below(CHANGES);
        for (let change = 0; change < CHANGES; change++) {
          const kill = change === killAt ? sleep(draw.below(200)).then(() => killWorker(draw)) : null;
          await Promise.all([world.change(), senders.send(EVENTS), kill]);
          await senders.send(EVENTS);
        }
        fault.provoked();
        const seconds = sleep(MARIADB_FROZEN.seconds * 1_000);
        await freeze(
          fleet,
          MARIADB_FROZEN,
          async () => void (await Promise.all([seconds, senders.send(EVENTS)])),
        );
        await senders.settle();
      }
      const events = await readReceipts(world, senders.sent);
      const ids = events.map(({ id }) => id).sort();
      const stored = [...(await storedBodies(fleet.database))].flatMap(([id, bodies]) =>
        bodies.map(() => id),
      );
      fault.add(balanceOf(ids, stored));
      expect(stored.sort()).toEqual(ids);
      await expectAlerts(webhook, events);

      const changed = events.flatMap(({ items }, at) => {
        const now = senders.sent[at]?.items.map((item) => lookedUp(item, world.find));
        return items.filter((item, index) => !isDeepStrictEqual(item, now?.[index]));
      });
      const from = performance.now();
      const counts = { events: events.length, changedByLookups: changed.length };
      expect(await remap(webhook, { dryRun: true })).toMatchObject(counts);
      expect(await remap(webhook, {}, () => killWorker(draw))).toMatchObject(counts);
      fault.provoked();
      const sent = senders.sent.map((one) => ({ ...one, from, to: performance.now() }));
      await expectAlerts(webhook, await readReceipts(world, sent));
    } catch (error) {
      throw new Error(`LOOKUPS_SEED=${SEED}`, { cause: error });
    }
    fault.report();
  },
  timeLimit(enoughTime(120_000)),
);
