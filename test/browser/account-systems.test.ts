import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { Client } from '../support/api/client.js';
import { insertIdentities } from '../support/api/identities.js';
import { sharedBrowser } from '../support/browser/browser.js';
import { expectFitOnBoth } from '../support/browser/looked-at.js';
import { type Stack, startStack } from '../support/servers/stack.js';

const browser = sharedBrowser();
let stack: Stack;
let key: string;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  key = await stack.key('developer_records:read', 'developer_records:write');
  client = new Client(stack.url, key);
});
beforeEach(async () => {
  for (const table of ['identities', 'account_systems', 'account_system_days'])
    await stack.database(table).delete();
  await insertIdentities(stack.database, [
    { email: 'ada@example.com', integrationId: 7, identity: 'ada/l?' },
    { email: 'bob@example.com', integrationId: 8, identity: 'bob' },
  ]);
});
afterAll(() => stack.stop());

/** @param rejection the status of a rejected request that the test makes */
async function open(path: string, rejection?: RegExp): Promise<Page> {
  const tab = await browser.open({ url: stack.url, key, path });
  if (rejection) tab.expectError(rejection);
  return tab.page;
}

test('an account system is named on its page, and is shown by its name from then on', async () => {
  const page = await open('/identities/coverage', /400/);
  await page.getByRole('link', { name: '7', exact: true }).click();
  await page.getByRole('heading', { name: 'Account system 7', level: 1 }).waitFor();
  await page.getByText('It has no name yet.').waitFor();
  await page.getByText('Nothing is recorded yet. A worker counts once a day.').waitFor();
  await page.getByRole('button', { name: 'Name account system' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('GitHub');
  await page.getByRole('combobox', { name: 'Kind' }).click();
  await page.getByRole('option', { name: 'GitHub' }).click();
  const url = page.getByLabel('Page of an account');
  expect(await url.inputValue()).toBe('https://github.com/{identity}');
  await url.fill('javascript:{identity}');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('must start with https:// or http://').waitFor();
  await url.fill('https://github.com/{identity}');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'GitHub', level: 1 }).waitFor();
  await expectFitOnBoth(page);

  await page.getByRole('link', { name: 'View accounts' }).click();
  const row = page.getByRole('region', { name: 'Identities' }).getByRole('row').nth(1);
  await row.getByRole('link', { name: 'GitHub (7)', exact: true }).waitFor();
  const link = row.getByRole('link', { name: 'ada/l? in GitHub (7), opens another tab' });
  expect([await link.getAttribute('href'), await link.getAttribute('rel')]).toEqual([
    'https://github.com/ada%2Fl%3F',
    'noreferrer',
  ]);
  await page
    .getByRole('button', { name: /Account system/ })
    .first()
    .waitFor();
  await expectFitOnBoth(page);
  await row.getByRole('link', { name: 'ada/l?', exact: true }).click();
  await page.getByText('Account in account system GitHub (7)').waitFor();
});

test('a filter and inputs take the name of an account system', async () => {
  await client.json('PUT', '/v2/integrations/7', { name: 'GitHub' });
  await client.json('PUT', '/v2/integrations/9', { name: 'Jira' });
  const page = await open('/identities');
  await page.getByRole('button', { name: 'Account system' }).first().click();
  await page.getByRole('combobox', { name: 'Find Account system' }).fill('jir');
  await page.getByRole('option', { name: 'Jira (9)' }).click();
  await page.waitForURL(/integrationIds=9/);

  await page.goto(`${stack.url}/identities/worklist`);
  const input = page.getByLabel('Account system', { exact: true });
  await input.fill('github');
  expect(await input.inputValue()).toBe('7');
  await page.getByText('GitHub (7)', { exact: true }).waitFor();
  await input.fill('no such');
  await page.getByText('Enter a positive integer, or a name.').waitFor();
});

test('the page shows day by day how many accounts had no owner, and a name that somebody else has changed is kept', async () => {
  await client.json('PUT', '/v2/integrations/7', { name: '<img src=x onerror=alert(1)>', kind: 'github' });
  for (const [day, listed, without_owner] of [
    ['2026-03-01', null, null],
    ['2026-03-02', 200, 50],
    ['2026-03-05', 200, 20],
  ] as const)
    await stack.database('account_system_days').insert({
      ...{ integration_id: 7, day: new Date(day), accounts: 1_180, owners: 900 },
      ...{ listed, without_owner },
    });
  const page = await open('/identities/systems/7', /412/);
  await page.getByText('20 of 200 accounts of the last worklist had no owner: 10%.').waitFor();
  const chart = page.getByRole('img', { name: /without an owner/ });
  expect(await chart.getAttribute('aria-label')).toBe(
    'Percent of accounts without an owner. 2026-03-02: 25%, 2026-03-05: 10%',
  );
  await page.getByText('Show as a table').click();
  const rows = page.getByRole('region', { name: 'Days' }).getByRole('row');
  expect(await rows.nth(1).getByRole('cell').allInnerTexts()).toEqual([
    '2026-03-05',
    '1,180',
    '900',
    '200',
    '20 (10%)',
  ]);
  expect(await rows.nth(3).getByRole('cell').allInnerTexts()).toEqual([
    '2026-03-01',
    '1,180',
    '900',
    '–',
    '–',
  ]);
  await expectFitOnBoth(page);

  await page.getByRole('button', { name: 'Change name' }).click();
  await client.json('PUT', '/v2/integrations/7', { name: 'By another hand' });
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Mine');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/is now at revision 2, saved by the key/).waitFor();
  expect((await client.get('/v2/integrations/7')).body.data.name).toBe('By another hand');
  await page.getByRole('button', { name: 'Cancel' }).click();
});

test('a key that only reads sees the page without buttons that change it', async () => {
  await client.json('PUT', '/v2/integrations/8', { name: 'Slack', managedBy: 'https://git.example.com/x' });
  const reader = await stack.key('developer_records:read');
  const { page } = await browser.open({ url: stack.url, key: reader, path: '/identities/systems/8' });
  await page.getByRole('heading', { name: 'Slack', level: 1 }).waitFor();
  expect(await page.getByRole('button', { name: 'Change name' }).count()).toBe(0);
});
