import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { alertId } from '../../../db/events/alerts/alert-id.js';
import { findJob, type Job } from '../../../db/jobs/jobs.js';
import { handlers } from '../../../workers/registry.js';
import { Client } from '../../support/api/client.js';
import { type Crash, crashing } from '../../support/api/import-desk.js';
import { recordedJob, runJob, workerServices } from '../../support/api/run-job.js';
import { storePayloads } from '../../support/api/stored-events.js';
import { makeWebhook } from '../../support/api/webhooks.js';
import { cases, enoughTime } from '../../support/effort.js';
import { itemSpec } from '../../support/series/item-spec.js';
import { foldAll, foldStatuses, storedAlerts, storedStatuses } from '../../support/series/model.js';
import { storeAsBefore } from '../../support/series/older-release.js';
import {
  type ItemSpec,
  itemsEvent,
  itemsOf,
  WEBHOOK,
  writeEvents,
} from '../../support/series/write-items.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  client = await Client.of(stack);
});
beforeEach(() => empty());
afterAll(() => stack.stop());

const START = Date.UTC(2026, 0, 1);

async function empty(): Promise<void> {
  for (const table of ['events', 'alerts', 'series', 'series_items', 'series_alerts'])
    await stack.database(table).delete();
}

/** Runs a refold in this process, with interruptions, until it has ended. Returns its job. */
async function refold(body: object = {}, crashes: readonly Crash[] = []): Promise<Job> {
  const { jobId } = (await client.json('POST', '/v2/alerts/refold', body)).body;
  const services = workerServices(stack);
  for (const one of [...crashes, null]) {
    const worker = one ? { ...services, database: crashing(stack.database, one).database } : services;
    await runJob(handlers['alert-refold'], recordedJob(jobId), worker as typeof services).catch(() => {});
  }
  const job = await findJob(stack.database, jobId);
  expect(job).toMatchObject({ state: 'completed', warnings: [] });
  return job as Job;
}

/** Returns the changes that the file of a job lists. */
async function changesOf({ id }: Job): Promise<Record<string, string>[]> {
  const { text } = await client.get(`/v2/jobs/${id}/file`);
  return parse(text, { columns: true });
}

const MAPPING = {
  fields: {
    title: { template: '{{webhook.name}}' },
    severity: { template: '{{webhook.severity}}', default: 'warning' },
    description: { template: '{{webhook.text}}', default: 'no text' },
    source: { template: 'Tests' },
    status: { template: '{{webhook.status}}' },
    dedupKey: { template: '{{webhook.key}}' },
  },
};

const PAYLOADS = [
  { key: 'disk', name: 'Disk full', severity: 'warning', text: '91%' },
  { key: 'disk', name: 'Disk full', severity: 'critical', text: '99%' },
  { key: 'disk', name: 'Disk OK', severity: 'info', text: '12%', status: 'resolved' },
  { key: 'cpu', name: 'CPU', severity: 'error', text: '100%' },
];

test('an alert whose texts the end had replaced shows what it was again, after a dry run that says so', async () => {
  const { id } = await makeWebhook(client, { template: null });
  expect((await client.json('PUT', `/v2/webhooks/${id}/mapping`, MAPPING)).status).toBe(201);
  const [eventId] = await storePayloads(stack.database, id, PAYLOADS);
  const other = await makeWebhook(client, { template: null });
  await client.json('PUT', `/v2/webhooks/${other.id}/mapping`, MAPPING);
  await storePayloads(stack.database, other.id, PAYLOADS);
  const expected = await storedAlerts(stack.database);
  await storeAsBefore(stack.database);
  // The events have expired.
  await stack.database('events').delete();
  const before = await storedAlerts(stack.database);
  const list = async () => (await client.get(`/v2/alerts?webhookId=${id}&status=resolved`)).body.data;
  expect(await list()).toMatchObject([
    { title: 'Disk OK', severity: 'info', description: '12%', resolution: null },
  ]);

  const counts = { alerts: 2, unchanged: 0, changed: 2, added: 0, removed: 0, partial: 0 };
  const dry = await refold({ webhookId: id, dryRun: true });
  expect(dry).toMatchObject({ counts, progress: { rowsRead: 2, rowsTotal: 2 } });
  expect(await storedAlerts(stack.database)).toEqual(before);
  const changes = await changesOf(dry);
  const [alert] = await list();
  const shown = changes.filter(({ dedupKey }) => dedupKey === 'disk');
  expect(shown.map(({ field, before: old, after }) => [field, old, after])).toEqual([
    ['title', 'Disk OK', 'Disk full'],
    ['severity', 'info', 'critical'],
    ['description', '12%', '99%'],
    ['resolvedBy', '', 'event'],
    ['resolution', '', '12%'],
    ['peakSeverity', '', 'critical'],
    ['peakAt', '', new Date(Date.parse(alert.receivedAt) + 1_000).toISOString()],
    ['severityRank', '0', '400'],
    ['peakRank', '', '400'],
    ['durationMs', '', '2000'],
  ]);
  expect(shown[0]).toMatchObject({
    webhookId: id,
    alertId: alertId(eventId as string, 0),
    change: 'changed',
  });

  const job = await refold({ webhookId: id });
  expect(job).toMatchObject({ counts });
  expect(await changesOf(job)).toEqual(changes);
  expect(await list()).toMatchObject([
    {
      title: 'Disk full',
      severity: 'critical',
      description: '99%',
      resolution: '12%',
      peakSeverity: 'critical',
    },
  ]);
  const all = await refold();
  expect(all).toMatchObject({ counts: { ...counts, alerts: 4, unchanged: 2 } });
  expect(await storedAlerts(stack.database)).toEqual(expected);
  expect(await refold()).toMatchObject({ counts: { ...counts, alerts: 4, unchanged: 4, changed: 0 } });
});

