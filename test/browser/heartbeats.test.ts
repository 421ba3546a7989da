import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { makeWebhook, receiptOf, type TestWebhook } from '../support/api/webhooks.js';
import { visit } from '../support/browser/browser.js';
import { type ConsoleStack, consolePages, startConsoleStack } from '../support/browser/console-pages.js';
import { expectFit } from '../support/browser/looked-at.js';

let own: ConsoleStack;
let webhook: TestWebhook;
const openPage = consolePages(() => own);
beforeAll(async () => {
  own = await startConsoleStack();
  webhook = await makeWebhook(own.client, { name: 'Nightly jobs', template: null });
});
afterAll(() => own.stack.stop());

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const dialog = (page: Page) => page.getByRole('dialog');

async function ping(path: string, body = ''): Promise<void> {
  const sent = await own.client.send('POST', `${webhook.path}/heartbeat/${path}`, { body });
  await receiptOf(own.client, sent.body.eventId);
}

test('a heartbeat is created, reports, fails with an alert, and is deleted', async () => {
  const page = await openPage(`/integrations/${webhook.id}/heartbeats`, {
    expectedErrors: [/status of 400/],
  });
  await page.getByRole('heading', { name: 'No heartbeats yet' }).waitFor();
  await expectFit(page);
  await page.getByRole('button', { name: 'New heartbeat' }).click();
  await dialog(page).getByLabel('Name').fill('orders backup');
  await dialog(page).getByText('Use letters, digits').waitFor();
  await dialog(page).getByLabel('Name').fill('orders-backup');
  await dialog(page).getByText('At the times of cron').click();
  await dialog(page).getByLabel('Cron expression').fill('61 3 * * *');
  await dialog(page).getByRole('switch', { name: 'Limit how long a run may take' }).click();
  await dialog(page).getByRole('button', { name: 'Create heartbeat' }).click();
  await dialog(page).getByText(/61/).first().waitFor();
  await dialog(page).getByLabel('Cron expression').fill('0 3 * * *');
  await expectFit(page);
  await dialog(page).getByRole('button', { name: 'Create heartbeat' }).click();
  await row(page, 'orders-backup').getByText('new', { exact: true }).waitFor();
  await page.getByText(`${webhook.path}/heartbeat/orders-backup/start`).waitFor();

  await ping('orders-backup/0');
  await ping('orders-backup/28', 'No space left on device');
  await row(page, 'orders-backup').getByText('Exit status 28').waitFor();
  await expectFit(page);
  await page.getByRole('link', { name: 'orders-backup' }).click();
  await page.getByRole('link', { name: 'Heartbeat orders-backup failed with exit status 28' }).click();
  await page.getByText('No space left on device').first().waitFor();
  await expectFit(page);

  await visit(page, `/integrations/${webhook.id}/heartbeats`);
  await page.getByRole('button', { name: 'Edit orders-backup' }).click();
  await dialog(page).getByText('At intervals').click();
  await dialog(page).getByLabel('Minutes between two pings').fill('60');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await row(page, 'orders-backup').getByText('Every 1 h').waitFor();
  await page.getByRole('button', { name: 'Delete orders-backup' }).click();
  await dialog(page).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'No heartbeats yet' }).waitFor();
});

test('a heartbeat that a ping of another product created gets its schedule', async () => {
  await fetch(`${own.stack.url}${webhook.path}/v2/heartbeats/nightly/ping`);
  const page = await openPage(`/integrations/${webhook.id}/heartbeats`);
  await row(page, 'nightly').getByText('No schedule: edit it, or its silence goes unnoticed').waitFor();
  await row(page, 'nightly').getByText('Not expected').waitFor();
  await expectFit(page);
  await page.getByRole('button', { name: 'Edit nightly' }).click();
  await dialog(page).getByLabel('Minutes between two pings').fill('60');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await row(page, 'nightly').getByText('Every 1 h').waitFor();
});

test('a rule of silence is set with the hours in which it holds, and says what it would have raised', async () => {
  const minutes = Array.from({ length: 30 }, (_, index) => index * 10);
  await own.stack.database('listening_periods').insert({
    began_at: new Date(Date.now() - 86_400_000),
    last_seen_at: new Date(),
  });
  await own.stack.database('events').insert(
    minutes.map((before, index) => ({
      received_at: new Date(Date.now() - before * 60_000),
      id: Buffer.from(`019a2b5c4f1e70008000${String(index).padStart(9, '0')}000`, 'hex'),
      webhook_id: Buffer.from(webhook.id.replaceAll('-', ''), 'hex'),
      state: 'normalized' as const,
      revision: 1,
      alert_count: 0,
      raw: Buffer.from('{}'),
    })),
  );
  const page = await openPage(`/integrations/${webhook.id}/settings`);
  const form = page.locator('section', { has: page.getByRole('heading', { name: 'Silence' }) });
  await form.getByRole('switch', { name: 'Raise an alert without events' }).click();
  await form.getByText(/^30 events in .*Proposed: 15 minutes\./).waitFor();
  await form.getByLabel('Minutes without an event').fill('15');
  await form.getByText('This limit would have raised no alert.').waitFor();
  await form.getByRole('switch', { name: 'Only in some hours' }).click();
  await form.getByLabel('Saturday').click();
  await expectFit(page);
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Saved').waitFor();
  const { data } = (await own.client.get(`/v2/webhooks/${webhook.id}`)).body;
  expect(data.silence).toMatchObject({
    afterSeconds: 900,
    schedule: { days: [1, 2, 3, 4, 5, 6], from: '08:00' },
  });
});
