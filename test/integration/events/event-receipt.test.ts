import { afterAll, beforeAll, expect, test } from '@jest/globals';
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
