import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { makeWebhook, type TestWebhook } from '../support/api/webhooks.js';
import {
  type ConsoleStack,
  consolePages,
  startConsoleStack,
  storeEvent,
} from '../support/browser/console-pages.js';
import { expectFit } from '../support/browser/looked-at.js';

const KEYED = {
  fields: {
    title: { template: '{{webhook.name}}' },
    severity: { template: '{{webhook.severity}}', default: 'warning' },
    description: { template: '{{webhook.text}}', default: 'No text was sent' },
    source: { template: 'Tests' },
    team: { template: '{{webhook.team}}' },
    status: { template: '{{webhook.status}}' },
    dedupKey: { template: '{{webhook.key}}' },
  },
};

let own: ConsoleStack;
let webhook: TestWebhook;
const openPage = consolePages(() => own);
beforeAll(async () => {
  own = await startConsoleStack();
  webhook = await makeWebhook(own.client, { name: 'Disks', template: null });
  await own.client.json('PUT', `/v2/webhooks/${webhook.id}/mapping`, KEYED);
});
afterAll(() => own.stack.stop());

const fire = (key: string, more: object = {}) =>
  storeEvent(own, webhook.path, { key, status: 'down', name: `Disk ${key} is full`, ...more });
const firing = async (): Promise<{ id: string; title: string }[]> =>
  (await own.client.get(`/v2/alerts?webhookId=${webhook.id}&status=firing`)).body.data;
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const dialog = (page: Page) => page.getByRole('dialog');

test('an alert is resolved by its shortcut, with a reason that its page shows, and that can be taken back', async () => {
  await fire('one', { severity: 'critical' });
  await fire('one', { severity: 'info' });
  const [alert] = await firing();
  const page = await openPage(`/alerts/${alert?.id}`);
  await page.getByText('Peak severity').waitFor();
  await page.keyboard.press('r');
  await dialog(page).getByLabel('Reason').fill('The host is gone.');
  await expectFit(page);
  await dialog(page).getByRole('button', { name: 'Resolve' }).click();
  await page.getByText('1 alert is resolved').first().waitFor();
  await row(page, 'The host is gone.').getByText('resolved', { exact: true }).waitFor();
  await page.getByText('A person', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Resolve', exact: true }).count()).toBe(0);
  expect(await firing()).toEqual([]);
  await expectFit(page);

  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Resolve', exact: true }).waitFor();
  expect(await row(page, 'The host is gone.').count()).toBe(0);
  expect(await firing()).toHaveLength(1);
});

test('the firing alerts that match the filters are counted, resolved and listed in a file', async () => {
  for (const key of ['a', 'b', 'c']) await fire(key, { team: key === 'c' ? 'web' : 'db' });
  const page = await openPage('/alerts?status=firing&team=db');
  await row(page, 'Disk a is full').waitFor();
  await page.getByRole('button', { name: 'Resolve all…' }).click();
  await dialog(page).getByText('2 firing alerts match the filters of the list.').waitFor();
  await dialog(page).getByRole('button', { name: 'Resolve 2 alerts' }).click();
  await page.getByText('2 alerts are resolved').first().waitFor();
  await page.getByText('No matching alerts').waitFor();
  expect((await firing()).map(({ title }) => title).sort()).toEqual(['Disk c is full', 'Disk one is full']);
  await page.getByRole('link', { name: 'View job' }).click();
  await page.getByRole('heading', { name: 'Resolved alerts' }).waitFor();
  await page
    .getByRole('link', { name: /Download/ })
    .or(page.getByRole('button', { name: /Download/ }))
    .first()
    .waitFor();
  await expectFit(page);
});

test('an integration lets its alerts expire', async () => {
  const page = await openPage(`/integrations/${webhook.id}/settings`);
  await page.getByLabel('Resolve an alert without events').click({ timeout: 5000 });
  await page.getByLabel('Minutes without an event').fill('15');
  const section = page.locator('section, form').filter({ hasText: 'Resolve an alert without events' }).last();
  await section.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved the expiry').first().waitFor();
  const { body } = await own.client.get(`/v2/webhooks/${webhook.id}`);
  expect(body.data.resolveAfterSeconds).toBe(900);
  await expectFit(page);
});

test('the expiry of a source that repeats what fires is proposed, not set', async () => {
  const { id } = await makeWebhook(own.client, { template: 'alertmanager' });
  const page = await openPage(`/integrations/${id}/settings`);
  await page.getByLabel('Resolve an alert without events').click();
  await page.getByText('By default, this one does every 4 h').waitFor();
  expect(await page.getByLabel('Minutes without an event').inputValue()).toBe('720');
  expect((await own.client.get(`/v2/webhooks/${id}`)).body.data.resolveAfterSeconds).toBeNull();
});
