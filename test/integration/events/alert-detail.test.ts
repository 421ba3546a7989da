import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { renderOne } from '../../../api/routes/alerts/field-results.js';
import { normalize, type PreparedAlerts, prepareAlerts } from '../../../workers/mapping/index.js';
import { Client } from '../../support/api/client.js';
import { storePayloads } from '../../support/api/stored-events.js';
import { makeWebhook } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { bytes, compiled } from '../../unit/mapping/mapping.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

const ITEMS = 1_000;

/** The maximum number of alerts of one event, with the maximum number of fields. */
const LARGEST = {
  split: 'items',
  fields: Object.fromEntries(
    ['title', 'severity', 'description', 'source', 'service', 'environment', 'team'].map((name) => [
      name,
      { template: `{{item.${name}}} of {{webhook.sevice}}` },
    ]),
  ),
  custom: Object.fromEntries(
    Array.from({ length: 50 }, (_, i) => [`c${i}`, { template: `{{item.name}} ${i} {{item.tgas.0}}` }]),
  ),
};
const largestPayload = {
  service: 's',
  items: Array.from({ length: ITEMS }, (_, i) => ({ name: `n${i}`, severity: 'info', tags: ['a', 'b'] })),
};

/** Each alert reads a long list, so the first of each 25 alerts use up the budget of these. */
const GREEDY = {
  split: 'items',
  fields: {
    severity: { template: 'info' },
    description: { template: '{{item}}' },
    source: { template: '{{#webhook.long}}{{item}}{{/webhook.long}}' },
  },
};
const greedyPayload = {
  long: Array.from({ length: 12_000 }, () => 1),
  items: Array.from({ length: 60 }, (_, i) => i),
};

/** Stores an event with a payload and a mapping. Returns its id. */
async function stored(mapping: object, payload: unknown): Promise<string> {
  const { id } = await makeWebhook(client, { template: null });
  const saved = await client.json('PUT', `/v2/webhooks/${id}/mapping`, mapping);
  if (saved.status !== 201) throw new Error(saved.text);
  return (await storePayloads(stack.database, id, [payload]))[0] as string;
}

const alertIn = (eventId: string, number: number): string =>
  eventId.slice(0, -3) + (number + 1).toString(16).padStart(3, '0');

test.each([
  ['the maximum number of alerts', LARGEST, largestPayload, [0, 500, 999]],
  ['alerts that exceed the budget', GREEDY, greedyPayload, [0, 30, 49]],
])(
  'returns each alert with the same results as when it was stored: %s',
  async (_, mapping, payload, numbers) => {
    const eventId = await stored(mapping, payload);
    const { alerts } = normalize(compiled(mapping), bytes(payload));
    for (const number of numbers) {
      const { data } = (await client.get(`/v2/alerts/${alertIn(eventId, number)}`)).body;
      const made = JSON.parse(JSON.stringify(alerts[number]));
      expect(data.faults).toEqual(made.faults);
      for (const name of ['severity', 'source', 'description']) {
        expect(data.results.fields[name].value).toBe(made.fields[name].value);
        expect(data.results.fields[name].result).toBe(made.fields[name].result);
      }
      expect(Object.keys(data.results.custom)).toEqual(Object.keys(made.custom));
    }
  },
);

/** Renders one alert. Returns which alerts were rendered, and in which turn of the event loop. */
async function rendered(mapping: object, payload: unknown, number: number) {
  const alerts = prepareAlerts(compiled(mapping), { value: payload as never });
  const faults = [...(normalize(compiled(mapping), bytes(payload)).alerts[number]?.faults ?? [])];
  let turn = 0;
  let counting = setImmediate(function next() {
    turn += 1;
    counting = setImmediate(next);
  });
  const turns = new Map<number, number>();
  const watched: PreparedAlerts = {
    ...alerts,
    render: (one) => {
      turns.set(one, turn);
      return alerts.render(one);
    },
  };
  await renderOne(watched, { id: alertIn('0'.repeat(36), number), faults }, yieldToOthers);
  clearImmediate(counting);
  return turns;
}

test('renders only the requested alert', async () => {
  const { custom: _, ...mapping } = LARGEST;
  expect([...(await rendered(mapping, largestPayload, 999)).keys()]).toEqual([999]);
});

test('renders the alerts before one that exceeded the budget too, each in its own turn of the event loop', async () => {
  const turns = await rendered(GREEDY, greedyPayload, 49);
  expect([...turns.keys()]).toEqual(Array.from({ length: 50 }, (_, i) => i));
  expect(new Set(turns.values()).size).toBe(50);
});

test('responds with 404 to an id that is not an alert of the event', async () => {
  const eventId = await stored(GREEDY, greedyPayload);
  expect((await client.get(`/v2/alerts/${alertIn(eventId, 60)}`)).status).toBe(404);
  expect((await client.get(`/v2/alerts/${eventId}`)).status).toBe(404);
});
