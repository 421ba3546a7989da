import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findSource } from '../../../workers/mapping/catalogue/index.js';
import type { CatalogueSource } from '../../../workers/mapping/catalogue/source.js';
import { Client } from '../../support/api/client.js';
import { storePayloads } from '../../support/api/stored-events.js';
import { makeWebhook } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  client = new Client(stack.url, await stack.key());
});
afterAll(() => stack.stop());

const MAPPING = {
  split: 'alerts',
  fields: {
    title: { template: '{{item.name}}' },
    severity: { default: 'error' },
    description: { template: '{{item.text}}' },
    source: { template: 'Test' },
  },
};

test.each([
  ['every alert has a title', [{ name: 'a', text: 'x' }], []],
  ['there are no alerts', [], []],
  ['the only alert has no title', [{ text: 'x' }], ['The alert has no title.']],
  [
    'some alerts have no title',
    [{ text: 'x' }, { name: 'b', text: 'x' }, { text: 'x' }],
    ['2 of 3 alerts have no title.'],
  ],
])('a receipt warns of complete alerts without a title: %s', async (_, alerts, warnings) => {
  const { id } = await makeWebhook(client, { template: null });
  await client.json('PUT', `/v2/webhooks/${id}/mapping`, MAPPING);
  const [eventId] = await storePayloads(stack.database, id, [{ alerts }]);
  const { body } = await client.get(`/v2/events/${eventId}`);
  expect(body.data).toMatchObject({ state: 'normalized', faults: [] });
  expect(body.data.warnings).toEqual(
    warnings.map((start) => ({
      field: 'title',
      code: 'missing_title',
      message: `${start} In the mapping, change the template of \`title\` or give it a default.`,
    })),
  );
  for (const alertId of body.data.alertIds) {
    expect((await client.get(`/v2/alerts/${alertId}`)).body.data.state).toBe('complete');
  }
});

test('a receipt warns of values that are probably wrong, once each with the number of items', async () => {
  const { id } = await makeWebhook(client, { template: null });
  await client.json('PUT', `/v2/webhooks/${id}/mapping`, {
    ...MAPPING,
    fields: {
      ...MAPPING.fields,
      severity: { template: '{{item.level}}' },
      status: { template: '{{item.status}}' },
      dedupKey: { template: '{{item.id}}' },
    },
  });
  const item = { name: 'a', text: 'x', level: 'error', id: '7', status: 'ok' };
  const alerts = [
    item,
    { ...item, status: undefined },
    { ...item, status: 'N/A' },
    { ...item, level: 'odd' },
  ];
  const [eventId] = await storePayloads(stack.database, id, [{ alerts }]);
  const { body } = await client.get(`/v2/events/${eventId}`);
  expect(body.data.warnings).toEqual([
    {
      field: 'status',
      code: 'missing_status',
      message:
        'status: the event has no status, so it counts as firing, even if it reports that the problem is over, because item.status is missing or blank in the payload (2 of 4 items)',
      path: 'item.status',
    },
    {
      field: 'status',
      code: 'placeholder',
      message: 'status: the sender wrote N/A in place of a value (1 of 4 items)',
    },
    {
      field: 'severity',
      code: 'unknown_severity',
      message:
        'severity: "odd" is not a known severity; map it to critical, error, warning or info (1 of 4 items)',
    },
  ]);
});

