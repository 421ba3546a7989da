import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { markForRefold } from '../../../db/series/refold-marks.js';
import { seriesId } from '../../../db/series/series.js';
import { doUpkeep } from '../../../workers/jobs/upkeep.js';
import { Client } from '../../support/api/client.js';
import { workerServices } from '../../support/api/run-job.js';
import { storePayloads } from '../../support/api/stored-events.js';
import { makeWebhook } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

const DAY_MS = 24 * 60 * 60 * 1_000;
const field = (template: string) => ({ template });
const MAPPING = {
  fields: {
    severity: field('error'),
    description: field('d'),
    source: field('s'),
    dedupKey: field('{{webhook.key}}'),
  },
};

async function integration(): Promise<string> {
  const { id } = await makeWebhook(client, { template: null });
  await client.json('PUT', `/v2/webhooks/${id}/mapping`, MAPPING);
  return id;
}

const alertsOf = async (id: string) => (await client.get(`/v2/alerts?webhookId=${id}`)).body.data;

test('upkeep keeps an old alert that had an event lately, and deletes one that had not', async () => {
  const id = await integration();
  const [long] = await storePayloads(
    stack.database,
    id,
    [{ key: 'long' }, { key: 'old' }],
    Date.now() - 400 * DAY_MS,
  );
  await storePayloads(stack.database, id, [{ key: 'long' }], Date.now() - DAY_MS);
  expect(await alertsOf(id)).toHaveLength(2);
  await doUpkeep(workerServices(stack));
  const alerts = await alertsOf(id);
  expect(alerts).toMatchObject([{ dedupKey: 'long', eventCount: 2, status: 'firing', eventId: long }]);
  expect(await stack.database('series').where('dedup_key', 'old')).toEqual([]);
});

test('upkeep folds the series that a remap left marked', async () => {
  const id = await integration();
  await storePayloads(stack.database, id, [{ key: 'left' }, { key: 'left' }]);
  const key = { id: seriesId(id, 'left'), webhookId: id, dedupKey: 'left' };
  await stack.database.transaction((transaction) =>
    markForRefold(transaction, { keys: [key], gone: [], from: 0 }),
  );
  await stack.database('alerts').where('dedup_key', 'left').update({ event_count: 7 });
  await doUpkeep(workerServices(stack));
  expect(await alertsOf(id)).toMatchObject([{ dedupKey: 'left', eventCount: 2 }]);
  expect(await stack.database('series').whereNotNull('refold_from')).toEqual([]);
});
