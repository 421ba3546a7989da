import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { sharedBrowser } from '../support/browser/browser.js';
import { expectFit, expectFitOnBoth } from '../support/browser/looked-at.js';
import { type Stack, startStack } from '../support/servers/stack.js';

const browser = sharedBrowser();
let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

/** Chooses a file on the page of an upload, and writes it after a dry run. Returns what the dry run counted. */
async function upload(page: Page, content: string): Promise<string> {
  const buffer = Buffer.from(content);
  await page.getByLabel('CSV file').setInputFiles({ name: 'services.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: 'Start dry run' }).click();
  const counts = await page.getByLabel('Dry run results').innerText();
  await page.getByRole('button', { name: /^Upload \d+ rows?$/ }).click();
  await page.getByRole('link', { name: 'View table' }).click();
  return counts.replace(/\s+/g, ' ');
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
  expect(await rows.allInnerTexts()).toEqual(['Shop\tweb\t1']);
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
  expect(await misses.allInnerTexts()).toEqual([expect.stringMatching(/^blog\t3\t/)]);
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
