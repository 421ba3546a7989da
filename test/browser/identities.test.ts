import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { Client } from '../support/api/client.js';
import { fillIdentities, insertIdentities } from '../support/api/identities.js';
import { storePayloads } from '../support/api/stored-events.js';
import { makeWebhook } from '../support/api/webhooks.js';
import { sharedBrowser } from '../support/browser/browser.js';
import { expectFit, expectFitOnBoth } from '../support/browser/looked-at.js';
import { type Stack, startStack } from '../support/servers/stack.js';

const HOSTILE = '<img src=x onerror=alert(1)>{{constructor}}';
const RECORDS = [
  { email: 'ada@example.com', integrationId: 7, identity: 'ada-1' },
  { email: 'bob@example.com', integrationId: 8, identity: HOSTILE },
  { email: 'cyn@example.com', integrationId: 7, identity: 'cyn-1' },
];

const browser = sharedBrowser();
let stack: Stack;
let key: string;
beforeAll(async () => {
  stack = await startStack();
  key = await stack.key('developer_records:read', 'developer_records:write');
});
beforeEach(async () => {
  await stack.database('identities').truncate();
});
afterAll(() => stack.stop());

async function openList(path = '/identities', size: 'desk' | 'phone' = 'desk'): Promise<Page> {
  const { page } = await browser.open({ url: stack.url, key, path, size });
  await page.getByRole('heading', { level: 1, name: 'Identities' }).waitFor();
  return page;
}

const rows = (page: Page) => page.getByRole('region', { name: 'Identities' }).locator('tbody tr');

/** The texts of one column. */
const column = (page: Page, number: number) =>
  rows(page).locator(`td:nth-child(${number})`).allTextContents();

