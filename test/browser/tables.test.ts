import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { Client } from '../support/api/client.js';
import { makeWebhook, receiptOf, sendEvent } from '../support/api/webhooks.js';
import { sharedBrowser } from '../support/browser/browser.js';
import { expectFit, expectFitOnBoth } from '../support/browser/looked-at.js';
import { type Stack, startStack } from '../support/servers/stack.js';

const browser = sharedBrowser();
let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

/** Returns the texts of rows, with one space between the cells. */
const textsOf = async (rows: Locator): Promise<string[]> =>
  (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());

/** Chooses a file on the page of an upload, and writes it after a dry run. Returns what the dry run counted. */
async function write(page: Page, content: string): Promise<string> {
  const buffer = Buffer.from(content);
  await page.getByLabel('CSV file').setInputFiles({ name: 'services.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: 'Start dry run' }).click();
  const counts = await page.getByLabel('Dry run results').innerText();
  await page.getByRole('button', { name: /^Upload \d+ rows?$/ }).click();
  await page.getByRole('link', { name: 'View table' }).waitFor();
  return counts.replace(/\s+/g, ' ');
}

/** Uploads a file in the same way, and goes to the page of the table. */
async function upload(page: Page, content: string): Promise<string> {
  const counts = await write(page, content);
  await page.getByRole('link', { name: 'View table' }).click();
  return counts;
}

test('a table is created from a file, searched by its key, replaced after a dry run, taken back and deleted', async () => {
  const key = await stack.key('tables:read', 'tables:write');
  const tab = await browser.open({ url: stack.url, key, path: '/tables' });
  tab.expectError(/404/);
  const { page } = tab;
  await page.getByText('No tables yet').waitFor();
  await page.getByRole('button', { name: 'New table' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Services');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByText('Must be 1 to 64 of').waitFor();
  await dialog.getByLabel('Name').fill('services');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { level: 1, name: 'New table services' }).waitFor();
  await page.getByRole('combobox', { name: 'Keys match' }).click();
  await page.getByRole('option', { name: 'Without case' }).click();
  await expectFit(page);
  expect(await upload(page, 'service,team,tier\nShop,web,1\nmail,infra,2\n')).toContain('added 2');
  await page.getByRole('heading', { level: 1, name: 'services' }).waitFor();
  await page.getByLabel('service', { exact: true }).fill('SHOP');
  await page.getByRole('button', { name: 'Find row' }).click();
  const rows = page.getByRole('region', { name: 'Rows of services' }).locator('tbody tr');
  await page.getByRole('button', { name: 'Show all rows' }).waitFor();
  expect(await textsOf(rows)).toEqual(['Shop web 1']);
  await page.getByRole('button', { name: 'Show all rows' }).click();
  await rows.nth(1).waitFor();

  await page.getByRole('link', { name: 'Upload CSV' }).click();
  await page.getByRole('heading', { level: 1, name: 'Upload services' }).waitFor();
  const at = new Date();
  const miss = { table_name: 'services', missed_key: 'blog', misses: 3, first_at: at, last_at: at };
  const ids = { key_hash: Buffer.alloc(16, 1), event_id: Buffer.alloc(16, 2) };
  await stack.database('lookup_misses').insert({ ...miss, ...ids });
  const counts = await upload(page, 'service,team,tier\nshop,checkout,1\n');
  for (const count of ['changed 1', 'removed 1']) expect(counts).toContain(count);
  const revisions = page.getByRole('region', { name: 'Revisions of services' }).locator('tbody tr');
  await revisions.nth(1).waitFor();
  await rows.getByText('checkout').waitFor();
  const misses = page.getByRole('region', { name: 'Misses of services' }).locator('tbody tr');
  await misses.getByText('blog').waitFor();
  expect(await textsOf(misses)).toEqual([expect.stringMatching(/^blog 3 /)]);
  await expectFitOnBoth(page);
  await page.getByRole('button', { name: 'Revert to revision 1' }).click();
  await dialog.getByRole('button', { name: 'Revert' }).click();
  await revisions.nth(1).getByText('active').waitFor();
  await rows.getByText('infra').waitFor();
  await page.getByRole('button', { name: 'Delete table' }).click();
  await dialog.getByRole('textbox').fill('services');
  await dialog.getByRole('button', { name: 'Delete table' }).click();
  await page.getByText('No tables yet').waitFor();
});

test('an upload leads to the integrations that read the table, whose alerts are remapped after a dry run', async () => {
  const client = new Client(stack.url, await stack.key());
  await client.json('PUT', '/v2/tables/owners', [
    { service: 'shop', team: 'web' },
    { service: 'mail', team: 'infra' },
  ]);
  const webhook = await makeWebhook(client, { name: 'Shop alarms', template: null });
  await client.json('PUT', `/v2/webhooks/${webhook.id}/mapping`, {
    lookups: { owner: { table: 'owners', key: '{{webhook.service}}' } },
    fields: { title: { template: '{{webhook.service}}' }, team: { template: '{{lookup.owner.team}}' } },
  });
  const alerts: string[] = [];
  for (const service of ['shop', 'mail']) {
    const { eventId } = (await (await sendEvent(stack.url, webhook.path, { service })).json()) as {
      eventId: string;
    };
    alerts.push((await receiptOf(client, eventId)).alertIds[0]);
  }
  const teams = () =>
    Promise.all(alerts.map(async (id) => (await client.get(`/v2/alerts/${id}`)).body.data.team));
  const key = await stack.key(
    'tables:read',
    'tables:write',
    'webhooks:read',
    'webhooks:write',
    'alerts:read',
  );
  const { page } = await browser.open({ url: stack.url, key, path: '/tables/owners/upload' });
  await write(page, 'service,team\nshop,checkout\nmail,infra\n');
  await page.getByText('1 integration reads the table owners.').waitFor();
  await page.getByRole('link', { name: 'View upload job' }).click();
  await page.getByRole('heading', { level: 1, name: 'Table upload' }).waitFor();
  await page.getByRole('link', { name: 'owners', exact: true }).waitFor();
  await page.getByRole('link', { name: 'check which would change' }).click();
  const readers = page.getByRole('region', { name: 'Integrations', exact: true });
  await readers.getByRole('link', { name: 'Shop alarms' }).waitFor();
  expect(await page.locator(':focus').getAttribute('id')).toBe('integrations');
  await readers.getByRole('button', { name: 'Start dry run of the remap of Shop alarms' }).focus();
  await page.keyboard.press('Enter');
  await readers
    .getByText(
      /^1 alert would change because .* In all, 2 events: 1 alert would change, 1 alert would not change\. Nothing/,
    )
    .waitFor();
  await expectFitOnBoth(page);
  expect(await teams()).toEqual(['web', 'infra']);
  for (const next of ['View dry run', 'Cancel', 'Remap 2 events']) {
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').innerText()).toBe(next);
  }
  await page.keyboard.press('Enter');
  await readers.getByText(/^1 alert changed because/).waitFor();
  expect(await teams()).toEqual(['checkout', 'infra']);
  await readers.getByRole('link', { name: 'View job' }).click();
  await page.getByRole('heading', { level: 1, name: 'Alert remap' }).waitFor();

  const reader = await browser.open({
    url: stack.url,
    key: await stack.key('tables:read', 'webhooks:read'),
    path: '/tables/owners',
  });
  const shown = reader.page.getByRole('region', { name: 'Integrations', exact: true });
  await shown.getByText('This key lacks the scope webhooks:write').waitFor();
  expect(await shown.getByRole('button').count()).toBe(0);
});
