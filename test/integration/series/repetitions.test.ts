import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pino } from 'pino';
import { newEventId } from '../../../api/intake/event-id.js';
import { readAlert } from '../../../api/routes/dialects/alertmanager/read-alert.js';
import { inTransaction } from '../../../db/client/transaction.js';
import { compareEvents, writeChanges } from '../../../workers/events/remap/write-changes.js';
import type { ExpiryRules } from '../../../workers/events/series/expiry.js';
import { buildEvent, peekEvent } from '../../../workers/events/store/build-event.js';
import { inMemoryBatch } from '../../../workers/events/store/event-batch.js';
import { FilteredRepetitions } from '../../../workers/events/store/filtered-repetitions.js';
import { eventsOfList } from '../../../workers/events/store/listed-event.js';
import { WriteGroup } from '../../../workers/events/store/write-group.js';
import { findSource } from '../../../workers/mapping/catalogue/index.js';
import { compileStored } from '../../../workers/mapping/index.js';
import type { IntakeEvent } from '../../../workers/queues/contracts/alert-intake.js';
import type { WorkerServices } from '../../../workers/run/services.js';
import { expireSilentAlerts } from '../../../workers/upkeep/expire-silent-alerts.js';
import { runTurn } from '../../../workers/upkeep/run-turn.js';
import { Client } from '../../support/api/client.js';
import { workerServices } from '../../support/api/run-job.js';
import { makeWebhook } from '../../support/api/webhooks.js';
import { cases, enoughTime } from '../../support/effort.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let services: WorkerServices;
let webhookId: string;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  // The tests say when the intake has listened.
  await stack.api.intake.listening.stop();
  const client = await Client.of(stack);
  services = workerServices(stack);
  webhookId = (await makeWebhook(client, { template: 'alertmanager' })).id;
});
beforeEach(clear);
afterAll(() => stack.stop());

async function clear(): Promise<void> {
  const tables = ['events', 'alerts', 'series', 'series_items', 'series_alerts', 'series_expiries'];
  for (const table of [...tables, 'listening_periods']) await stack.database(table).delete();
}

const MINUTE_MS = 60_000;
/** The life of an alert of Prometheus. */
const LIFE = 4;
function mappingOf(definition: unknown) {
  const compiled = compileStored(definition);
  return 'mapping' in compiled ? compiled.mapping : null;
}
const mapping = mappingOf(findSource('alertmanager')?.mapping);
const filteredRepetitions = new FilteredRepetitions();

/** Lets the intake have listened between these minutes before now. */
async function listen(now: number, ...minutes: readonly [from: number, to: number][]): Promise<void> {
  for (const [from, to] of minutes)
    await stack.database('listening_periods').insert({
      began_at: new Date(now - from * MINUTE_MS),
      last_seen_at: new Date(now - to * MINUTE_MS),
    });
}

interface Said {
  name?: string;
  /** In minutes before now; null: it does not say. Default: 90. */
  started?: number | null;
  /** In minutes before now; null: it goes on. */
  ended?: number | null;
  summary?: string;
}

/** Returns an alert of Prometheus that came so many minutes before now. */
function said(
  now: number,
  minutes: number,
  { name = 'Disk', started = 90, ended = null, summary = 's' }: Said = {},
) {
  const receivedAt = now - minutes * MINUTE_MS;
  const at = (before: number) => new Date(now - before * MINUTE_MS).toISOString();
  const alert = readAlert({
    labels: { alertname: name },
    annotations: { summary },
    startsAt: started === null ? null : at(started),
    endsAt: at(ended ?? minutes - LIFE),
    generatorURL: `http://prometheus-${started}/`,
  });
  if (typeof alert === 'string') throw new Error(alert);
  const list = { webhookId, receivedAt, request: '{}', ids: [newEventId()], alerts: [alert] };
  return eventsOfList(list)[0] as IntakeEvent;
}

const withoutDigest = ({ id, receivedAt, raw }: IntakeEvent): IntakeEvent => ({
  id,
  webhookId,
  receivedAt,
  raw,
});

/** Writes events in one group, as a worker does. */
async function write(
  events: readonly IntakeEvent[],
  { revision = 1, silenceMs = null as number | null, filter = null as string | null } = {},
): Promise<void> {
  const expiryRules: ExpiryRules = new Map([[webhookId, { ms: null, byEvent: true, silenceMs }]]);
  const log = pino({ level: 'silent' });
  const filtered = filter === null ? mapping : mappingOf({ ...findSource('alertmanager')?.mapping, filter });
  const build = (event: IntakeEvent) => buildEvent(event, { revision, mapping: filtered });
  await new WriteGroup({ database: stack.database, log }, [inMemoryBatch(events)], build, {
    expiryRules,
    peek: (event) => peekEvent(event, { revision, mapping: filtered }),
    filteredRepetitions,
  }).write();
}

/** Writes an alert that is repeated each minute from one minute before now to another one, each in its own group. */
async function repeat(now: number, from: number, to: number, more: Said = {}): Promise<void> {
  for (let minutes = from; minutes >= to; minutes--) await write([said(now, minutes, more)]);
}

