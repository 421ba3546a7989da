import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { makeWebhook, sendEvent, type TestWebhook } from '../support/api/webhooks.js';
import { type ConsoleStack, consolePages, startConsoleStack } from '../support/browser/console-pages.js';
import { expectFit } from '../support/browser/looked-at.js';

let own: ConsoleStack;
const openPage = consolePages(() => own);
beforeAll(async () => {
  own = await startConsoleStack();
});
afterAll(() => own.stack.stop());

const section = (page: Page) => page.getByRole('region', { name: 'Handshake', exact: true });

async function save(page: Page, choice: string): Promise<void> {
  await section(page).getByLabel('Challenge').selectOption(choice);
  await section(page).getByRole('button', { name: 'Save' }).click();
}

const challengeOf = async ({ id }: TestWebhook) =>
  (await own.client.get(`/v2/webhooks/${id}`)).body.data.challenge;

test('a handshake can be chosen, works, and can be switched off', async () => {
  const webhook = await makeWebhook(own.client);
  const challenge = { type: 'url_verification', challenge: 'abc123' };
  const page = await openPage(`/integrations/${webhook.id}/settings`);
  await section(page).getByText('stored like any other event').waitFor();
  expect(await section(page).getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await save(page, 'Slack');
  await section(page).getByText('Saved').waitFor();
  await section(page).getByText('An event of the type url_verification').waitFor();
  const response = await sendEvent(own.stack.url, webhook.path, challenge);
  expect([response.status, await response.text()]).toEqual([200, 'abc123']);
  await expectFit(page);

  await save(page, 'None');
  await section(page).getByText('Saved').waitFor();
  expect((await sendEvent(own.stack.url, webhook.path, challenge)).status).toBe(202);
});

test('a handshake that somebody else has chosen meanwhile is not overwritten', async () => {
  const webhook = await makeWebhook(own.client);
  const page = await openPage(`/integrations/${webhook.id}/settings`, { expectedErrors: [/412/] });
  await section(page).waitFor();
  await own.client.json('PATCH', `/v2/webhooks/${webhook.id}`, { challenge: 'okta' });
  await save(page, 'Slack');
  await section(page).getByRole('alert').getByText('Okta').waitFor();
  expect(await challengeOf(webhook)).toBe('okta');
  await section(page).getByRole('button', { name: 'Keep mine' }).click();
  await section(page).getByText('Saved').waitFor();
  expect(await challengeOf(webhook)).toBe('slack');
});

test('a key that may only read sees the handshake on a phone', async () => {
  const webhook = await makeWebhook(own.client, { challenge: 'event-grid' });
  const key = await own.stack.key('webhooks:read');
  const page = await openPage(`/integrations/${webhook.id}/settings`, { key, size: 'phone' });
  await section(page).getByText('Azure Event Grid', { exact: true }).waitFor();
  expect(await section(page).getByLabel('Challenge').count()).toBe(0);
  await expectFit(page);
});
