import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { Client } from '../support/api/client.js';
import { fillIdentities, insertIdentities } from '../support/api/identities.js';
import { sharedBrowser } from '../support/browser/browser.js';
import { expectFit } from '../support/browser/looked-at.js';
import { type Stack, startStack } from '../support/servers/stack.js';

const browser = sharedBrowser();
let stack: Stack;
let key: string;
beforeAll(async () => {
  stack = await startStack();
  key = await stack.key('developer_records:read', 'developer_records:write');
});
beforeEach(() => stack.database('identities').truncate());
afterAll(() => stack.stop());

async function open(path: string): Promise<Page> {
  const { page } = await browser.open({ url: stack.url, key, path });
  return page;
}

const people = () =>
  insertIdentities(stack.database, [
    { email: 'ada.lindqvist@example.com', integrationId: 8, identity: 'ada-l' },
    { email: 'jane.smith@example.com', integrationId: 8, identity: 'jsmith2' },
    { email: 'john.smith@example.com', integrationId: 8, identity: 'jsmith' },
    { email: 'john.smith@example.com', integrationId: 7, identity: 'john' },
    { email: null, integrationId: 7, identity: 'gone' },
  ]);

async function choose(page: Page, text: string): Promise<void> {
  const file = { name: 'accounts.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
  await page.getByLabel('CSV file').setInputFiles(file);
}

test('from the coverage of an account system to a worklist, its file, and the upload of the filled-in file', async () => {
  await people();
  const client = new Client(stack.url, key);
  const upload = await client.upload('email,integrationId,identity\nada.lindqvist@example.com,7,adal\n');
  const page = await open('/identities');
  await page.getByRole('link', { name: 'Coverage' }).click();
  const row = page.getByRole('region', { name: 'Coverage' }).getByRole('row').nth(1);
  await row.waitFor();
  const cells = await row.getByRole('cell').allInnerTexts();
  expect(cells.slice(0, 4)).toEqual(['7', '2', '2', '1']);
  expect(cells[4]).toMatch(/(ago|now)[\s\S]*test/);
  expect(await row.getByRole('link', { name: /ago|now/ }).getAttribute('href')).toBe(
    `/jobs/${upload.body.jobId}`,
  );
  await expectFit(page);

  await row.getByRole('link', { name: 'Make a worklist for account system 7' }).click();
  expect(await page.getByLabel('Account system', { exact: true }).inputValue()).toBe('7');
  const start = page.getByRole('button', { name: 'Make worklist' });
  expect(await start.isDisabled()).toBe(true);
  await choose(page, 'login,name\nJSmith,Jane Smith\nada-l,\nadal,\n=x<b>bold</b>,\n');
  await start.click();
  await page.getByText('3 accounts have no owner, and 2 of them have candidates.', { exact: true }).waitFor();
  const rows = page.getByRole('region', { name: 'First rows' }).getByRole('row');
  await rows.nth(3).waitFor();
  expect(await rows.nth(1).getByRole('cell').allInnerTexts()).toEqual([
    expect.stringMatching(/^JSmith\s+Jane Smith$/),
    'jane.smith@example.com',
    expect.stringMatching(/^\d\d$/),
    expect.stringMatching(/^display name: normalized name/),
    expect.stringMatching(/^john\.smith@example\.com \(\d\d\)$/),
  ]);
  expect((await rows.nth(3).getByRole('cell').allInnerTexts()).slice(0, 2)).toEqual([
    '=x<b>bold</b>',
    'none',
  ]);
  await expectFit(page);

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download file' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('worklist.csv');
  const [header, first] = readFileSync(await download.path(), 'utf8').split('\n');
  const filled = `${header}\njane.smith@example.com${first}\n`;
  expect((await client.upload(filled)).body.counts).toMatchObject({ created: 1 });

  await page.reload();
  await page.getByText('Worklist ready', { exact: true }).waitFor();
});

test('an invalid list shows all errors, and a corrected one works', async () => {
  await people();
  const page = await open('/identities/worklist');
  await page.getByLabel('Account system', { exact: true }).fill('x');
  await page.getByText('Enter a positive integer, or a name.').waitFor();
  await choose(page, 'identity,email\nada,not an address\n,\nx,\n,a@b.example\n');
  expect(await page.getByRole('button', { name: 'Make worklist' }).isDisabled()).toBe(true);
  await page.getByLabel('Account system', { exact: true }).fill('7');
  await page.getByRole('button', { name: 'Make worklist' }).click();
  const errors = page.getByRole('region', { name: 'Errors' }).getByRole('row');
  await errors.nth(2).waitFor();
  expect(await errors.nth(1).getByRole('cell').allInnerTexts()).toEqual(['2', 'email', expect.any(String)]);
  expect(await errors.nth(2).getByRole('cell').allInnerTexts()).toEqual([
    '5',
    'identity',
    expect.any(String),
  ]);
  await expectFit(page);
  await choose(page, 'identity\njohn\n');
  await page.getByRole('button', { name: 'Make worklist' }).click();
  await page.getByText('Every account of the list has an owner.', { exact: true }).waitFor();
});

test('coverage loads more account systems on request, and says what to do without any', async () => {
  const empty = await open('/identities/coverage');
  await empty.getByText('No accounts yet').waitFor();
  await expectFit(empty);
  await fillIdentities(stack.database, 3);
  await stack.database.raw(
    'INSERT INTO identities (integration_id, identity, email, asserted_by) SELECT seq, seq, CONCAT(seq, "@example.com"), 1 FROM seq_4_to_60',
  );
  const page = await open('/identities/coverage');
  const rows = page.getByRole('region', { name: 'Coverage' }).getByRole('row');
  await rows.nth(50).waitFor();
  await page.getByRole('button', { name: 'Show more' }).click();
  await rows.nth(60).waitFor();
  expect(await rows.count()).toBe(61);
  await page.setViewportSize({ width: 390, height: 844 });
  // Without a label: the name of the card, and its button.
  expect(await page.evaluate(FIRST_LABELS)).toEqual(['', 'Accounts', 'Owners', 'Removed', 'Last upload', '']);
});

/** Runs in the browser. Returns the visible label of each cell of the first card. */
const FIRST_LABELS = `[...document.querySelector('tbody tr').cells].map((cell) => {
  const { display, content } = getComputedStyle(cell, '::before');
  return display === 'none' ? '' : (/^"(.*?)"/.exec(content)?.[1] ?? '');
})`;
