import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { storePayloads } from '../support/api/stored-events.js';
import { makeWebhook } from '../support/api/webhooks.js';
import { type ConsoleStack, consolePages, startConsoleStack } from '../support/browser/console-pages.js';
import { expectFit } from '../support/browser/looked-at.js';
import {
  confirmation,
  createCertificate,
  SNS_HOST,
  type SnsServer,
  SUBSCRIPTION,
  startSnsServer,
  TOPIC,
} from '../support/sns/sns-server.js';

let sns: SnsServer;
let own: ConsoleStack;
const openPage = consolePages(() => own);
beforeAll(async () => {
  sns = await startSnsServer();
  own = await startConsoleStack({ https: sns.https });
});
afterAll(async () => {
  await own.stack.stop();
  await sns.stop();
});

const store = async (payload: unknown): Promise<string> => {
  const { id } = await makeWebhook(own.client, { template: 'cloudwatch-sns' });
  return (await storePayloads(own.stack.database, id, [payload]))[0] as string;
};

test('an operator sees topic and host, and confirms the subscription with one click', async () => {
  const page = await openPage(`/events/${await store(sns.sign(confirmation))}`);
  const section = page.getByRole('region', { name: 'Amazon SNS subscription' });
  await section.getByText(TOPIC, { exact: true }).waitFor();
  await section.getByText(SNS_HOST, { exact: true }).waitFor();
  await expectFit(page);
  expect(sns.requests).toEqual([]);
  await section.getByRole('button', { name: 'Confirm subscription' }).click();
  await section.getByText(SUBSCRIPTION).waitFor();
  await expectFit(page);
  expect(sns.requests).toHaveLength(2);

  await page.reload();
  await section.getByText(/^Confirmed \d+ s ago with the key “/).waitFor();
  await section.getByText(SUBSCRIPTION).waitFor();
  expect(await section.getByRole('button', { name: 'Confirm subscription' }).count()).toBe(0);
});

test('a forged request shows why it is not confirmed', async () => {
  const forged = sns.sign(confirmation, (await createCertificate()).key);
  const page = await openPage(`/events/${await store(forged)}`, {
    expectedErrors: [/422.*confirm-subscription/],
  });
  await page.getByRole('button', { name: 'Confirm subscription' }).click();
  await page.getByRole('alert').getByText('The signature of the SNS message is invalid').waitFor();
  await expectFit(page);
});

test('a key that may only read cannot confirm', async () => {
  const key = await own.stack.key('alerts:read', 'webhooks:read');
  const page = await openPage(`/events/${await store(sns.sign(confirmation))}`, { key });
  await page.getByText('This key lacks the scope webhooks:write.').waitFor();
  expect(await page.getByRole('button', { name: 'Confirm subscription' }).isDisabled()).toBe(true);
});
