import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../support/api/client.js';
import { content, finishedExport } from '../support/api/finished-export.js';
import { accessibilityViolations } from '../support/browser/accessibility.js';
import { sharedBrowser } from '../support/browser/browser.js';
import { expectFit } from '../support/browser/looked-at.js';
import { type Stack, startStack } from '../support/servers/stack.js';

const HOSTILE = '<img src=x onerror=alert(1)>';
const ASYNC = { prefer: 'respond-async' };

const browser = sharedBrowser();
let stack: Stack;
let key: string;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  key = await stack.key();
  client = new Client(stack.url, key);
});
afterAll(() => stack.stop());

/** Uploads a file, waits for its job to finish and returns the job's id. */
async function uploaded(text: string, query = ''): Promise<string> {
  const { body } = await client.upload(text, query, ASYNC);
  await client.jobEnd(body.jobId);
  return body.jobId;
}

test('the job list shows results, and keeps its filters in the address', async () => {
  await uploaded(`email,integrationId,identity\na@b.example,1,${HOSTILE}\n`);
  await uploaded('email,integrationId,identity\na@b.example,1,x\n', '?dryRun=true');
  const { page } = await browser.open({ url: stack.url, key, path: '/jobs' });
  await page.getByRole('row', { name: 'Identity import (dry run)' }).getByText('1 row: 1 created').waitFor();
  await page.getByText('identities.csv').first().waitFor();
  await expectFit(page);
  await page.getByText('2 jobs', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Type', exact: true }).click();
  await page.getByRole('option', { name: /^Identity import\s*2$/ }).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByRole('option', { name: /^Identity export\s*0$/ }).click();
  await page.keyboard.press('Escape');
  await page.getByText('No matching jobs').waitFor();
  await page.reload();
  await page.getByText('No matching jobs').waitFor();
  // The list updates without a reload.
  await client.json('POST', '/v2/developers/identities/exports', {}, ASYNC);
  await page.getByRole('row', { name: 'Identity export' }).getByText('completed').waitFor();
  await page.getByText('1 job', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Type: Identity export' }).click();
  await page.getByRole('option', { name: /^Identity import/ }).click();
  await page.getByText('3 jobs', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Time', exact: true }).click();
  await page.getByRole('button', { name: 'Last hour' }).click();
  await page.waitForURL('**/jobs?type=identity-export&type=identity-import&last=1h');
  await page.goBack();
  await page.waitForURL('**/jobs?type=identity-export&type=identity-import');
  await page.getByRole('button', { name: 'Time', exact: true }).click();
  await page.getByLabel('From', { exact: true }).fill('2026-01-01T10:00');
  await page.waitForURL(/&from=/);
  await page.getByLabel('To', { exact: true }).fill('2999-01-01T10:00');
  await page.waitForURL(/&to=/);
  await page.keyboard.press('Escape');
  await page.goBack();
  await page.waitForURL('**/jobs?type=identity-export&type=identity-import');
  await page.getByRole('button', { name: 'Time', exact: true }).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  const fold = await page.getByRole('button', { name: 'Filters (1)' }).boundingBox();
  expect(fold?.width).toBeLessThan(160);
  await page.getByRole('link', { name: 'Identity export' }).click();
  await page.getByRole('link', { name: 'Next job' }).click();
  await page.getByRole('heading', { level: 1, name: 'Identity import (dry run)' }).waitFor();
});

test('a failed import shows its errors, offers its rejected rows, and can be retried', async () => {
  const id = await uploaded(`email,integrationId,identity\nnobody,1,${HOSTILE}\n`);
  const { page } = await browser.open({ url: stack.url, key, path: `/jobs/${id}`, size: 'phone' });
  const error = page.getByRole('region', { name: 'Errors' }).getByRole('row').nth(1);
  await error.waitFor();
  expect((await error.getByRole('cell').allTextContents()).slice(0, 2)).toEqual(['2', 'email']);
  await expectFit(page);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download rejected rows' }).click();
  expect(readFileSync(await (await downloading).path(), 'utf8')).toContain(HOSTILE);
  await page.getByRole('button', { name: 'Retry job' }).click();
  await page.locator('dt:text-is("Attempts") + dd:text-is("2")').waitFor();
  await page.getByText('failed', { exact: true }).waitFor();
});

test('the file of an export can be downloaded until it expires', async () => {
  const id = await finishedExport(stack);
  const { page } = await browser.open({ url: stack.url, key, path: `/jobs/${id}` });
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download file' }).click();
  expect(readFileSync(await (await downloading).path(), 'utf8')).toBe(content);
  await stack
    .database('jobs')
    .where({ id })
    .update({ expires_at: new Date(Date.now() - 1_000) });
  await page.reload();
  await page.getByText('File expired', { exact: true }).waitFor();
  await expectFit(page);
});

test('a queued job can be stopped, but not with a read-only key', async () => {
  const idle = await startStack({ worker: false });
  try {
    const writer = await idle.key();
    const upload = await new Client(idle.url, writer).upload('email,integrationId,identity\n', '', ASYNC);
    const path = `/jobs/${upload.body.jobId}`;
    const reader = await browser.open({ url: idle.url, key: await idle.key('developer_records:read'), path });
    await reader.page.getByRole('progressbar', { name: 'Waiting for a worker' }).waitFor();
    expect(await reader.page.getByRole('button', { name: 'Stop job' }).count()).toBe(0);
    const { page } = await browser.open({ url: idle.url, key: writer, path });
    await page.getByRole('button', { name: 'Stop job' }).click();
    await expectFit(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Stop job' }).click();
    await page.getByText('Canceled', { exact: true }).waitFor();
    await reader.page.getByText('Canceled', { exact: true }).waitFor();
  } finally {
    await idle.stop();
  }
});

test('an unknown job shows a not-found page and is not polled', async () => {
  const tab = await browser.open({ url: stack.url, key });
  tab.expectError(/404/);
  const { page } = tab;
  await page.clock.install();
  await page.goto(`${stack.url}/jobs/01890a5d-ac96-774b-bcce-b302099a8057`);
  let requests = 0;
  page.on('request', (request) => {
    if (request.url().includes('/v2/jobs/')) requests += 1;
  });
  await page.getByText('Page not found').waitFor();
  const before = requests;
  await page.clock.runFor(5_000);
  expect(requests).toBe(before);
});
