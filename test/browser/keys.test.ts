import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sharedBrowser } from '../support/browser/browser.js';
import { expectFit } from '../support/browser/looked-at.js';
import { type Stack, startStack } from '../support/servers/stack.js';

const HOSTILE = '<img src=x onerror=alert(1)>';

const browser = sharedBrowser();
let stack: Stack;
let admin: string;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  admin = await stack.key();
});
afterAll(() => stack.stop());

test('a new key is shown once, opens only the pages of its scopes, and is signed out when it is revoked', async () => {
  const { page } = await browser.open({ url: stack.url, key: admin, path: '/keys' });
  await page.getByText('current').waitFor();
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(HOSTILE);
  await dialog.getByRole('checkbox', { name: 'developer_records:read' }).check();
  await expectFit(page);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByText('The key is shown only once').waitFor();
  await expectFit(page);
  await dialog.getByRole('button', { name: 'Copy the key' }).click();
  const key = await page.evaluate('navigator.clipboard.readText()');
  expect(key).toMatch(/^mstr_[0-9A-Za-z]{38}$/);
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Done' }).click();
  expect(await page.getByText(key as string).count()).toBe(0);

  const other = await browser.open({ url: stack.url, key: key as string, path: '/jobs' });
  other.expectError(/401/);
  await other.page.getByText('No jobs yet').waitFor();
  const pages = other.page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
  expect(await pages.allTextContents()).toEqual(['Identities', 'Jobs']);

  await page.reload();
  const row = page.getByRole('row', { name: HOSTILE });
  expect(await row.getByRole('cell').nth(3).textContent()).not.toBe('Never');
  await row.getByRole('button', { name: 'Revoke' }).click();
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await other.page.getByText('You were signed out').waitFor();
  await row.getByText('revoked', { exact: true }).waitFor();
  await expectFit(page);
});

test('a dialog whose code cannot be loaded says so, and the page still works', async () => {
  const tab = await browser.open({ url: stack.url, key: await stack.key(), path: '/keys' });
  tab.expectError(/new-key-dialog/);
  const { page } = tab;
  await page.route('**/assets/new-key-dialog-*.js', (route) => route.abort());
  await page.getByRole('button', { name: 'New key' }).click();
  const alert = page.getByRole('alert');
  await alert.getByText('Could not show this part of the page').waitFor();
  await alert.getByText(/^Muster was updated since this page was opened/).waitFor();
  expect(await page.getByText('current', { exact: true }).isVisible()).toBe(true);
  await page.unroute('**/assets/new-key-dialog-*.js');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await alert.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByRole('dialog', { name: 'New API key' }).waitFor();
});

test('revoking the current key shows a warning and signs out', async () => {
  const own = await stack.key('admin');
  const { page } = await browser.open({ url: stack.url, key: own, path: '/keys', size: 'phone' });
  const row = page.getByRole('row').filter({ has: page.getByText('current', { exact: true }) });
  await row.getByRole('button', { name: 'Revoke' }).click();
  await page.getByText(/You are signed in with this key/).waitFor();
  await expectFit(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('You revoked the key that you were signed in with.').waitFor();
});
