import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { makeWebhook } from '../support/api/webhooks.js';
import { type ConsoleStack, consolePages, startConsoleStack } from '../support/browser/console-pages.js';

let own: ConsoleStack;
const openPage = consolePages(() => own);
beforeAll(async () => {
  own = await startConsoleStack({ worker: false });
});
afterAll(() => own.stack.stop());

const AWAY = [/status of 503/];

/** From now on the API cannot answer such requests; resolves when the page has asked and asked again, and given up. */
async function takeAway(page: Page, path: string): Promise<void> {
  const body = {
    status: 'error',
    code: 'unavailable',
    message: 'away',
    requestId: 'r',
    errors: [],
    errorCount: 0,
  };
  await page.route(`**${path}`, (route) => route.fulfill({ status: 503, json: body }));
  await page.getByRole('alert').getByText('away').waitFor({ timeout: 30_000 });
}

describe('while the API is away', () => {
  test('what was typed on an integration stays', async () => {
    const webhook = await makeWebhook(own.client);
    const page = await openPage(`/integrations/${webhook.id}/settings`, { expectedErrors: AWAY });
    await page.getByLabel('Description').fill('typed, and not saved yet');
    await takeAway(page, `/v2/webhooks/${webhook.id}`);
    expect(await page.getByLabel('Description').inputValue()).toBe('typed, and not saved yet');
  });

  test('a list stays as it was read', async () => {
    const page = await openPage('/keys', { expectedErrors: AWAY });
    await page.getByText('current', { exact: true }).waitFor();
    await takeAway(page, '/v2/keys');
    expect(await page.getByText('current', { exact: true }).count()).toBe(1);
  });
});

describe('a dialog gives the focus back to what opened it', () => {
  test.each([
    ['/keys', 'New key', 'Cancel'],
    ['/keys', 'New key', 'Close'],
    ['/identities', 'Export', 'Cancel'],
    ['/identities', 'Add identity', 'Cancel'],
  ])('%s: %s, %s', async (path, opener, closer) => {
    const page = await openPage(path);
    await page.getByRole('main').getByRole('button', { name: opener }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: closer }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).toBe(opener);
  });
});

test('a pause behind a space loses no space of what is searched for', async () => {
  const page = await openPage('/alerts');
  const search = page.getByLabel('Search', { exact: true });
  await search.pressSequentially('checkout ');
  await page.waitForURL(/search=checkout$/);
  await search.pressSequentially('down');
  await page.waitForURL(/search=checkout\+down$/);
});

test('what was typed to confirm is not there when it is asked again', async () => {
  const webhook = await makeWebhook(own.client, { name: 'Checkout' });
  const page = await openPage(`/integrations/${webhook.id}/settings`);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Delete integration' }).click();
  await dialog.getByRole('textbox').fill('Checkout');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Delete integration' }).click();
  expect(await dialog.getByRole('textbox').inputValue()).toBe('');
  expect(await dialog.getByRole('button', { name: 'Delete integration' }).isDisabled()).toBe(true);
});

test('another page begins at its top, with the focus on it, and the way back leads to where one was', async () => {
  const page = await openPage('/integrations', { size: 'phone' });
  for (let number = 0; number < 30; number += 1) await makeWebhook(own.client, { name: `Number ${number}` });
  await page.reload();
  const link = page.getByRole('link', { name: 'Number 0', exact: true });
  await link.scrollIntoViewIfNeeded();
  const before = await page.evaluate('window.scrollY');
  expect(before).toBeGreaterThan(100);
  await link.click();
  await page.getByRole('heading', { name: 'Alert fields' }).waitFor();
  expect(await page.evaluate('window.scrollY')).toBe(0);
  expect(await page.evaluate('document.activeElement.id')).toBe('page');
  await page.goBack();
  await link.waitFor();
  await page.waitForFunction(`window.scrollY === ${before}`);
});

test('a key that may do a thing is never told that it may not', async () => {
  const page = await openPage('/integrations/new');
  await page.addInitScript(`new MutationObserver(() => {
    if (document.body?.textContent.includes('This key may not')) sessionStorage.setItem('told', 'yes');
  }).observe(document, { subtree: true, childList: true });`);
  await page.route('**/v2/keys/current', async (route) => {
    await page.getByRole('status', { name: 'Loading' }).waitFor();
    await route.continue();
  });
  await page.reload();
  await page.getByText('Start blank').waitFor();
  expect(await page.evaluate(`sessionStorage.getItem('told')`)).toBeNull();
});