test('an alert of which some items have expired is counted, and gets the peak of the others', async () => {
  const specs: ItemSpec[] = [
    { dedupKey: 'disk', status: 'firing', severity: 'error', ranks: '0200000' },
    { dedupKey: 'disk', status: 'firing', severity: 'info', ranks: '0200000' },
  ];
  await writeEvents(stack.database, [itemsEvent(uuidv7(), START, specs)]);
  await storeAsBefore(stack.database);
  await stack.database('series_items').where({ severity: 'error' }).update({ event_count: 5 });
  await stack.database('alerts').update({ event_count: 6 });
  expect(await refold({ webhookId: WEBHOOK })).toMatchObject({ counts: { changed: 1, partial: 1 } });
  expect(await storedAlerts(stack.database)).toMatchObject([{ eventCount: 6, peakSeverity: 'error' }]);
});

test('a series of several pages, with alerts that are missing and alerts that no event opens', async () => {
  const specs = Array.from({ length: 450 }, (_, number): ItemSpec => {
    const isLong = number >= 130 && number < 390;
    return {
      dedupKey: 'disk',
      status: !isLong && number % 2 === 1 ? 'resolved' : 'firing',
      title: `${number}`,
    };
  });
  const event = itemsEvent(uuidv7(), START, specs);
  await writeEvents(stack.database, [event]);
  const expected = foldAll(itemsOf(event));
  expect(expected).toHaveLength(95);
  expect(await refold({ dryRun: true })).toMatchObject({ counts: { alerts: 95, unchanged: 95 } });
  await stack.database('alerts').where({ title: '20' }).orWhere({ title: '390' }).delete();
  const { id } = itemsOf(event)[201] as { id: string };
  const binary = Buffer.from(id.replaceAll('-', ''), 'hex');
  const place = { id: binary, received_at: new Date(START) };
  const [like] = await stack.database('alerts').where({ title: '10' });
  await stack.database('alerts').insert({ ...like, ...place });
  const [series] = await stack.database('series');
  await stack
    .database('series_alerts')
    .insert({ series_id: series?.id as Buffer, alert_id: binary, received_at: place.received_at });
  const counts = { alerts: 96, unchanged: 93, changed: 0, added: 2, removed: 1, partial: 0 };
  const dry = await refold({ dryRun: true });
  expect(dry).toMatchObject({ counts });
  expect((await changesOf(dry)).map(({ change }) => change).sort()).toEqual(['added', 'added', 'removed']);
  expect(await refold()).toMatchObject({ counts });
  expect(await storedAlerts(stack.database)).toEqual(expected);
});

const history = fc.record({
  events: fc.array(fc.record({ at: fc.nat(40), specs: fc.array(itemSpec, { minLength: 1, maxLength: 3 }) }), {
    minLength: 1,
    maxLength: 20,
  }),
  during: fc.array(fc.record({ at: fc.nat(40), specs: fc.array(itemSpec, { minLength: 1, maxLength: 3 }) }), {
    maxLength: 2,
  }),
  crashes: fc.array(
    fc.record({
      transaction: fc.nat(12),
      at: fc.constantFrom('before', 'rolled back', 'committed', 'deadlock', 'lost', 'closing'),
    }),
    { maxLength: 3 },
  ),
});

test(
  'all alerts of an earlier release become those of the fold, whatever interrupts the job and whatever comes meanwhile',
  async () => {
    await fc.assert(
      fc.asyncProperty(history, async ({ events, during, crashes }) => {
        await empty();
        const all = events.map(({ at, specs }) => itemsEvent(uuidv7(), START + at, specs));
        for (const one of all) await writeEvents(stack.database, [one]);
        await storeAsBefore(stack.database);
        const { counts: expected } = await refold({ dryRun: true });
        const late = during.map(({ at, specs }) => itemsEvent(uuidv7(), START + at, specs));
        const storeLate = async () => {
          for (const one of late) await writeEvents(stack.database, [one]);
        };
        const [{ counts }] = await Promise.all([refold({}, crashes as Crash[]), storeLate()]);
        if (late.length === 0) expect(counts).toEqual(expected);
        // What an event added to an alert of the earlier release in the middle of the job is found by the next one.
        await refold();
        const items = [...all, ...late].flatMap(itemsOf);
        expect(await storedAlerts(stack.database)).toEqual(foldAll(items));
        expect(await storedStatuses(stack.database)).toEqual(foldStatuses(items));
        expect((await refold({ dryRun: true })).counts).toMatchObject({ changed: 0, added: 0, removed: 0 });
      }),
      { numRuns: cases(5) },
    );
  },
  enoughTime(120_000),
);

test('a webhook id that is none is rejected', async () => {
  const { status, body } = await client.json('POST', '/v2/alerts/refold', { webhookId: 'x' });
  expect([status, body.errors ?? body.message]).toEqual([400, expect.anything()]);
});