test('an empty list says what to do first; adding, changing and removing an identity each show their outcome', async () => {
  const tab = await browser.open({ url: stack.url, key, path: '/identities' });
  tab.expectError(/400/);
  const { page } = tab;
  await page.getByText('No identities yet').waitFor();
  expect(await page.getByRole('link', { name: 'Upload CSV' }).count()).toBe(2);
  await expectFit(page);
  await page.getByRole('button', { name: 'Add identity' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Account system ID').fill('7.5');
  await dialog.getByLabel('Identity', { exact: true }).fill(HOSTILE);
  await dialog.getByLabel('Owner email').fill('nobody');
  await expectFit(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('must be an email address such as').waitFor();
  await dialog.locator('code').getByText('ada@example.com', { exact: true }).waitFor();
  await dialog.getByText(/must be an integer/).waitFor();
  await dialog.getByLabel('Account system ID').fill('7');
  await dialog.getByLabel('Owner email').fill('Ada@Example.com');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Added. The account belongs to ada@example.com.').waitFor();
  await rows(page).getByText(HOSTILE).waitFor();

  await page.getByRole('button', { name: 'Change owner of' }).click();
  await dialog.getByLabel('Owner email').fill('bob@example.com');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Changed. The account now belongs to bob@example.com.').waitFor();
  await rows(page).getByText('bob@example.com').waitFor();

  await page.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByText('bob@example.com').waitFor();
  await expectFit(page);
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Removed. The account no longer has an owner.').waitFor();
  await page.getByText('No identities yet').waitFor();
});

test('a superseded change says so', async () => {
  await insertIdentities(stack.database, RECORDS);
  await stack.database('identities').update({ asserted_by: 9_000_000_000_000_000 });
  const page = await openList();
  await page.getByRole('button', { name: 'Change owner of ada-1' }).click();
  await page.getByLabel('Owner email').fill('new@example.com');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/^Nothing was changed: a later upload/).waitFor();
  expect(await column(page, 1)).toContain('ada@example.com');
});

test('a click on a column header sorts the list and changes the address', async () => {
  await insertIdentities(stack.database, RECORDS);
  const page = await openList('/identities', 'phone');
  const head = page.getByRole('columnheader', { name: 'Email' });
  expect(await head.getAttribute('aria-sort')).toBe('none');
  await head.getByRole('button').click();
  await page.waitForURL(/sortKey=email&sortOrder=asc/);
  expect(await head.getAttribute('aria-sort')).toBe('ascending');
  await head.getByRole('button').press('Enter');
  await page.waitForURL(/sortOrder=desc/);
  await page.locator('[aria-busy=false]').waitFor();
  expect(await column(page, 1)).toEqual(['cyn@example.com', 'bob@example.com', 'ada@example.com']);
  await expectFit(page);
});

test('the list is searched by part of a value and by account system, and the address keeps both', async () => {
  await insertIdentities(stack.database, RECORDS);
  const page = await openList();
  await page.getByLabel('Search', { exact: true }).fill('YN@');
  await page.getByText('1 identity', { exact: true }).waitFor();
  expect(await column(page, 3)).toEqual(['cyn-1']);
  await page.getByRole('combobox', { name: 'Search by' }).selectOption('Identity');
  await page.getByText('No identities match').waitFor();
  const steps = await page.evaluate('history.length');
  await page.getByRole('button', { name: 'Clear filters' }).last().click();
  await page.getByText('3 identities', { exact: true }).waitFor();
  expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe('');
  expect(await page.evaluate('history.length')).toBe(steps);
  const bar = page.getByRole('search', { name: 'Filters' });
  await bar.getByRole('button', { name: 'Account system', exact: true }).click();
  await page.getByText('Values are not counted here.').waitFor();
  await page.getByRole('combobox', { name: 'Find Account system' }).fill('7.5');
  await page.getByText('Not a valid value').waitFor();
  await page.getByRole('combobox', { name: 'Find Account system' }).fill('8');
  await page.getByRole('option', { name: '8', exact: true }).click();
  await page.keyboard.press('Escape');
  await page.getByText('1 identity', { exact: true }).waitFor();
  await page.reload();
  await page.getByText('1 identity', { exact: true }).waitFor();
  expect(await column(page, 3)).toEqual([HOSTILE]);
});

test('the list is filtered by several owners and by when they changed, and the filters are saved as a view', async () => {
  await insertIdentities(stack.database, RECORDS);
  await stack
    .database('identities')
    .where({ identity: 'cyn-1' })
    .update({ updated_at: new Date('2026-01-01') });
  const page = await openList('/identities?emails=ada@example.com&page=1');
  await page.getByText('1 identity', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Owner: ada@example.com' }).click();
  await page.getByRole('combobox', { name: 'Find Owner' }).fill('cyn@example.com');
  await page.getByRole('option', { name: /^Use/ }).click();
  await page.getByText('2 identities', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Changed', exact: true }).click();
  await page.getByLabel('From', { exact: true }).waitFor();
  expect(await page.getByLabel('To', { exact: true }).count()).toBe(0);
  await page.getByRole('button', { name: 'Last 24 hours' }).click();
  await page.getByText('1 identity', { exact: true }).waitFor();
  expect(await column(page, 3)).toEqual(['ada-1']);
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByLabel('Name of this view').fill('New of both');
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByRole('link', { name: 'New of both' }).waitFor();
  await page.keyboard.press('Escape');
  await page.goBack();
  await page.getByText('2 identities', { exact: true }).waitFor();
  await page.goto(`${stack.url}/identities`);
  await page.getByText('3 identities', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('link', { name: 'New of both' }).click();
  await page.getByText('1 identity', { exact: true }).waitFor();
  expect(new URL(page.url()).search).toBe('?emails=ada%40example.com&emails=cyn%40example.com&last=24h');
  await expectFitOnBoth(page, async (size) => {
    if (size === 'phone') await page.getByRole('button', { name: 'Filters (2)' }).click();
    await page.getByRole('button', { name: 'Changed: Last 24 hours' }).waitFor();
  });
});

test('pages go forward and back by number, and beyond row 100,000 by cursor', async () => {
  await fillIdentities(stack.database, 100_250);
  const page = await openList('/identities?pageSize=200&page=500&sortKey=email&last=7d');
  const next = page.getByRole('button', { name: 'Next' });
  const at = async (number: string) => {
    await page.getByText(`Page ${number} of 502`, { exact: true }).waitFor();
    await page.locator('[aria-busy=false]').waitFor();
  };
  await at('500');
  const before = await column(page, 3);
  await next.click();
  await at('501');
  // The cursor is valid for one start of the range, which must not move any more.
  await page.waitForURL(/cursor=/);
  expect(page.url()).toMatch(/from=2/);
  expect(page.url()).not.toContain('last=');
  const first = await column(page, 3);
  expect(new Set([...before, ...first]).size).toBe(400);
  await next.click();
  await at('502');
  expect(await rows(page).count()).toBe(50);
  expect(await next.isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Previous' }).click();
  await at('501');
  await page.reload();
  await at('501');
  await page.getByRole('button', { name: 'Previous' }).click();
  await at('500');
  expect(await column(page, 3)).toEqual(before);
});

test('a search that takes too long shows the error of the API', async () => {
  await insertIdentities(stack.database, RECORDS);
  const tab = await browser.open({ url: stack.url, key, path: '/identities' });
  tab.expectError(/503/);
  await rows(tab.page).first().waitFor();
  await stack.database.transaction(async (holder) => {
    await holder.raw('LOCK TABLES identities WRITE');
    await tab.page.getByLabel('Search', { exact: true }).fill('a');
    await tab.page.getByText(/^The search took too long and was canceled/).waitFor();
    await holder.raw('UNLOCK TABLES');
  });
  await expectFit(tab.page);
  await tab.page.getByRole('button', { name: 'Try again' }).click();
  await rows(tab.page).first().waitFor();
});

test('the listed identities are exported, compressed and escaped, while the list stays usable', async () => {
  await insertIdentities(stack.database, [
    ...RECORDS,
    { email: '=x@example.com', integrationId: 7, identity: '=1+1' },
  ]);
  const page = await openList('/identities?integrationIds=7');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByText('3 identities that match the filters').waitFor();
  await page.getByLabel('Compressed CSV').check();
  await page.getByLabel('Escape formulas for spreadsheets').check();
  await expectFit(page);
  await page.getByRole('button', { name: 'Start export' }).click();
  await page.getByLabel('Search', { exact: true }).fill('ada');
  await page.getByText('1 identity', { exact: true }).waitFor();
  await page.getByRole('region', { name: 'Export' }).getByText('It contains 3 rows.').waitFor();
  const announcer = page.getByTestId('announcer');
  await announcer.getByText('Export: File ready.').waitFor({ state: 'attached' });
  await page.reload();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download file' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('developer-identities.csv.gz');
  // A file that was ready before the reload is not news.
  expect(await announcer.innerText()).not.toContain('File ready');
  expect(
    gunzipSync(readFileSync(await download.path()))
      .toString()
      .split('\n')
      .sort(),
  ).toEqual([
    '',
    `'=x@example.com,7,'=1+1`,
    'ada@example.com,7,ada-1',
    'cyn@example.com,7,cyn-1',
    'emailEscaped,integrationId,identityEscaped',
  ]);
  await page.getByRole('button', { name: 'Hide export' }).click();
  await page
    .getByRole('region', { name: 'Export' })
    .getByText('It contains 3 rows.')
    .waitFor({ state: 'detached' });
});

test('an account without recorded changes says how long changes are kept, or that none are recorded', async () => {
  await insertIdentities(stack.database, RECORDS);
  const page = await openList();
  await page.getByRole('link', { name: HOSTILE }).click();
  await page.getByRole('heading', { level: 1, name: HOSTILE }).waitFor();
  await page.getByText('Changes are kept for 400 days.').waitFor();
  await expectFit(page);
  const silent = await startStack({ worker: false, env: { IDENTITY_HISTORY_DAYS: '0' } });
  try {
    const path = '/identities/history?integrationId=7&identity=a';
    const tab = await browser.open({ url: silent.url, key: await silent.key(), path });
    await tab.page.getByText('The history is turned off').waitFor();
  } finally {
    await silent.stop();
  }
});

test("a person's page has the accounts, their history and the alerts of the last 30 days, and an alert leads to it", async () => {
  const all = await stack.key();
  const client = new Client(stack.url, all);
  await client.json('PATCH', '/v2/developers/identities', RECORDS.slice(0, 1));
  const { id } = await makeWebhook(client, { template: null });
  const [severity, source, text] = ['error', 'test', '{{webhook.text}}'].map((template) => ({ template }));
  const fields = { severity, source, title: text, description: text };
  const owner = { template: '{{webhook.email}}' };
  await client.json('PUT', `/v2/webhooks/${id}/mapping`, { fields: { ...fields, ownerEmail: owner } });
  await storePayloads(stack.database, id, [
    { text: 'The disk is full', email: 'ada@example.com' },
    { text: 'Not hers', email: 'bob@example.com' },
  ]);
  const { page } = await browser.open({ url: stack.url, key: all, path: '/identities' });
  await page.getByRole('link', { name: 'ada@example.com' }).click();
  await page.getByRole('heading', { level: 1, name: 'ada@example.com' }).waitFor();
  const section = (name: string) => page.getByRole('region', { name, exact: true }).first();
  await section('Accounts').getByRole('link', { name: 'ada-1' }).waitFor();
  await section('History of the accounts').getByText('created').waitFor();
  await section('Alerts').getByText('The disk is full').first().waitFor();
  expect(await page.getByText('Not hers').count()).toBe(0);
  await expectFitOnBoth(page);
  await section('Alerts').getByRole('link', { name: 'The disk is full' }).click();
  await page
    .getByRole('region', { name: 'Alert', exact: true })
    .getByRole('link', { name: 'ada@example.com' })
    .click();
  await section('Accounts').getByRole('link', { name: 'ada-1' }).waitFor();
});

test('a read-only key is offered no changes', async () => {
  await insertIdentities(stack.database, RECORDS);
  const reader = await stack.key('developer_records:read');
  const { page } = await browser.open({ url: stack.url, key: reader, path: '/identities' });
  await rows(page).first().waitFor();
  for (const name of ['Add identity', 'Remove', 'Change owner']) {
    expect(await page.getByRole('button', { name }).count()).toBe(0);
  }
  expect(await page.getByRole('link', { name: 'Upload CSV' }).count()).toBe(0);
});
