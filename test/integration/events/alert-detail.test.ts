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

/** The most alerts of one event, with the most fields. */
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

/** Each alert reads a long list, and so the event's budget is spent on the first few of them. */
const GREEDY = {
  split: 'items',
  fields: {
    severity: { template: 'info' },
    description: { template: '{{item}}' },
    source: { template: '{{#webhook.long}}{{item}}{{/webhook.long}}' },
  },
};
const greedyPayload = {
  long: Array.from({ length: 5_000 }, () => 1),
  items: Array.from({ length: 60 }, (_, i) => i),
};

/** The stored event of a payload under a mapping. */
async function stored(mapping: object, payload: unknown): Promise<string> {
  const { id } = await makeWebhook(client, { template: null });
  const saved = await client.json('PUT', `/v2/webhooks/${id}/mapping`, mapping);
  if (saved.status !== 201) throw new Error(saved.text);
  return (await storePayloads(stack.database, id, [payload]))[0] as string;
}

const alertIn = (eventId: string, number: number): string =>
  eventId.slice(0, -3) + (number + 1).toString(16).padStart(3, '0');

test.each([
  ['as many alerts as there may be', LARGEST, largestPayload, [0, 500, 999]],
  ['alerts that lack budget', GREEDY, greedyPayload, [0, 30, 59]],
])('of %s each is answered with the results that it was made with', async (_, mapping, payload, numbers) => {
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
});

/** Renders one alert and tells which were rendered, in which turn of the event loop. */
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
  await renderOne(watched, { id: alertIn('0'.repeat(36), number), faults });
  clearImmediate(counting);
  return turns;
}

test('only the one alert is rendered', async () => {
  const { custom: _, ...mapping } = LARGEST;
  expect([...(await rendered(mapping, largestPayload, 999)).keys()]).toEqual([999]);
});

test('of an alert that lacked budget those before it are rendered too, each in a turn of its own', async () => {
  const turns = await rendered(GREEDY, greedyPayload, 59);
  expect([...turns.keys()]).toEqual(Array.from({ length: 60 }, (_, i) => i));
  expect(new Set(turns.values()).size).toBe(60);
});

test('an id of no alert of an event is answered 404', async () => {
  const eventId = await stored(GREEDY, greedyPayload);
  expect((await client.get(`/v2/alerts/${alertIn(eventId, 60)}`)).status).toBe(404);
  expect((await client.get(`/v2/alerts/${eventId}`)).status).toBe(404);
});
