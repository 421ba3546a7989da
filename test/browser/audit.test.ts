import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../support/api/client.js';
import { makeWebhook } from '../support/api/webhooks.js';
import { sharedBrowser } from '../support/browser/browser.js';
import { expectFitOnBoth } from '../support/browser/looked-at.js';
import { type Stack, startStack } from '../support/servers/stack.js';

const HOSTILE = '<img src=x onerror=alert(1)>';

const browser = sharedBrowser();
let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

test('somebody finds who changed an integration, sees what, and downloads that', async () => {
  const reader = await stack.key('audit:read', 'webhooks:read');
  const { page } = await browser.open({ url: stack.url, key: reader, path: '/audit' });
  await page.getByText('No changes yet').waitFor();
  const { id } = await makeWebhook(client, { name: HOSTILE });
  await client.json('PATCH', `/v2/webhooks/${id}`, {
    description: `A long line. ${'x'.repeat(300)}`,
    signature: { scheme: 'github', secret: 'a-secret-that-nobody-sees' },
  });
  await client.json('POST', '/v2/keys', { name: 'another', scopes: ['alerts:read'] });
  await page
    .getByRole('paragraph')
    .filter({ hasText: /^3 changes$/ })
    .waitFor();
  await expectFitOnBoth(page);
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.getByRole('button', { name: 'On what' }).click();
  await page.getByRole('option', { name: /^integration/ }).click();
  await page.keyboard.press('Escape');
  await page
    .getByRole('paragraph')
    .filter({ hasText: /^2 changes$/ })
    .waitFor();
  expect(new URL(page.url()).search).toContain('objectKind=integration');
  await page.getByRole('button', { name: `2 changes: Update webhook, ${HOSTILE}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Update webhook' });
  await dialog.getByText('A long line.').waitFor();
  await dialog.getByText('"secret": "***"').waitFor();
  expect(await dialog.innerText()).not.toContain('a-secret');
  await expectFitOnBoth(page);
  await page.setViewportSize({ width: 1280, height: 800 });

  await dialog.getByRole('button', { name: 'Show all changes of it' }).click();
  expect(new URL(page.url()).search).toContain(`objectId=${id}`);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
  expect(lines).toHaveLength(3);
  await page.getByRole('link', { name: HOSTILE }).first().click();
  await page.getByRole('heading', { level: 1, name: HOSTILE }).waitFor();
});
