import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../support/api/client.js';
import { content, finishedExport } from '../support/api/finished-export.js';
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

/** Uploads and answers the job, ended. */
async function uploaded(text: string, query = ''): Promise<string> {
  const { body } = await client.upload(text, query, ASYNC);
  await client.jobEnd(body.jobId);
  return body.jobId;
}

test('jobs are listed with what became of them, and filtered in the address', async () => {
  await uploaded(`email,integrationId,identity\na@b.example,1,${HOSTILE}\n`);
  await uploaded('email,integrationId,identity\na@b.example,1,x\n', '?dryRun=true');
  const { page } = await browser.open({ url: stack.url, key, path: '/jobs' });
  await page
    .getByRole('row', { name: 'Import of identities, dry run' })
    .getByText('1 row: 1 created')
    .waitFor();
  await expectFit(page);
  await page.getByLabel('Type').selectOption('Export of identities');
  await page.getByText('No job fits').waitFor();
  await page.reload();
  await page.getByText('No job fits').waitFor();
  // Live: what begins meanwhile shows by itself.
  await client.json('POST', '/v2/developers/identities/exports', {}, ASYNC);
  await page.getByRole('row', { name: 'Export of identities' }).getByText('completed').waitFor();
});

test('a failed import names its faults, gives its refused rows, and can be tried again', async () => {
  const id = await uploaded(`email,integrationId,identity\nnobody,1,${HOSTILE}\n`);
  const { page } = await browser.open({ url: stack.url, key, path: `/jobs/${id}`, size: 'phone' });
  const fault = page.getByRole('region', { name: 'Faults' }).getByRole('row').nth(1);
  await fault.waitFor();
  expect((await fault.getByRole('cell').allTextContents()).slice(0, 2)).toEqual(['2', 'email']);
  await expectFit(page);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download refused rows' }).click();
  expect(readFileSync(await (await downloading).path(), 'utf8')).toContain(HOSTILE);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator('dt:text-is("Attempts") + dd:text-is("2")').waitFor();
  await page.getByText('failed', { exact: true }).waitFor();
});

test('the file of an export is had, until its time is over', async () => {
  const id = await finishedExport(stack);
  const { page } = await browser.open({ url: stack.url, key, path: `/jobs/${id}` });
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the file' }).click();
  expect(readFileSync(await (await downloading).path(), 'utf8')).toBe(content);
  await stack
    .database('jobs')
    .where({ id })
    .update({ expires_at: new Date(Date.now() - 1_000) });
  await page.reload();
  await page.getByText('The file is no longer there').waitFor();
  await expectFit(page);
});

test('a job that waits is stopped, and a key that may only read is not offered that', async () => {
  const idle = await startStack({ worker: false });
  try {
    const writer = await idle.key();
    const upload = await new Client(idle.url, writer).upload('email,integrationId,identity\n', '', ASYNC);
    const path = `/jobs/${upload.body.jobId}`;
    const reader = await browser.open({ url: idle.url, key: await idle.key('developer_records:read'), path });
    await reader.page.getByRole('progressbar', { name: 'Waiting for a worker' }).waitFor();
    expect(await reader.page.getByRole('button', { name: 'Stop the job' }).count()).toBe(0);
    const { page } = await browser.open({ url: idle.url, key: writer, path });
    await page.getByRole('button', { name: 'Stop the job' }).click();
    await expectFit(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Stop the job' }).click();
    await page.getByText('Canceled', { exact: true }).waitFor();
    await reader.page.getByText('Canceled', { exact: true }).waitFor();
  } finally {
    await idle.stop();
  }
});

test('a job that is not there is said to be so, and asked for no more', async () => {
  const tab = await browser.open({ url: stack.url, key });
  tab.expectError(/404/);
  const { page } = tab;
  await page.clock.install();
  await page.goto(`${stack.url}/jobs/01890a5d-ac96-774b-bcce-b302099a8057`);
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().includes('/v2/jobs/')) asked += 1;
  });
  await page.getByText('Nothing is here').waitFor();
  const before = asked;
  await page.clock.runFor(5_000);
  expect(asked).toBe(before);
});
