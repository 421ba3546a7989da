import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { makeWebhook } from '../support/api/webhooks.js';
import { visit } from '../support/browser/browser.js';
import { type ConsoleStack, consolePages, startConsoleStack } from '../support/browser/console-pages.js';

let own: ConsoleStack;
const openPage = consolePages(() => own);
beforeAll(async () => {
  own = await startConsoleStack({ worker: false });
});
afterAll(() => own.stack.stop());

const UNAVAILABLE = [/status of 503/];

/** Makes the API respond with 503 at a path. Resolves when the page has given up its retries and shows the error. */
async function makeUnavailable(page: Page, path: string): Promise<void> {
  const body = {
    status: 'error',
    code: 'unavailable',
    message: 'API unavailable',
    requestId: 'r',
    errors: [],
    errorCount: 0,
  };
  await page.route(`**${path}`, (route) => route.fulfill({ status: 503, json: body }));
  // Each return to the tab loads what is some seconds old, which the page does by itself after 10 or 15 s.
  await page.evaluate("setInterval(() => dispatchEvent(new Event('visibilitychange')), 500)");
  await page.getByRole('alert').getByText('API unavailable').waitFor({ timeout: 30_000 });
}

describe('while the API is unavailable', () => {
  test('unsaved input on an integration stays', async () => {
    const webhook = await makeWebhook(own.client);
    const page = await openPage(`/integrations/${webhook.id}/settings`, { expectedErrors: UNAVAILABLE });
    await page.getByLabel('Description').fill('typed but not saved');
    await makeUnavailable(page, `/v2/webhooks/${webhook.id}`);
    expect(await page.getByLabel('Description').inputValue()).toBe('typed but not saved');
  });

  test('a loaded list stays', async () => {
    const page = await openPage('/keys', { expectedErrors: UNAVAILABLE });
    await page.getByText('current', { exact: true }).waitFor();
    await makeUnavailable(page, '/v2/keys');
    expect(await page.getByText('current', { exact: true }).count()).toBe(1);
  });
});

test('a closed dialog returns the focus to the button that opened it', async () => {
  const page = await openPage('/keys');
  for (const [path, opener, closer] of [
    ['/keys', 'New key', 'Cancel'],
    ['/keys', 'New key', 'Close'],
    ['/identities', 'Export', 'Cancel'],
    ['/identities', 'Add identity', 'Cancel'],
  ] as const) {
    await visit(page, path);
    await page.getByRole('main').getByRole('button', { name: opener }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: closer }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('button:focus', { hasText: opener }).waitFor();
  }
});

test('a pause after a space does not drop the space from the search', async () => {
  const page = await openPage('/alerts');
  const search = page.getByLabel('Search', { exact: true });
  await search.pressSequentially('checkout ');
  await page.waitForURL(/search=checkout$/);
  await search.pressSequentially('down');
  await page.waitForURL(/search=checkout\+down$/);
});

test('a reopened confirmation does not contain the text typed before', async () => {
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

test('a new page starts at the top with the focus on it, and going back restores the scroll position', async () => {
  const page = await openPage('/integrations', { size: 'phone' });
  for (let number = 0; number < 30; number += 1) await makeWebhook(own.client, { name: `Number ${number}` });
  await page.reload();
  const link = page.getByRole('link', { name: 'Number 0', exact: true });
  // Scrolls as far as the click does, and waits until nothing moves.
  await link.click({ trial: true });
  const before = await page.evaluate('window.scrollY');
  expect(before).toBeGreaterThan(100);
  await link.click();
  await page.getByRole('heading', { name: 'Alert fields' }).waitFor();
  await page.waitForFunction("window.scrollY === 0 && document.activeElement.id === 'page'");
  await page.goBack();
  await link.waitFor();
  await page.waitForFunction(`window.scrollY === ${before}`);
});

test('a page never reports a missing scope before the scopes are loaded', async () => {
  const page = await openPage('/integrations/new');
  await page.addInitScript(`new MutationObserver(() => {
    if (document.body?.textContent.includes('This key cannot')) sessionStorage.setItem('reported', 'yes');
  }).observe(document, { subtree: true, childList: true });`);
  await page.route('**/v2/keys/current', async (route) => {
    await page.getByRole('status', { name: 'Loading' }).waitFor();
    await route.continue();
  });
  await page.reload();
  await page.getByText('Start blank').waitFor();
  expect(await page.evaluate(`sessionStorage.getItem('reported')`)).toBeNull();
});
