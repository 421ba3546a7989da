import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { Client } from '../support/api/client.js';
import { sharedBrowser } from '../support/browser/browser.js';
import { expectFit } from '../support/browser/looked-at.js';
import { type Stack, startStack } from '../support/servers/stack.js';

/** The property that is read in the browser. */
declare const localStorage: Record<string, string>;

const HEADER = 'email,integrationId,identity\n';

const browser = sharedBrowser();
let stack: Stack;
let key: string;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  key = await stack.key('developer_records:read', 'developer_records:write');
  client = new Client(stack.url, key);
});
beforeEach(() => stack.database('identities').truncate());
afterAll(() => stack.stop());

const choose = (page: Page, name: string, text: string) =>
  page.getByLabel('CSV file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

/** Returns the identity and the owner of each account. */
async function stored(): Promise<string[]> {
  const { body } = await client.get('/v2/developers/identities');
  return body.data.map(({ identity, email }: Record<string, string>) => `${identity} of ${email}`);
}

test('columns with other names are matched by keyboard, and remembered for the next file without any of its data', async () => {
  const { page } = await browser.open({ url: stack.url, key, path: '/identities/upload', size: 'phone' });
  await choose(
    page,
    'people.csv',
    'Work mail;Login;Team\nAda@Example.com;ada;core\nbob@example.com;bob;ops\n',
  );
  const form = page.getByRole('form', { name: 'Columns' });
  await form.waitFor();
  await page.getByText('which column contains email and integrationId').waitFor();
  await page.getByText('Choose the columns of the file first.').waitFor();
  const email = form.getByRole('combobox', { name: 'email' });
  const [identity, integrationId] = ['identity', 'integrationId'].map((name) =>
    form.getByRole('combobox', { name, exact: true }),
  );
  expect([await email.inputValue(), await identity?.inputValue()]).toEqual(['Work mail', 'Login']);
  await form.getByText('For example ada, bob').waitFor();
  await form.getByRole('button', { name: 'Use these columns' }).press('Enter');
  await form.getByText('Choose a column.').waitFor();
  await expectFit(page);
  expect(await integrationId?.evaluate((input) => input.matches(':focus'))).toBe(true);
  await page.keyboard.press('ArrowDown');
  await page.getByRole('option', { name: 'Same ID for all rows' }).waitFor();
  for (const pressed of ['Home', 'Enter']) await page.keyboard.press(pressed);
  await form.getByLabel('Account system ID of all rows').fill('7');
  await page.keyboard.press('Enter');
  const rows = page.getByRole('region', { name: 'First rows' }).getByRole('row');
  await rows.nth(0).getByText('integrationId', { exact: true }).waitFor();
  await rows.first().waitFor();
  expect(await rows.nth(1).getByRole('cell').allInnerTexts()).toEqual(['2', 'ada@example.com', '7', 'ada']);
  await page.getByText('“Login” as identity, 7 as integrationId of all rows. Ignores “Team”.').waitFor();

  await choose(page, 'more.csv', 'Work mail;Login;Team\ncyd@example.com;cyd;core\n');
  await page.getByText('Remembered from your last file with these columns').waitFor();
  await expectFit(page);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toMatch(/work|login|team|ada|cyd/i);
  await page.getByRole('button', { name: 'Start dry run' }).click();
  await page.getByRole('region', { name: 'Changes' }).last().getByText('cyd@example.com').waitFor();
  await page.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByText('All changes were written.', { exact: true }).waitFor();
  expect(await stored()).toEqual(['cyd of cyd@example.com']);

  await choose(page, 'more.csv', 'Work mail;Login;Team\ncyd@example.com;cyd;core\n');
  await page.getByRole('button', { name: 'Reset' }).click();
  await form.waitFor();
  await choose(page, 'more.csv', 'Work mail;Login;Team\ncyd@example.com;cyd;core\n');
  await form.waitFor();
  expect(await page.getByText('Remembered').count()).toBe(0);
});

test('a file without a header is reported before its first account is skipped', async () => {
  const { page } = await browser.open({ url: stack.url, key, path: '/identities/upload', size: 'phone' });
  await choose(page, 'bare.csv', 'ann@example.com;7;ann\nbob@example.com;8;bob\n');
  const warning = page.getByRole('alert').filter({ hasText: 'The first line looks like data' });
  await warning.getByText('“ann@example.com”').waitFor();
  await expectFit(page);
  const form = page.getByRole('form', { name: 'Columns' });
  for (const [field, name] of Object.entries({
    email: 'ann@example.com',
    integrationId: '7',
    identity: 'ann',
  })) {
    await form.getByRole('combobox', { name: field, exact: true }).click();
    await page.getByRole('option', { name: new RegExp(`^${name}\\s*For`) }).click();
  }
  await form.getByRole('button', { name: 'Use these columns' }).click();
  await page.getByText('Reads “ann@example.com” as email').waitFor();
  await warning.waitFor();
  expect(await page.evaluate(() => localStorage['muster.upload-columns'])).toBeUndefined();
});

test('a mirror needs its account systems and a limit, and shows what it removes before the import', async () => {
  await client.upload(`${HEADER}a@b.example,7,stays\na@b.example,7,leaves\n`);
  const { page } = await browser.open({ url: stack.url, key, path: '/identities/upload' });
  await choose(page, 'b.csv', `${HEADER}a@b.example,7,stays\n`);
  await page.getByLabel('Mirror account systems').check();
  await page.getByRole('button', { name: 'Start dry run' }).click();
  await page.getByText('Enter at least one account system ID.').waitFor();
  await page.locator('[aria-invalid=true]:focus').waitFor();
  await page.keyboard.type('abc,');
  await page
    .getByRole('region', { name: 'Options' })
    .getByText('Left out abc: an account system ID consists of digits')
    .waitFor();
  await page.getByRole('button', { name: 'Add 7 from the file' }).click();
  await page.getByLabel('Accounts it may remove at most').fill('1');
  await page
    .getByText('Every account in account system 7 that the file does not name is removed, but no more')
    .waitFor();
  await page.getByRole('button', { name: 'Start dry run' }).click();
  const changes = page.getByRole('region', { name: 'Changes' }).last();
  await changes.getByText('leaves').waitFor();
  await expectFit(page);
  await page.getByRole('link', { name: 'View dry run' }).click();
  await page.getByRole('link', { name: 'continue to the import' }).click();
  await page.getByText('b.csv', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Remove 1 account' }).click();
  await page.getByText('All changes were written.', { exact: true }).waitFor();
  expect(await stored()).toEqual(['stays of a@b.example']);

  await page.getByLabel('Remove accounts').check();
  await choose(page, 'left.csv', 'integrationId,identity\n7,stays\n');
  await page.getByRole('region', { name: 'First rows' }).getByText('stays').waitFor();
  await page.getByRole('button', { name: 'Remove without a dry run' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove without a dry run' }).click();
  await page.getByText('All changes were written.', { exact: true }).waitFor();
  expect(await stored()).toEqual([]);
});

test('the first rows of a large file appear without the rest, with the reasons of rejected rows', async () => {
  const { page } = await browser.open({ url: stack.url, key, path: '/identities/upload' });
  const sent = page.waitForRequest(/\/identities\/preview\?/);
  const hostile = '<img src=x onerror=alert(1)>';
  const start = `${HEADER}a@b.example,7,${hostile}\nnobody,x,y\n`;
  await choose(page, 'large.csv', start + 'a@b.example,7,octo\n'.repeat(10_000));
  await page.getByText(hostile, { exact: true }).waitFor();
  expect((await sent).postDataBuffer()?.length).toBe(128 * 1024);
  await page.getByText('Separated by commas · UTF-8 · 3 columns').waitFor();
  await page.getByText(/^rejected email must be an email address .*; integrationId must be/).waitFor();
  await page.getByText(/^2,000 rows checked, 1 would be rejected\./).waitFor();
  await page.getByRole('button', { name: 'Show 20 rows' }).click();
  expect(await page.getByRole('region', { name: 'First rows' }).getByRole('row').count()).toBe(1 + 20 + 1);

  await choose(page, 'latin1.csv', '');
  await page.getByText('Invalid file format: the file is empty').waitFor();
  await page.getByLabel('CSV file').setInputFiles({
    name: 'latin1.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`${HEADER}a@b.example,7,Jos\u00e9\n`, 'latin1'),
  });
  await page.getByRole('button', { name: 'Read the file as windows-1252' }).click();
  await page.getByText('José', { exact: true }).waitFor();
});
