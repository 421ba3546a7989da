import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { Client } from '../support/api/client.js';
import { sharedBrowser } from '../support/browser/browser.js';
import { expectFit } from '../support/browser/looked-at.js';
import { type Stack, startStack } from '../support/servers/stack.js';
import { theRow } from '../support/the-row.js';

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

const changes = (page: Page) =>
  page
    .getByRole('region', { name: /^(Changes|Planned changes)$/ })
    .last()
    .locator('tbody tr');

async function cellsOf(page: Page, row: number): Promise<string[]> {
  await changes(page).nth(row).waitFor();
  return changes(page).nth(row).getByRole('cell').allInnerTexts();
}

async function downloaded(page: Page, button: string, format: string): Promise<Buffer> {
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('menuitem', { name: format }).click();
  return readFileSync(await (await downloading).path());
}

test('a dry run lists what would change: page by page, by outcome, and as a file', async () => {
  await upload([`old@a.example,9,${QUOTED}`]);
  const id = await upload([...MANY, `new@a.example,9,${QUOTED}`], '?dryRun=true');
  const { page } = await browser.open({ url: stack.url, key, path: `/jobs/${id}`, size: 'phone' });
  await page.getByText('This was a dry run: nothing was written.').waitFor();
  expect(await cellsOf(page, 0)).toEqual([
    'created',
    expect.stringMatching(/^octo-0000\s+account system 7$/),
    expect.stringMatching(/^before:\s*no owner\s*→\s*, after:\s*dev@a\.example$/),
    '2',
  ]);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('21 to 40 of 2,501').waitFor();
  await page.getByText('octo-0039').waitFor();
  await page.getByRole('button', { name: 'Previous' }).click();
  await page.getByText('1 to 20 of 2,501').waitFor();

  // A retry in another tab writes another file.
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('octo-0039').waitFor();
  await stack.database('jobs').where({ id }).increment('attempts', 1);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('The job has run again, so the list has changed.').nth(1).waitFor();
  await changes(page).getByText('octo-0000').waitFor();
  await page.getByText('1 to 20 of 2,501').waitFor();

  // By keyboard. The only update is in the last piece of the file.
  await page.getByRole('radio', { name: 'all 2,501' }).focus();
  await page.keyboard.press('ArrowRight');
  expect(await page.getByRole('radio', { name: 'created 2,500' }).isChecked()).toBe(true);
  await page.keyboard.press('ArrowRight');
  await changes(page).getByText(HOSTILE).waitFor();
  expect(await changes(page).count()).toBe(1);
  expect((await cellsOf(page, 0))[2]).toMatch(/old@a\.example\s*→\s*, after:\s*new@a\.example$/);
  await expectFit(page);

  const file = await downloaded(page, 'Download all changes', 'csv.gz');
  expect(gunzipSync(file).toString().split('\n')).toHaveLength(2_503);
});

