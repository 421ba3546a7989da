import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { sharedBrowser } from '../support/browser/browser.js';
import { expectFit, expectFitOnBoth } from '../support/browser/looked-at.js';
import { toRows, workbookOf } from '../support/files/workbook-file.js';
import { type Stack, startStack } from '../support/servers/stack.js';

const HEADER = 'email,integrationId,identity';
const LARGEST = 2_000_000;
/** Enough for an import that takes longer than a request. */
const ROWS = 30_000;

const browser = sharedBrowser();
const folder = mkdtempSync(join(tmpdir(), 'muster-csv-'));
const csv = join(folder, 'accounts.csv');
let stack: Stack;
let key: string;
beforeAll(async () => {
  stack = await startStack({ env: { UPLOAD_MAX_BYTES: String(LARGEST) } });
  key = await stack.key('developer_records:read', 'developer_records:write');
});
beforeEach(() => stack.database('identities').truncate());
afterAll(async () => {
  await stack.stop();
  rmSync(folder, { recursive: true });
});

async function openUpload(): Promise<Page> {
  const { page } = await browser.open({ url: stack.url, key, path: '/identities/upload' });
  await page.getByRole('button', { name: 'Choose file' }).waitFor();
  return page;
}

const chooseFile = (page: Page, file: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0]) =>
  page.getByLabel('CSV file').setInputFiles(file);

/** Chooses a file with that content, starts the dry run and returns its outcome. */
async function dryRun(page: Page, name: string, buffer: Buffer): Promise<string> {
  await chooseFile(page, { name, mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: 'Start dry run' }).click();
  const outcome = page
    .getByRole('region', { name: 'Dry run' })
    .locator('[role=alert], [role=status]:not([aria-busy])');
  await outcome.first().waitFor();
  return (await outcome.first().textContent()) ?? '';
}

const rowsOf = (text: string): string[] => text.trim().split(/\r?\n/).slice(1).sort();

