import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { fromUuidBinary } from '../../../db/bulk/uuid-binary.js';
import { toEventId } from '../../../db/events/alerts/alert-id.js';
import { findJob, type Job } from '../../../db/jobs/jobs.js';
import { buildEvent } from '../../../workers/events/store/build-event.js';
import { CurrentMappings } from '../../../workers/events/store/current-mappings.js';
import { inMemoryBatch } from '../../../workers/events/store/event-batch.js';
import { WriteGroup } from '../../../workers/events/store/write-group.js';
import type { IntakeEvent } from '../../../workers/queues/contracts/alert-intake.js';
import { handlers } from '../../../workers/registry.js';
import { Client } from '../../support/api/client.js';
import { type Crash, crashing } from '../../support/api/import-desk.js';
import { recordedJob, runJob, workerServices } from '../../support/api/run-job.js';
import { makeWebhook } from '../../support/api/webhooks.js';
import { cases, enoughTime } from '../../support/effort.js';
import {
  foldAll,
  foldStatuses,
  seriesTables,
  storedAlerts,
  storedStatuses,
} from '../../support/series/model.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

const TABLES = ['events', 'alerts', 'series', 'series_items', 'series_alerts'];
/** Not in the future, where a remap finds no events. */
const START = Date.now() - 3_600_000;

const REQUIRED = { severity: { template: '{{item.level}}' }, description: { template: 'd' } };
const field = (template: string) => ({ template });
const SPLIT = {
  split: 'items',
  fields: {
    ...REQUIRED,
    source: field('{{item.title}}'),
    title: { ...field('{{item.title}}'), default: 'untitled' },
  },
};
const keyed = (key: string, status: string | null, more: object = {}) => ({
  ...SPLIT,
  fields: { ...SPLIT.fields, dedupKey: field(key), ...(status ? { status: field(status) } : {}), ...more },
});
const OCCURRENCE = { occurrence: field('{{item.run}}') };
const MAPPINGS: readonly object[] = [
  { fields: { severity: field('{{webhook.level}}'), description: field('d'), source: field('s') } },
  {
    fields: {
      ...SPLIT.fields,
      severity: field('x'),
      source: field('s'),
      title: field('{{webhook.level}}'),
      dedupKey: field('{{webhook.level}}'),
    },
  },
  SPLIT,
  keyed('{{item.key}}', '{{item.status}}'),
  keyed('{{item.key}}', null),
  keyed('{{item.other}}', '{{item.status}}'),
  keyed('{{item.key}}-{{item.other}}', '{{item.contrary}}'),
  keyed('{{item.key}}', '{{item.status}}', OCCURRENCE),
  { ...keyed('{{item.other}}', '{{item.status}}', OCCURRENCE), final: true },
  { ...keyed('{{item.key}}', '{{item.status}}'), filter: 'item.level != "low"' },
  { ...SPLIT, filter: 'webhook.level == "high"' },
  { ...SPLIT, repeatWindowSeconds: 1 },
  { ...keyed('{{item.key}}', '{{item.status}}'), repeatWindowSeconds: 60 },
];