test('an import is reverted after a dry run of the revert, and the history of an account shows who did what', async () => {
  await upload(['ann@a.example,1,moved', 'ann@a.example,1,kept']);
  const id = await upload(['bob@a.example,1,moved', 'bob@a.example,1,kept', 'bob@a.example,1,new']);
  // A later upload asserts the same owner again.
  await upload(['bob@a.example,1,kept']);
  const { page } = await browser.open({ url: stack.url, key, path: `/jobs/${id}` });
  await page.getByText('What the upload changed').waitFor();
  await page.getByRole('button', { name: 'Start dry run of the revert' }).press('Enter');
  const step = page.getByRole('region', { name: 'Revert', exact: true });
  await step.getByText('2 accounts would be as they were before. Skipped: 1 account').waitFor();
  const announcer = page.getByTestId('announcer');
  await announcer.getByText('Dry run of the revert completed').waitFor({ state: 'attached' });
  await page.locator('[aria-label="Steps of the revert"]:focus').waitFor();
  await page.reload();
  await step.getByText('skipped 1', { exact: true }).click();
  await changes(page).getByText('kept').waitFor();
  expect(await announcer.innerText()).not.toContain('Dry run of the revert');
  await expectFit(page);
  const skipped = await downloaded(page, 'Download skipped accounts', 'CSV for spreadsheets');
  expect(skipped.toString().split('\n')[1]).toBe('1,kept,bob@a.example,bob@a.example,skipped,3');

  await page.getByRole('button', { name: 'Revert 2 accounts' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Revert 2 accounts?' });
  await dialog.getByText('2 accounts get their previous owner again').waitFor();
  await dialog.getByText('1 account is skipped').waitFor();
  await dialog.getByRole('button', { name: 'Revert 2 accounts' }).press('Enter');
  await page.getByText('Reverted', { exact: true }).waitFor();
  expect((await cellsOf(page, 0))[2]).toMatch(/bob@a\.example\s*→\s*, after:\s*ann@a\.example$/);
  const revert = stack.database('jobs').where('id', page.url().split('/').at(-1) ?? '');
  const { finished_at } = await theRow(revert.clone().first('finished_at'));
  await revert.clone().update({ state: 'running', finished_at: null });
  await page.getByRole('link', { name: 'another job' }).click();
  await page.waitForURL(`${stack.url}/jobs/${id}`);
  const reverts = page.getByRole('list', { name: 'Reverts of this job' });
  await reverts.getByText('running').waitFor();
  await revert.clone().update({ state: 'completed', finished_at });
  await reverts.getByText('completed').waitFor();
  await reverts.getByRole('link').click();
  await page.getByText('Takes back what').waitFor();

  await changes(page).getByRole('link', { name: 'moved' }).click();
  const history = page.getByRole('region', { name: 'History' }).locator('tbody tr');
  await history.nth(2).waitFor();
  expect(await history.locator('td:nth-child(2)').allInnerTexts()).toEqual(['updated', 'updated', 'created']);
  const [, , owner, name] = await history.first().getByRole('cell').allInnerTexts();
  expect(owner).toMatch(/bob@a\.example\s*→\s*, after:\s*ann@a\.example$/);
  expect(name).toBe('test');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectFit(page);
  await history.nth(1).getByRole('link', { name: 'View job that updated it: identities.csv' }).click();
  await page.waitForURL(`${stack.url}/jobs/${id}`);
});

test('the page of a job says why it cannot be reverted', async () => {
  // A JSON upload: its changes have the numbers of records.
  const records = [{ email: 'ann@a.example', integrationId: 2, identity: 'any' }];
  const id = (await client.json('PATCH', '/v2/developers/identities', records)).body.jobId;
  const path = `/jobs/${id}`;
  const reader = await stack.key('developer_records:read');
  const reading = await browser.open({ url: stack.url, key: reader, path });
  await reading.page.getByText('This key cannot revert jobs.').waitFor();
  await reading.page.getByRole('columnheader', { name: 'Record' }).waitFor();
  expect((await cellsOf(reading.page, 0))[3]).toBe('1');
  const expires_at = new Date(Date.now() - 1_000);
  await stack.database('jobs').where({ id }).update({ expires_at });
  const { page } = await browser.open({ url: stack.url, key, path });
  await page.getByText('No longer possible: the changes have expired.').waitFor();
  await page.getByText('The list of changes has expired.').waitFor();
  await expectFit(page);
});

test('the plan of a dry run is applied, with a reason, and names the accounts that have changed since', async () => {
  await upload(['ada@a.example,8,octo-a', 'bob@a.example,8,octo-b']);
  const planId = await upload(
    ['ann@a.example,8,octo-a', 'ben@a.example,8,octo-b', 'cy@a.example,8,octo-c'],
    '?dryRun=true',
  );
  await upload(['other@a.example,8,octo-b']);
  const { page } = await browser.open({ url: stack.url, key, path: `/jobs/${planId}` });
  const section = page.getByRole('region', { name: 'Apply' });
  await section.getByLabel('Reason (optional)').fill('ticket 12');
  await expectFit(page);
  await section.getByRole('button', { name: 'Apply 3 changes' }).click();
  await page.getByText('All other changes were written. 1 account has changed since the dry run.').waitFor();
  await page.getByRole('link', { name: 'a dry run' }).waitFor();
  await page.getByText('conflict 1', { exact: true }).click();
  expect((await cellsOf(page, 0)).join(' ')).toContain('ben@a.example');
  await expectFit(page);
  const { body } = await client.get('/v2/developers/identities/history?integrationId=8&identity=octo-a');
  expect(body.data[0]).toMatchObject({
    after: 'ann@a.example',
    plan: { jobId: planId, reason: 'ticket 12' },
  });
});