test('30,000 rows with an invalid one: dry run, fix, import, and an export with the same rows', async () => {
  const rows = Array.from({ length: ROWS }, (_, i) => `dev${i % 997}@example.com,${1 + (i % 7)},octo-${i}`);
  const valid = [HEADER, ...rows].join('\n');
  writeFileSync(csv, valid.replace(rows[ROWS / 2] as string, 'dev@example.com,x7,octo'));
  const tab = await browser.open({ url: stack.url, key, path: '/identities/upload' });
  tab.expectError(/ERR_UPLOAD_FILE_CHANGED/);
  const { page } = tab;
  await chooseFile(page, csv);
  await page.getByRole('button', { name: 'Start dry run' }).click();
  const error = page.getByRole('region', { name: 'Errors' }).getByRole('row').nth(1);
  await error.waitFor();
  expect(await error.getByRole('cell').allInnerTexts()).toEqual([
    '15,002',
    'integrationId',
    expect.stringMatching(/^must be an integer in plain digits/),
  ]);
  await page.getByText('Fix these rows and choose the file again.').waitFor();
  expect(await page.getByText('accounts.csv', { exact: true }).count()).toBe(1);
  expect(await stack.database('identities').count({ rows: '*' })).toEqual([{ rows: 0 }]);

  // The same file, fixed in place.
  writeFileSync(csv, valid);
  await page.getByRole('button', { name: 'Repeat dry run' }).click();
  await page.getByText('The file has changed since you chose it.').waitFor();
  await chooseFile(page, csv);
  await page.getByRole('button', { name: 'Start dry run' }).click();
  await page.getByRole('progressbar').waitFor();
  await page.getByText('All rows are valid', { exact: true }).waitFor();
  const created = page.getByLabel('Dry run results').locator('div', { hasText: 'created' });
  expect(await created.textContent()).toMatch(/30,000/);
  expect(await stack.database('identities').count({ rows: '*' })).toEqual([{ rows: 0 }]);

  // The plan needs no file.
  await page.reload();
  await page.getByRole('button', { name: 'Apply 30,000 changes' }).click();
  await page.getByRole('region', { name: 'Import', exact: true }).getByRole('progressbar').waitFor();
  await page.getByText('All changes were written.', { exact: true }).waitFor();
  await page
    .getByTestId('announcer')
    .getByText(/30,000 created/)
    .waitFor({ state: 'attached' });
  await page.reload();
  await page.getByText('All changes were written.', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'View identities' }).click();
  await page.getByText('30,000 identities', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('button', { name: 'Start export' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download file' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('developer-identities.csv');
  const exported = readFileSync(await download.path(), 'utf8');
  expect(exported.split('\n')[0]).toBe(HEADER);
  expect(rowsOf(exported)).toEqual([...rows].sort());
});

test('valid rows are imported on request, and the rejected rows can be downloaded', async () => {
  const page = await openUpload();
  await page.getByLabel('Import all other rows').check();
  const outcome = await dryRun(
    page,
    'a.csv',
    Buffer.from(`${HEADER},note\na@b.example,1,x,n\nbad,1,y,n\na@b.example,1,x,n\n`),
  );
  expect(outcome).toMatch(/^1 row would be rejected/);
  await page.getByText('ignored columns: "note"').waitFor();
  await page.getByText(/1 row repeats the key/).waitFor();
  const error = page.getByRole('region', { name: 'Errors' }).getByRole('row').nth(1);
  expect(await error.getByRole('cell').allInnerTexts()).toEqual(['3', 'email', expect.any(String)]);
  await expectFit(page);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download rejected rows' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^rejected-.*\.csv$/);
  expect(readFileSync(await download.path(), 'utf8')).toMatch(/\nbad,1,y,3,/);
  await page.getByRole('button', { name: 'Apply the plan' }).click();
  await page.getByText('Plan applied', { exact: true }).waitFor();
  expect(await stack.database('identities').select('identity')).toEqual([{ identity: 'x' }]);
});

test.each([
  ['no rows', 'empty.csv', Buffer.from(''), /empty/i],
  ['a workbook', 'a.xlsx', Buffer.from('PK\u0003\u0004 xl/workbook.xml'), /xlsx|zip|Excel/i],
])('the dry run shows the error of the API: %s', async (_, name, content, words) => {
  const page = await openUpload();
  expect(await dryRun(page, name, content)).toMatch(words);
  await page.getByText('Fix the file and choose it again.').waitFor();
  expect(await page.getByRole('button', { name: /^(Import|Apply) \d/ }).count()).toBe(0);
});

test('a workbook is shown, its sheet chosen, and imported', async () => {
  const page = await openUpload();
  const buffer = workbookOf({
    sheets: '<sheet name="People" sheetId="1" r:id="rId1"/><sheet name="Other" sheetId="2" r:id="rId2"/>',
    rows: toRows([
      HEADER.split(','),
      ['ada@a.example', 1, 'ada'],
      ['bob@a.example', 1, { xml: '<c><v>12.5</v></c>' }],
    ]),
  });
  await chooseFile(page, { name: 'people.xlsx', mimeType: '', buffer });
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByText('the workbook has several sheets').waitFor();
  await preview.getByRole('combobox', { name: 'Sheet' }).click();
  await page.getByRole('option', { name: 'People' }).click();
  await preview.getByText('Excel workbook · sheet People · 3 columns').waitFor();
  await preview.getByText('cell C3 of the sheet "People" has the number 12.5').waitFor();
  await expectFitOnBoth(page);
  await page.getByLabel('Import all other rows').check();
  await page.getByRole('button', { name: 'Start dry run' }).click();
  await page.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByText('Plan applied', { exact: true }).waitFor();
  expect(await stack.database('identities').select('identity')).toEqual([{ identity: 'ada' }]);
});

test('a file above the size limit is rejected with the limit, and stays chosen', async () => {
  const tab = await browser.open({ url: stack.url, key, path: '/identities/upload' });
  tab.expectError(/413/);
  await tab.page.getByRole('button', { name: 'Choose file' }).waitFor();
  expect(await dryRun(tab.page, 'large.csv', Buffer.alloc(LARGEST * 2, 'a'))).toMatch(/2000000 bytes/);
  await tab.page.getByText('large.csv', { exact: true }).waitFor();
});

test('a compressed file can be dropped on the page', async () => {
  const page = await openUpload();
  const packed = gzipSync(`${HEADER}\na@b.example,1,dropped\n`).toString('base64');
  const files = await page.evaluateHandle(dataTransferOf, { base64: packed, name: 'a.csv.gz' });
  const target = page.getByText('Drop a CSV file here');
  for (const type of ['dragenter', 'dragover', 'drop'])
    await target.dispatchEvent(type, { dataTransfer: files });
  await page.getByText('a.csv.gz', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Start dry run' }).click();
  await page.getByText('All rows are valid', { exact: true }).waitFor();
});

/** Runs in the browser. */
function dataTransferOf({ base64, name }: { base64: string; name: string }): unknown {
  // biome-ignore lint/suspicious/noExplicitAny: the browser's own, which the tests have no types of.
  const { DataTransfer, File, atob } = globalThis as any;
  const bytes = Uint8Array.from(atob(base64), (letter: string) => letter.charCodeAt(0));
  const transfer = new DataTransfer();
  transfer.items.add(new File([bytes], name));
  return transfer;
}

test('a file can be chosen, checked and imported by keyboard', async () => {
  const page = await openUpload();
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose file' }).focus();
  await page.keyboard.press('Enter');
  const content = Buffer.from(`${HEADER}\na@b.example,1,by-keyboard\n`);
  await (await choosing).setFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: content });
  for (const name of ['Start dry run', 'Apply 1 change']) {
    const button = page.getByRole('button', { name });
    await button.waitFor();
    for (let steps = 0; steps < 40; steps++) {
      if (await button.evaluate((element) => element === element.ownerDocument.activeElement)) break;
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
  }
  await page.getByText('All changes were written.', { exact: true }).waitFor();
});

test('without a worker the page shows the wait, also after a reload, and the job can be stopped', async () => {
  const idle = await startStack({ worker: false });
  try {
    const { page } = await browser.open({ url: idle.url, key: await idle.key(), path: '/identities/upload' });
    await chooseFile(page, { name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(`${HEADER}\n`) });
    await page.getByRole('button', { name: 'Start dry run' }).click();
    await page.getByRole('progressbar', { name: 'Waiting for a worker' }).waitFor();
    await page.reload();
    await page.getByRole('progressbar', { name: 'Waiting for a worker' }).waitFor();
    await expectFit(page);
    await page.getByRole('button', { name: 'Stop job' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop job' }).click();
    await page.getByText('Canceled', { exact: true }).waitFor();
    expect(await idle.database('jobs').select('state')).toEqual([{ state: 'canceled' }]);
  } finally {
    await idle.stop();
  }
});

test('the preview shows what was noted about values, and accepts those that a spreadsheet lost', async () => {
  const page = await openUpload();
  const text = `${HEADER}\na@example.com,7,#N/A\nb@example.com,7,nan\n`;
  await chooseFile(page, { name: 'lost.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByText('a spreadsheet lost this value: #N/A').waitFor();
  await preview.getByText('line 3, identity "nan"').waitFor();
  await preview.getByRole('button', { name: 'Keep values that a spreadsheet lost' }).click();
  await preview.getByText('none would be rejected').waitFor();
  await page.getByRole('button', { name: 'Start dry run' }).click();
  await page.getByRole('region', { name: 'Dry run' }).getByText('#N/A').first().waitFor();
});
