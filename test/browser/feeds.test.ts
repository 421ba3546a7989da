import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../support/api/client.js';
import { sharedBrowser } from '../support/browser/browser.js';
import { expectFitOnBoth } from '../support/browser/looked-at.js';
import { type Stack, startStack } from '../support/servers/stack.js';

const browser = sharedBrowser();
let stack: Stack;
let folder: string;
let key: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'muster-feeds-'));
  stack = await startStack({ env: { FEED_DIRECTORY: folder } });
  key = await stack.key('developer_records:read', 'developer_records:write');
});
afterAll(async () => {
  await stack.stop();
  rmSync(folder, { recursive: true, force: true });
});

const write = (...logins: string[]) =>
  writeFileSync(
    join(folder, 'people.csv'),
    `Login,Work email\n${logins.map((login) => `${login},${login}@example.com\n`).join('')}`,
  );

test('somebody draws a feed, a guard holds it, other guards are tried, and its plan is reviewed', async () => {
  write('Ada', 'Bob', 'Eve');
  const tab = await browser.open({ url: stack.url, key, path: '/identities' });
  tab.expectError(/400/);
  const { page } = tab;
  await page.getByRole('link', { name: 'Feeds' }).click();
  await page.getByText('No feeds yet').waitFor();
  await page.getByRole('button', { name: 'New feed' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('HR');
  await dialog.getByRole('combobox', { name: 'Source' }).click();
  await page.getByRole('option', { name: 'Directory of the workers' }).click();
  await dialog.getByLabel('Path', { exact: true }).fill('people.csv');
  await dialog.getByLabel('Account system of all rows').fill('7');
  await dialog.getByLabel(/The file is complete/).check();
  await dialog.getByLabel('Email', { exact: true }).fill('Work email');
  await dialog.getByLabel('Identity', { exact: true }).fill('=row.Login.lower()');
  await dialog.getByRole('button', { name: 'Create feed' }).click();
  await dialog
    .getByText(/"lower"|lowerAscii/)
    .first()
    .waitFor();
  await dialog.getByLabel('Identity', { exact: true }).fill('=row.Login.lowerAscii()');
  await dialog.getByRole('button', { name: 'Create feed' }).click();
  await page.getByRole('heading', { name: 'HR', level: 1 }).waitFor();
  await page.getByText('It has not run yet.').waitFor();

  await page.getByRole('button', { name: 'Run now' }).click();
  const runs = page.getByRole('region', { name: 'Runs' });
  await runs.getByText('applied', { exact: true }).first().waitFor();
  await page.getByRole('region', { name: 'First rows' }).getByText('eve', { exact: true }).waitFor();
  write('Ada');
  await page.getByRole('button', { name: 'Run now' }).click();
  await page.getByText('held by its guards').waitFor();
  await runs.getByText(/it would remove 2 of 3 accounts, 66.7%/).waitFor();
  await expectFitOnBoth(page);

  const guards = page.getByRole('region', { name: 'Guards' });
  await guards.getByRole('button', { name: 'Try over the last runs' }).click();
  await guards.getByText('1 of 2 runs would have been held.').waitFor();
  await guards.getByLabel('Rows may change by (%)').fill('90');
  await guards.getByLabel('Removals of all accounts (%)').fill('70');
  await guards.getByRole('button', { name: 'Try over the last runs' }).click();
  await guards.getByText('0 of 2 runs would have been held.').waitFor();

  await runs.getByRole('link', { name: 'Review and apply' }).click();
  await page.getByRole('heading', { name: 'Identity import (dry run)' }).waitFor();
  await page.getByRole('region', { name: 'Apply' }).waitFor();
  const client = new Client(stack.url, key);
  expect((await client.get('/v2/developers/identities')).body.data).toHaveLength(3);
});