const tick = () => runTurn([expireSilentAlerts], services);
const stored = async (): Promise<number> => (await stack.database('events')).length;
const repetitions = async () => (await stack.database('series_expiries').first())?.repetitions;

async function alerts(now: number) {
  const rows = await stack.database('alerts').orderBy(['received_at', 'id']);
  const minutes = (time: Date | null) => time && Math.round((now - time.getTime()) / 6_000) / 10;
  return rows.map((row) => ({
    at: minutes(row.received_at),
    ended: minutes(row.resolved_at),
    by: row.resolved_by,
    events: row.event_count,
  }));
}

test('repetitions are counted, and let an alert live until the last of them has expired', async () => {
  const now = Date.now();
  await listen(now, [100, 0]);
  await repeat(now, 30, 10);
  expect([await stored(), await repetitions()]).toEqual([1, 20]);
  await tick();
  expect(await alerts(now)).toEqual([{ at: 30, ended: 6, by: 'expiry', events: 1 }]);
  // It goes on after a silence that was too long.
  await repeat(now, 3, 2);
  expect(await alerts(now)).toEqual([
    { at: 30, ended: 6, by: 'expiry', events: 1 },
    { at: 3, ended: null, by: null, events: 1 },
  ]);
});

test('a silence that was too long ends an alert, also if no upkeep came in between', async () => {
  const now = Date.now();
  await listen(now, [100, 0]);
  await repeat(now, 30, 20);
  await repeat(now, 12, 10);
  expect(await alerts(now)).toEqual([
    { at: 30, ended: 16, by: 'expiry', events: 1 },
    { at: 12, ended: null, by: null, events: 1 },
  ]);
  expect(await stored()).toBe(2);
});

