import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { catalogue, resolvingSample } from '../../../workers/mapping/catalogue/index.js';
import { Client } from '../../support/api/client.js';
import { makeWebhook, receiptOf, sendEvent } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

/** Sends an event and returns what it did to the alerts of the source. */
async function outcomeOf(path: string, payload: unknown) {
  const sent = await sendEvent(stack.url, path, payload);
  const { eventId } = (await sent.json()) as { eventId: string };
  const { alertIds, outcomes, state } = await receiptOf(client, eventId);
  expect(state).toBe('normalized');
  return { alertIds, ...outcomes[0] };
}

const recovering = catalogue.filter(({ recovery }) => recovery !== undefined);

test.each(recovering.map((source) => [source.name, source] as const))(
  '%s: the sample opens an alert, and the resolving sample of the API ends it',
  async (name, source) => {
    const template = await client.get(`/v2/webhook-templates/${name}`);
    expect(template.body.data.resolvingSample).toEqual(resolvingSample(source));
    const { path } = await makeWebhook(client, { name, template: name });
    const { sample, resolvingSample: resolving } = template.body.data;
    const opened = await outcomeOf(path, sample);
    expect(opened).toMatchObject({ status: 'firing', outcome: 'opened' });
    expect(await outcomeOf(path, sample)).toMatchObject({ outcome: 'updated', alertId: opened.alertId });
    const resolved = await outcomeOf(path, resolving);
    expect(resolved).toMatchObject({ outcome: 'resolved', alertId: opened.alertId });
    const alert = await client.get(`/v2/alerts/${opened.alertId}`);
    expect(alert.body.data).toMatchObject({ status: 'resolved', eventCount: 3, state: 'complete' });
  },
);
