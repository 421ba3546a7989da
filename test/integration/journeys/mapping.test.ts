import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { toUuidBinary } from '../../../db/bulk/uuid-binary.js';
import { sumSteps } from '../../../db/jobs/job-steps.js';
import { findJob } from '../../../db/jobs/jobs.js';
import { storePayloads } from '../../support/api/stored-events.js';
import { makeWebhook, receiptOf, sendEvent } from '../../support/api/webhooks.js';
import { loseLock } from '../../support/faults/broken-off.js';
import { end, type Processes, startProcesses } from '../../support/servers/processes.js';
import { until } from '../../support/until.js';

const prefix = `{mapping-${randomUUID().slice(0, 8)}}`;
let muster: Processes;
beforeAll(async () => {
  muster = await startProcesses({ env: { REDIS_PREFIX: prefix } });
}, 60_000);
afterAll(() => muster.stop());

const field = (template: string) => ({ template });
const MAPPING = {
  fields: {
    title: field('{{webhook.check}}'),
    severity: field('{{webhook.sevrity}}'),
    description: field('{{webhook.check}} is down'),
    source: field('Checks'),
  },
};
const FIXED = { fields: { ...MAPPING.fields, severity: field('{{webhook.severity}}') } };

const alertOf = async (id: string) => (await muster.client.get(`/v2/alerts/${id}`)).body.data;

/** Starts a remap, waits until it finishes and returns its counts. */
async function remap(webhookId: string, body: object) {
  const response = await muster.client.json('POST', `/v2/webhooks/${webhookId}/remap`, body);
  return (await muster.client.jobEnd(response.body.jobId)).body.data.counts;
}

test('a mapping is created, fails, is fixed with a preview of stored events, and is applied to them', async () => {
  const { client } = muster;
  const { id, path } = await makeWebhook(client, { template: null });
  const send = async () =>
    (
      await sendEvent(
        muster.url,
        path,
        { check: 'shop', severity: 'critical' },
        { 'webhook-id': 'delivery-1' },
      )
    ).json();
  const { eventId } = (await send()) as { eventId: string };
  const [alertId] = (await receiptOf(client, eventId)).alertIds;
  expect(await alertOf(alertId)).toMatchObject({ state: 'incomplete', revision: 0 });

  const at = `/v2/webhooks/${id}`;
  expect((await client.json('PUT', `${at}/mapping`, MAPPING)).status).toBe(201);
  const seen = (await client.json('POST', `${at}/preview`, { last: 10 })).body.data;
  expect(seen.alerts[0]).toMatchObject({ eventId, state: 'incomplete' });
  expect(seen.alerts[0].fields.severity.missing).toEqual([
    { path: 'webhook.sevrity', nearest: 'webhook.severity' },
  ]);
  const fixed = (await client.json('POST', `${at}/preview`, { mapping: FIXED, last: 10 })).body.data;
  expect(fixed.comparison[0].alerts[0]).toMatchObject({ before: 'incomplete', after: 'complete' });

  expect((await client.json('PUT', `${at}/mapping`, FIXED)).body.data.revision).toBe(2);
  const dry = await remap(id, { dryRun: true });
  expect(await alertOf(alertId)).toMatchObject({ state: 'incomplete', revision: 0 });
  expect(await remap(id, {})).toEqual(dry);
  expect(dry).toMatchObject({ events: 1, alerts: 1, changed: 1, completed: 1, removed: 0 });
  const { results, ...alert } = await alertOf(alertId);
  expect(alert).toMatchObject({
    id: alertId,
    state: 'complete',
    revision: 2,
    severity: 'critical',
    title: 'shop',
  });
  expect(results.fields.severity.result).toBe('resolved');

  expect(await send()).toMatchObject({ eventId });
  const next = await sendEvent(muster.url, path, { check: 'mail', severity: 'info' });
  const receipt = await receiptOf(client, ((await next.json()) as { eventId: string }).eventId);
  expect(receipt).toMatchObject({ revision: 2, state: 'normalized' });
  const listed = (await client.get(`/v2/alerts?webhookId=${id}`)).body.data;
  expect(listed.map((one: { title: string }) => one.title)).toEqual(['mail', 'shop']);
});

const EVENTS = 2_000;

test('a remap whose worker is killed twice maps and counts each event once', async () => {
  const { client, database } = muster;
  const { id } = await makeWebhook(client, { template: null });
  const payloads = Array.from({ length: EVENTS }, (_, i) => ({ check: `c${i}`, severity: 'info' }));
  const eventIds = await storePayloads(database, id, payloads, Date.now() - 7 * 3_600_000);
  await client.json('PUT', `/v2/webhooks/${id}/mapping`, FIXED);
  /** Locks an event, so that no remap gets past it. */
  const lock = async (at: number) => {
    const held = await database.transaction();
    await held('events')
      .where('id', toUuidBinary(eventIds[at] as string))
      .forUpdate()
      .first('id');
    return held;
  };
  const queueOf = async (jobId: string) => (await findJob(database, jobId))?.queue as string;
  let held = await lock(700);
  const { body } = await client.json('POST', `/v2/webhooks/${id}/remap`, {});
  const seen = async () => (await sumSteps(database, body.jobId)).events ?? 0;
  let worker = muster.workers[0];
  for (const [least, next] of [
    [200, 1_500],
    [1_000, null],
  ] as const) {
    await until(`${least} events are mapped`, async () => (await seen()) >= least, 40_000);
    if (worker) await end(worker, 'SIGKILL');
    // Otherwise the next worker would take over after 10 to 15 s.
    await loseLock(process.env.TEST_REDIS_URL as string, prefix, await queueOf(body.jobId), body.jobId);
    const released = held;
    if (next) held = await lock(next);
    await released.rollback();
    worker = muster.start('workers');
  }
  const { counts, state, attempts } = (await client.jobEnd(body.jobId, 60_000)).body.data;
  expect([state, attempts]).toEqual(['completed', 3]);
  expect(counts).toMatchObject({
    events: EVENTS,
    alerts: EVENTS,
    changed: EVENTS,
    completed: EVENTS,
    unchanged: 0,
  });
  expect(await remap(id, { dryRun: true })).toMatchObject({ unchanged: EVENTS, changed: 0, added: 0 });
}, 120_000);