test('an outage of ten minutes ends none of 5,000 alerts, and opens none again', async () => {
  const now = Date.now();
  const count = 5_000;
  const all = (minutes: number, more: Said = {}) =>
    Array.from({ length: count }, (_, number) => said(now, minutes, { name: `Disk ${number}`, ...more }));
  const summary = async () => {
    const counts = new Map<string, number>();
    for (const alert of await alerts(now)) {
      const text = JSON.stringify(alert);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    return [...counts].map(([alert, count]) => ({ ...JSON.parse(alert), count }));
  };
  const firing = [{ at: 41, ended: null, by: null, events: 1, count }];
  await listen(now, [100, 40]);
  await write(all(41));
  await tick();
  expect(await summary()).toEqual(firing);
  // Prometheus is heard again a minute after Muster listens again, when all alerts but for that are long over.
  await listen(now, [30, 27.5]);
  await tick();
  await write(all(28));
  await tick();
  expect(await summary()).toEqual(firing);
  await listen(now, [27.5, 0]);
  // Those that recover say so for 15 minutes. Of the others, nothing is heard any more.
  for (let minutes = 25; minutes > 10; minutes--) await write(all(minutes, { ended: 25.5 }).slice(0, 200));
  await tick();
  expect(await summary()).toEqual([
    { at: 41, ended: 25, by: 'event', events: 2, count: 200 },
    { at: 41, ended: 24, by: 'expiry', events: 1, count: count - 200 },
  ]);
  expect(await stored()).toBe(count + 200);
});

test('an end is repeated for 15 minutes at no cost, and a late message of another Prometheus opens nothing', async () => {
  const now = Date.now();
  await listen(now, [100, 0]);
  await repeat(now, 40, 31);
  await repeat(now, 30, 15, { ended: 30.5 });
  expect(await stored()).toBe(2);
  expect(await alerts(now)).toEqual([{ at: 40, ended: 30, by: 'event', events: 2 }]);
  await write([said(now, 14, { started: 90.2 }), said(now, 13, { started: 90 })]);
  expect(await alerts(now)).toMatchObject([{ ended: 30 }]);
  await write([said(now, 12, { started: 12.5 })]);
  await tick();
  expect(await alerts(now)).toMatchObject([{ ended: 30 }, { at: 12, ended: 8, by: 'expiry' }]);
});

test('what says something else is stored: another text, a newer start, another mapping, and one each hour', async () => {
  const now = Date.now();
  await listen(now, [200, 0]);
  await repeat(now, 90, 88);
  expect(await stored()).toBe(1);
  await write([said(now, 87, { summary: 'worse' }), said(now, 86, { summary: 'worse' })]);
  // Once a series has news, what comes with it is stored.
  expect(await stored()).toBe(3);
  await repeat(now, 85, 84, { summary: 'worse' });
  expect(await stored()).toBe(3);
  // Two replicas, whose evaluations began at different times.
  for (let minutes = 83; minutes > 78; minutes--) {
    await write([said(now, minutes, { summary: 'worse', started: 89.5 })]);
    await write([said(now, minutes - 0.5, { summary: 'worse' })]);
  }
  expect(await stored()).toBe(4);
  await write([said(now, 76, { summary: 'worse' })], { revision: 2 });
  expect(await stored()).toBe(5);
  for (let minutes = 75; minutes > 10; minutes--)
    await write([said(now, minutes, { summary: 'worse' })], { revision: 2 });
  expect(await stored()).toBe(6);
  expect(await alerts(now)).toEqual([{ at: 90, ended: null, by: null, events: 6 }]);
});

test('what a filter drops is stored once each hour', async () => {
  const now = Date.now();
  for (let minutes = 130; minutes > 0; minutes -= 10)
    for (const name of ['Watchdog', 'Other'])
      await write([said(now, minutes, { name, started: 140 })], {
        filter: 'item.labels.alertname == "None"',
      });
  expect(await stored()).toBe(4);
});

test('requests that were one too many keep the alerts of their integration alive', async () => {
  const now = Date.now();
  await listen(now, [100, 0]);
  await write([said(now, 30)]);
  const refuse = (minutes: number) =>
    stack.database('webhook_tokens').update({
      refused_at: new Date(now - minutes * MINUTE_MS),
      refused_code: 'over_limit',
    });
  await refuse(28);
  // As if upkeep had not come in between.
  await write([said(now, 25)]);
  expect(await alerts(now)).toEqual([{ at: 30, ended: null, by: null, events: 2 }]);
  await refuse(20);
  await tick();
  expect(await alerts(now)).toEqual([{ at: 30, ended: 16, by: 'expiry', events: 2 }]);
  await stack.database('webhook_tokens').update({ refused_code: null });
});

test('a remap to another key keeps how long an alert lives', async () => {
  const now = Date.now();
  await listen(now, [100, 0]);
  const first = said(now, 30);
  await write([first]);
  await repeat(now, 29, 1);
  const [before] = await stack.database('series_expiries');
  const fields = {
    ...findSource('alertmanager')?.mapping.fields,
    dedupKey: { template: '{{item.labels.alertname}}' },
  };
  const other = mappingOf({ ...findSource('alertmanager')?.mapping, fields });
  const event = withoutDigest(first);
  await inTransaction(stack.database, async (transaction) => {
    const place = { id: first.id, receivedAt: new Date(first.receivedAt) };
    const mapped = buildEvent(event, { revision: 2, mapping: other });
    await writeChanges(transaction, await compareEvents(transaction, webhookId, [{ place, mapped }]));
  });
  const rows = await stack.database('series_expiries').orderBy('digest');
  expect(rows).toMatchObject([
    { digest: null, heard_at: before?.heard_at, expires_at: before?.expires_at },
    { digest: expect.anything() },
  ]);
});

test('of an integration with a rule of silence, a repetition is stored three times in its time', async () => {
  const now = Date.now();
  await listen(now, [100, 0]);
  for (let minutes = 30; minutes > 0; minutes--)
    await write([said(now, minutes)], { silenceMs: 15 * MINUTE_MS });
  expect(await stored()).toBe(5);
});

test(
  'alerts open and end as if each repetition were stored',
  async () => {
    const message = fc.record({
      minutes: fc.integer({ min: 2, max: 40 }),
      started: fc.constantFrom(60, 60, 60, 59, 30, null),
      ended: fc.option(fc.constantFrom(0.5, 0.5, 3), { freq: 4 }),
      summary: fc.constantFrom('s', 's', 's', 'worse'),
    });
    const history = fc.array(message, { minLength: 4, maxLength: 24 });
    const gap = fc.option(fc.integer({ min: 3, max: 38 }));
    await fc.assert(
      fc.asyncProperty(history, gap, fc.integer({ min: 1, max: 4 }), async (messages, away, size) => {
        const now = Date.now();
        const heard = messages
          .filter(({ minutes }) => away === null || minutes > away || minutes < away - 3)
          .filter(({ minutes, started }) => (started ?? 60) > minutes + 3)
          .sort((one, other) => other.minutes - one.minutes);
        const events = heard.map(({ minutes, ended, ...more }) =>
          said(now, minutes, { ...more, ended: ended === null ? null : minutes + ended }),
        );
        const run = async (all: readonly IntakeEvent[]) => {
          await clear();
          if (away === null) await listen(now, [100, 0]);
          else await listen(now, [100, away], [away - 3, 0]);
          for (let start = 0; start < all.length; start += size) await write(all.slice(start, start + size));
          await tick();
          return (await alerts(now)).map(({ at, ended, by }) => ({ at, ended, by }));
        };
        const all = await run(events.map(withoutDigest));
        expect(await run(events)).toEqual(all);
      }),
      { numRuns: cases(15) },
    );
  },
  enoughTime(60_000),
);

test('a group that is written twice counts once', async () => {
  const now = Date.now();
  await listen(now, [100, 0]);
  const first = said(now, 10);
  const group = [said(now, 9), said(now, 8)];
  await write([first]);
  for (let times = 0; times < 2; times++) await write([first, ...group]);
  expect([await stored(), await repetitions()]).toEqual([1, 2]);
});