test('a receipt says why an event has no key, status, occurrence or value: the field, the path and the reason', async () => {
  const { id } = await makeWebhook(client, { template: null });
  await client.json('PUT', `/v2/webhooks/${id}/mapping`, {
    fields: {
      ...MAPPING.fields,
      title: { expression: 'webhook.check + 7' },
      description: { default: 'x' },
      status: { expression: 'webhook.state.lowerAscii()' },
      dedupKey: { expression: 'webhook.host.name + "/" + webhook.check' },
      occurrence: { template: '{{webhook.since}}' },
    },
  });
  const payload = { host: { name: null }, check: 'disk', state: null, since: 'yesterday' };
  const [eventId] = await storePayloads(stack.database, id, [payload]);
  const { body } = await client.get(`/v2/events/${eventId}`);
  const about = (field: string, code: string, message: string, path?: string) =>
    expect.objectContaining({
      field,
      code,
      message: expect.stringContaining(message),
      ...(path && { path }),
    });
  expect(body.data.warnings).toEqual([
    about('title', 'missing_title', 'The alert has no title.'),
    about('dedupKey', 'missing_dedup_key', 'no value at webhook.host.name', 'webhook.host.name'),
    about(
      'title',
      'expression_error',
      'column 15: + cannot be applied to string and int; it reads webhook.check',
    ),
    about('occurrence', 'occurrence_not_comparable', '"yesterday" is neither a number nor'),
  ]);
});

test('a receipt names the path of a status that is missing', async () => {
  const { id } = await makeWebhook(client, { template: null });
  await client.json('PUT', `/v2/webhooks/${id}/mapping`, {
    fields: {
      ...MAPPING.fields,
      title: { default: 'x' },
      description: { default: 'x' },
      status: { expression: 'webhook.state.lowerAscii()' },
      dedupKey: { template: '{{webhook.id}}' },
    },
  });
  const [eventId] = await storePayloads(stack.database, id, [{ id: 7, state: null }]);
  const { body } = await client.get(`/v2/events/${eventId}`);
  expect(body.data.warnings).toMatchObject([
    {
      field: 'status',
      code: 'missing_status',
      path: 'webhook.state',
      message: expect.stringMatching(/, because webhook\.state is missing or blank in the payload$/),
    },
  ]);
});

test('a receipt names the template that a payload looks like if the mapping finds almost nothing in it', async () => {
  const { id } = await makeWebhook(client, { template: 'uptime-kuma' });
  const { sample } = findSource('grafana') as CatalogueSource;
  const [eventId] = await storePayloads(stack.database, id, [sample]);
  const { body } = await client.get(`/v2/events/${eventId}`);
  expect(body.data.warnings).toContainEqual(
    expect.objectContaining({
      code: 'looks_like_template',
      message: expect.stringMatching(
        /^The payload looks like Grafana Alerting \(\d+ of \d+ paths\), but .* `grafana`/,
      ),
    }),
  );
});

test('a receipt of an integration without a mapping says so, and how to find a template', async () => {
  const { id } = await makeWebhook(client, { template: null });
  const [eventId] = await storePayloads(stack.database, id, [{ text: 'x' }]);
  const { body } = await client.get(`/v2/events/${eventId}`);
  expect(body.data).toMatchObject({
    state: 'normalized',
    revision: 0,
    warnings: [{ field: null, code: 'no_mapping' }],
  });
  expect(body.data.warnings[0].message).toMatch(/^No mapping yet.*templates\/recognize/);
  const alert = (await client.get(`/v2/alerts/${body.data.alertIds[0]}`)).body.data;
  expect(alert.faults).toMatchObject([
    { code: 'no_mapping', message: expect.stringMatching(/^no mapping yet/) },
  ]);
});

test.each(['alertmanager', 'grafana', null])(
  'a receipt warns that the sender left alerts out: template %s',
  async (template) => {
    const { id } = await makeWebhook(client, { template });
    const mapped = [{ status: 'firing', labels: { alertname: 'Disk' }, fingerprint: 'a' }];
    const [cut, whole] = await storePayloads(stack.database, id, [
      { status: 'firing', alerts: mapped, truncatedAlerts: 12 },
      { status: 'firing', alerts: mapped, truncatedAlerts: 0 },
    ]);
    const truncations = async (eventId: string | undefined) =>
      (await client.get(`/v2/events/${eventId}`)).body.data.warnings.filter(
        ({ code }: { code: string }) => code === 'payload_truncated',
      );
    expect(await truncations(cut)).toMatchObject([
      { path: 'webhook.truncatedAlerts', message: expect.stringContaining('left 12 out of this payload') },
    ]);
    expect(await truncations(whole)).toEqual([]);
  },
);
