import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { Client } from '../support/api/client.js';
import { sharedBrowser } from '../support/browser/browser.js';
import { expectFit } from '../support/browser/looked-at.js';
import { type Stack, startStack } from '../support/servers/stack.js';

const HEADER = 'email,integrationId,identity';
/** Contains an outcome, a quote and markup. */
const HOSTILE = '"<img src=x onerror=alert(1)>,created,"';
const QUOTED = `"${HOSTILE.replaceAll('"', '""')}"`;
/** More rows than the first piece of a changes file has. */
const MANY = Array.from({ length: 2_500 }, (_, i) => `dev@a.example,7,octo-${String(i).padStart(4, '0')}`);

const browser = sharedBrowser();
let stack: Stack;
let key: string;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  key = await stack.key('developer_records:read', 'developer_records:write');
  client = new Client(stack.url, key);
});
afterAll(() => stack.stop());

/** Uploads rows, waits for the end of the job and returns its id. */
async function upload(rows: readonly string[], query = ''): Promise<string> {
  const { body } = await client.upload([HEADER, ...rows, ''].join('\n'), query);
  await client.jobEnd(body.jobId);
  return body.jobId;
}

const changes = (page: Page) => page.getByRole('region', { name: 'Changes' }).locator('tbody tr');

const cellsOf = (page: Page, row: number) => changes(page).nth(row).getByRole('cell').allInnerTexts();

test('a dry run lists what would change: page by page, by outcome, and as a file', async () => {
  await upload([`old@a.example,9,${QUOTED}`]);
  const id = await upload([...MANY, `new@a.example,9,${QUOTED}`], '?dryRun=true');
  const { page } = await browser.open({ url: stack.url, key, path: `/jobs/${id}`, size: 'phone' });
  await page.getByText('What the upload would change').waitFor();
  await changes(page).nth(49).waitFor();
  expect(await cellsOf(page, 0)).toEqual([
    'created',
    expect.stringMatching(/^octo-0000\s+integration 7$/),
    expect.stringMatching(/^before:\s*no owner\s*→\s*, after:\s*dev@a\.example$/),
    '2',
  ]);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('51 to 100 of 2,501').waitFor();
  await page.getByText('octo-0099').waitFor();
  await page.getByRole('button', { name: 'Previous' }).click();
  await page.getByText('1 to 50 of 2,501').waitFor();

  // By keyboard. The only update is in the last piece of the file.
  await page.getByRole('radio', { name: 'all 2,501' }).focus();
  await page.keyboard.press('ArrowRight');
  expect(await page.getByRole('radio', { name: 'created 2,500' }).isChecked()).toBe(true);
  await page.keyboard.press('ArrowRight');
  await changes(page).getByText(HOSTILE).waitFor();
  expect(await changes(page).count()).toBe(1);
  expect((await cellsOf(page, 0))[2]).toMatch(/old@a\.example\s*→\s*, after:\s*new@a\.example$/);
  await expectFit(page);

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download all changes' }).click();
  await page.getByRole('menuitem', { name: 'csv.gz' }).click();
  const file = gunzipSync(readFileSync(await (await downloading).path())).toString();
  expect(file.split('\n')).toHaveLength(2_503);
});
