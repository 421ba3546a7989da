import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { storePayloads } from '../../support/api/stored-events.js';
import { makeWebhook } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let greedy: Client;
let other: Client;
beforeAll(async () => {
  stack = await startStack();
  greedy = await Client.of(stack);
  other = await Client.of(stack);
});
afterAll(() => stack.stop());

const fields = { title: { template: '{{webhook.name}}' }, severity: { template: 'error' } };
/** A mapping and a payload whose preview takes some 0.1 s. */
const custom = Object.fromEntries(
  Array.from({ length: 50 }, (_, i) => [
    `f${i}`,
    { expression: 'item.n > 500 ? item.t.upperAscii() : "low"' },
  ]),
);
const heavy = {
  mapping: { split: 'list', fields, custom },
  payload: { list: Array.from({ length: 300 }, (_, n) => ({ n, t: `text ${n}` })) },
};

test('a key with too many previews waiting gets 503 for all that runs one at a time, and another key its response', async () => {
  const { id } = await makeWebhook(greedy);
  const post = (client: Client, path: string, body: unknown) => client.json('POST', path, body);
  const many = Promise.all(
    Array.from({ length: 20 }, () => post(greedy, `/v2/webhooks/${id}/preview`, heavy)),
  );
  const small = { mapping: { fields }, payload: { name: 'x' } };
  const responses = await Promise.all([
    post(other, `/v2/webhooks/${id}/preview`, small),
    post(other, '/v2/webhook-templates/recognize', { payload: small.payload }),
    other.json('PUT', `/v2/webhooks/${id}/mapping`, { fields }),
  ]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 201]);
  const statuses = (await many).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  // One runs and ten wait at any time.
  expect(statuses.filter((status) => status === 200).length).toBeLessThan(20);
});

test('an alert is shown without the results of its fields while too many previews of its key wait', async () => {
  const { id } = await makeWebhook(greedy);
  await greedy.json('PUT', `/v2/webhooks/${id}/mapping`, { fields });
  await storePayloads(stack.database, id, [{ name: 'x' }]);
  const list = await greedy.send('GET', `/v2/alerts?webhookId=${id}`);
  const alertId = list.body.data[0].id as string;
  const many = Promise.all(
    Array.from({ length: 20 }, () => greedy.json('POST', `/v2/webhooks/${id}/preview`, heavy)),
  );
  const shown = await Promise.all(
    Array.from({ length: 20 }, () => greedy.send('GET', `/v2/alerts/${alertId}`)),
  );
  expect(new Set(shown.map(({ status }) => status))).toEqual(new Set([200]));
  expect(shown.some(({ body }) => body.data.results === null)).toBe(true);
  await many;
  const later = await greedy.send('GET', `/v2/alerts/${alertId}`);
  expect(later.body.data.results.fields.title).toMatchObject({ value: 'x' });
});

test('the body of a preview or a recognition is parsed only when no other task of its key runs', async () => {
  const { id } = await makeWebhook(greedy);
  const many = Promise.all(
    Array.from({ length: 20 }, () => greedy.json('POST', `/v2/webhooks/${id}/preview`, heavy)),
  );
  const broken = await Promise.all(
    [`/v2/webhooks/${id}/preview`, '/v2/webhook-templates/recognize'].map(async (path) => {
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => greedy.json('POST', path, '{"payload":')),
      );
      return responses.map(({ status }) => status);
    }),
  );
  await many;
  for (const statuses of broken) expect(statuses).toContain(503);
});
