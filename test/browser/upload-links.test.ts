import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { Client } from '../support/api/client.js';
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
  await client.json('PUT', '/v2/integrations/7', { name: 'GitHub', kind: 'github' });
  await client.json('PATCH', '/v2/developers/identities', [
    { email: 'before@example.com', integrationId: 7, identity: 'moved' },
  ]);
});
afterAll(() => stack.stop());

const choose = (page: Page, name: string, text: string) =>
  page.getByLabel('CSV file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

const FILE = [
  'Work mail,Login,integrationId',
  'ada@example.com,ada,7',
  'after@example.com,moved,7',
  'nobody,bob,7',
  'none,cy,7',
  'eve@example.com,eve,8',
].join('\n');

test('somebody without a key uploads a file through a link, corrects what was rejected, and is done', async () => {
  const { page: console } = await browser.open({ url: stack.url, key, path: '/identities/systems/7' });
  await part(console, 'Upload links').getByText('There are none.').waitFor();
  await console.getByRole('button', { name: 'New upload link' }).click();
  await console.getByRole('textbox', { name: 'Name' }).fill('GitHub accounts, for HR');
  await console.getByRole('textbox', { name: 'Uploads' }).fill('2');
  await console.getByRole('button', { name: 'Make link' }).click();
  const url = await console.getByRole('region', { name: 'the link' }).innerText();
  const { pathname, hash } = new URL(url);
  expect([pathname, hash.slice(0, 7)]).toEqual(['/upload', '#mlink_']);
  await console.getByRole('button', { name: 'Done' }).click();
  await console.getByRole('cell', { name: '0 of 2' }).waitFor();
  await expectFitOnBoth(console);

  const { page } = await browser.open({ url: stack.url, path: `/upload${hash}` });
  await page.getByRole('heading', { name: 'GitHub accounts, for HR', level: 1 }).waitFor();
  await page.getByText('2 uploads left').waitFor();
  await expectFitOnBoth(page);
  await choose(page, 'people.csv', FILE);
  await page.getByRole('button', { name: 'Use these columns' }).click();
  await page.getByText('5 rows checked, 3 would be rejected').waitFor();
  await page.getByRole('button', { name: 'Check file' }).click();
  await part(page, 'Check').getByText('An upload would do this: 1 added, 1 changed, 3 rejected.').waitFor();
  const groups = page.getByRole('list', { name: 'Rejected rows by cause' }).locator('> li');
  await groups.nth(1).waitFor();
  expect((await groups.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
    expect.stringMatching(/^2 × email must be .* Line 4: nobody Line 5: none$/),
    expect.stringMatching(/^1 × integrationId must be 7, .* Line 6: 8$/),
  ]);
  expect(await page.content()).not.toContain('before@example.com');
  await expectFitOnBoth(page);
  await page.getByRole('button', { name: 'Upload 2 valid rows' }).click();
  await part(page, 'Upload').getByText('1 added, 1 changed, 3 rejected. Download').waitFor();
  await page.getByText('1 upload left').waitFor();

  const saving = page.waitForEvent('download');
  await part(page, 'Upload').getByRole('button', { name: 'Download rejected rows' }).click();
  const rejected = await readFile(await (await saving).path(), 'utf8');
  const corrected = rejected
    .replace('nobody,7,bob', 'bob@example.com,7,bob')
    .replace('none,7,cy', 'cy@example.com,7,cy')
    .replace(/eve@example.com,8,.*\n?/, '');
  await choose(page, 'rejected.csv', corrected);
  await page.getByRole('button', { name: 'Check file' }).click();
  await part(page, 'Check').getByText('All rows are valid').waitFor();
  await page.getByRole('button', { name: 'Upload 2 valid rows' }).click();
  await part(page, 'Upload').getByText('2 added, 0 changed, 0 rejected.').waitFor();
  await page.getByText('All uploads of this link are used.').waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'All uploads of this link are used', level: 1 }).waitFor();
  await expectFitOnBoth(page);

  await console.reload();
  await console.getByText('used up', { exact: true }).waitFor();
  await console.getByRole('link', { name: /View jobs of GitHub accounts, for HR/ }).click();
  await console.getByText('What an upload link has checked and uploaded.').waitFor();
  const jobs = part(console, 'jobs').getByRole('row');
  await jobs.nth(4).waitFor();
  await jobs.nth(1).getByRole('link').click();
  await console.getByText('made by test').waitFor();
  await console.goto(`${stack.url}/identities/history?integrationId=7&identity=moved`);
  await console.getByText('upload link GitHub accounts, for HR').waitFor();
  expect(await stack.database('identities').orderBy('identity').pluck('email')).toEqual([
    'ada@example.com',
    'bob@example.com',
    'cy@example.com',
    'after@example.com',
  ]);
});

async function makeLink(): Promise<{ id: string; hash: string }> {
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const link = { integrationId: 7, name: 'HR', uploads: 1, expiresAt };
  const { id, url } = (await client.json('POST', '/v2/upload-links', link)).body.data;
  return { id, hash: new URL(url).hash };
}

test.each([
  ['revoked', 'This upload link was revoked. Ask for a new one.'],
  ['unknown', 'This upload link is unknown or incomplete. Copy the complete link.'],
  ['missing', 'The address is incomplete. Copy the complete link, with all that follows the #.'],
])('a link that is %s is one clear page', async (what, text) => {
  const { id, hash } = await makeLink();
  if (what === 'revoked') await client.json('DELETE', `/v2/upload-links/${id}`, undefined);
  const given = { revoked: hash, unknown: hash.slice(0, -1), missing: '' }[what];
  const tab = await browser.open({ url: stack.url, path: '/upload' });
  tab.expectError(/401/);
  await tab.page.goto(`${stack.url}/healthz`);
  await tab.page.goto(`${stack.url}/upload${given}`);
  await tab.page.getByRole('heading', { name: 'This link does not work', level: 1 }).waitFor();
  await tab.page.getByText(text).waitFor();
  await expectFitOnBoth(tab.page);
});

test('a link neither takes nor gives the session of a console in the same browser', async () => {
  const { hash } = await makeLink();
  const tab = await browser.open({ url: stack.url, key, path: '/jobs' });
  const page = await tab.another(`/upload${hash}`);
  await page.getByRole('heading', { name: 'HR', level: 1 }).waitFor();
  expect(await page.evaluate('sessionStorage.getItem("muster.key")')).toBeNull();
  await tab.page.goto(`${stack.url}/upload${hash}`);
  await tab.page.getByRole('heading', { name: 'HR', level: 1 }).waitFor();
  await tab.page.goto(`${stack.url}/jobs`);
  await tab.page.getByRole('heading', { name: 'Jobs', level: 1 }).waitFor();
});