const item = fc.record(
  {
    key: fc.constantFrom('disk', 'cpu'),
    other: fc.constantFrom('disk', 'net'),
    status: fc.constantFrom('firing', 'firing', 'resolved', 'reopened', 'update', 'test'),
    run: fc.constantFrom(1, 2, 3),
    contrary: fc.constantFrom('resolved', 'firing'),
    level: fc.constantFrom('low', 'high'),
    title: fc.constantFrom('a', 'b', 'c'),
  },
  { requiredKeys: ['status', 'level'] },
);
const payload = fc.record({
  level: fc.constantFrom('low', 'high'),
  items: fc.array(item, { maxLength: 3 }),
});
const crash: fc.Arbitrary<Crash> = fc.record({
  transaction: fc.nat(5),
  at: fc.constantFrom('before', 'rolled back', 'committed', 'deadlock', 'lost'),
});
const mappingIndex = fc.nat(MAPPINGS.length - 1);
const history = fc.record({
  payloads: fc.array(payload, { minLength: 1, maxLength: 12 }),
  order: fc.infiniteStream(fc.nat()),
  first: mappingIndex,
  /** Each remap uses another mapping, crashes some times, and may run at the same time as a second remap and new events. */
  remaps: fc.array(
    fc.record({
      mapping: mappingIndex,
      crashes: fc.array(crash, { maxLength: 2 }),
      isDoubled: fc.boolean(),
      isCanceled: fc.boolean(),
      during: fc.array(payload, { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

async function save(id: string, mapping: object): Promise<void> {
  const { status, text } = await client.json('PUT', `/v2/webhooks/${id}/mapping?confirm=drops-all`, mapping);
  if (status > 201) throw new Error(text);
}

/** Runs a remap in this process, with interruptions, until it has ended. Returns its job. */
async function remap(id: string, crashes: readonly Crash[] = [], isCanceled = false): Promise<Job | null> {
  const { jobId } = (await client.json('POST', `/v2/webhooks/${id}/remap`, {})).body;
  const services = workerServices(stack);
  const canceled = isCanceled ? client.send('POST', `/v2/jobs/${jobId}/cancel`) : null;
  for (const one of [...crashes, null]) {
    const worker = one ? { ...services, database: crashing(stack.database, one).database } : services;
    await runJob(handlers['alert-remap'], recordedJob(jobId), worker as typeof services).catch(() => {});
  }
  await canceled;
  return findJob(stack.database, jobId);
}

test(
  'a remap of all events gives what the mapping would have given from the start, whatever happens meanwhile',
  async () => {
    let time = START;
    const numRuns = cases(6);
    await fc.assert(
      fc.asyncProperty(history, async ({ payloads, order, first, remaps }) => {
        for (const table of TABLES) await stack.database(table).delete();
        const { id } = await makeWebhook(client, { template: null });
        const accept = (body: unknown): IntakeEvent => {
          time += Math.random() < 0.7 ? 1 : 0;
          return { id: toEventId(uuidv7()), webhookId: id, receivedAt: time, raw: JSON.stringify(body) };
        };
        const all: IntakeEvent[] = [];
        const store = async (events: readonly IntakeEvent[]) => {
          const mapping = (await new CurrentMappings(stack.database).of([id])).get(id);
          const build = (event: IntakeEvent) => buildEvent(event, mapping);
          const { database, api } = stack;
          for (const event of events) {
            await new WriteGroup({ database, log: api.log }, [inMemoryBatch([event])], build).write();
          }
          all.push(...events);
        };
        await save(id, MAPPINGS[first] as object);
        const random = order[Symbol.iterator]();
        const rank = new Map(payloads.map((body) => [body, random.next().value as number]));
        const accepted = payloads.map((body) => ({ event: accept(body), rank: rank.get(body) as number }));
        await store(accepted.sort((one, other) => one.rank - other.rank).map(({ event }) => event));
        for (const { mapping, crashes, isDoubled, isCanceled, during } of remaps) {
          await save(id, MAPPINGS[mapping] as object);
          const late = during.map(accept);
          await Promise.all([remap(id, crashes, isCanceled), store(late), ...(isDoubled ? [remap(id)] : [])]);
        }
        expect(await remap(id)).toMatchObject({ state: 'completed' });

        const mapping = (await new CurrentMappings(stack.database).of([id])).get(id);
        const built = all.map((event) => buildEvent(event, mapping));
        const items = built.flatMap((event) => event.items);
        expect(await storedAlerts(stack.database)).toEqual(foldAll(items));
        expect(await storedStatuses(stack.database)).toEqual(foldStatuses(items));
        const alone = await stack.database('alerts').whereNull('dedup_key').orderBy('id');
        const expected = built
          .flatMap(({ alerts }) => alerts)
          .sort((one, other) => (one.id < other.id ? -1 : 1));
        expect(
          alone.map(({ id, state, title, severity, event_count, resolved_at, is_test }) => ({
            id: fromUuidBinary(id),
            state,
            title,
            severity,
            event_count,
            resolved_at,
            isTest: is_test === 1,
          })),
        ).toEqual(
          expected.map(({ id, state, title, severity, isTest = false }) => ({
            id,
            state,
            title,
            severity,
            event_count: null,
            resolved_at: null,
            isTest,
          })),
        );
        const tables = await seriesTables(stack.database);
        expect(tables.starts).toEqual(tables.alerts);
        expect(tables.latest).toEqual(tables.newest);
        const series = await stack.database('series').select('id', 'refold_from');
        expect(series.filter(({ refold_from }) => refold_from !== null)).toEqual([]);
        const used = new Set(items.map(({ seriesId }) => seriesId));
        expect(new Set(series.map((row) => fromUuidBinary(row.id)))).toEqual(used);
        const counts = await stack.database('events').select('id', 'alert_count', 'keyed_count');
        expect(
          new Map(counts.map((row) => [fromUuidBinary(row.id), [row.alert_count, row.keyed_count ?? 0]])),
        ).toEqual(
          new Map(built.map(({ id, alerts, items }) => [id, [alerts.length + items.length, items.length]])),
        );
      }),
      { numRuns },
    );
  },
  enoughTime(120_000),
);
