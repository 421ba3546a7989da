import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { accessibilityViolations } from '../support/browser/accessibility.js';
import { sharedBrowser, visit } from '../support/browser/browser.js';
import { FILL_STORAGE } from '../support/browser/full-storage.js';
import { someFrames } from '../support/browser/places.js';
import { type Stack, startStack } from '../support/servers/stack.js';
import { until } from '../support/until.js';

const browser = sharedBrowser();
let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ worker: false });
});
afterAll(() => stack.stop());

const switchKey = (page: Page) => page.getByRole('button', { name: 'Switch key' }).click();
const follow = (link: string) => `location.assign(${JSON.stringify(link)})`;

test('the link of npm start signs in a console that is already open', async () => {
  const { page } = await browser.open({ url: stack.url, path: '/keys' });
  await page.getByLabel('API key').waitFor();
  await page.evaluate(follow(`/keys#key=${await stack.key()}`));
  await page.getByText('current', { exact: true }).waitFor();
  expect(page.url()).toBe(`${stack.url}/keys`);
});

test('after a switch nothing of the previous key is shown', async () => {
  const { page } = await browser.open({ url: stack.url, key: await stack.key(), path: '/alerts' });
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByLabel('Name of this view').fill('Mine');
  await page.getByRole('button', { name: 'Save view' }).click();
  const announcer = page.getByTestId('announcer');
  await announcer.getByText('View Mine saved').waitFor({ state: 'attached' });
  await page.keyboard.press('Escape');
  await visit(page, '/keys');
  await page.getByText('current', { exact: true }).waitFor();
  await page.evaluate(follow(`/keys#key=${await stack.key('alerts:read')}`));
  await switchKey(page);
  await page.getByText('Page not found').waitFor();
  expect((await announcer.textContent())?.trim()).toBe('');
  expect(await page.getByText('current', { exact: true }).count()).toBe(0);
  expect(page.url()).toBe(`${stack.url}/keys`);
});

const storedKey = (page: Page) => page.evaluate("sessionStorage.getItem('muster.key')");

test('a link with another key asks before it replaces the session, also when it loads the page; one with the same key does not', async () => {
  const own = await stack.key();
  const { page } = await browser.open({ url: stack.url, key: own, path: '/keys' });
  await page.getByText('current', { exact: true }).waitFor();
  const seen: string[] = [];
  page.on('request', (request) => void seen.push(request.headers().authorization ?? ''));
  const foreign = await stack.key();
  await page.evaluate(follow(`/keys#key=${foreign}`));
  const dialog = page.getByRole('dialog', { name: 'Switch to another API key?' });
  await dialog.waitFor();
  expect(page.url()).toBe(`${stack.url}/keys`);
  expect(await accessibilityViolations(page)).toEqual([]);
  expect(await storedKey(page)).toBe(own);
  await dialog.getByRole('button', { name: 'Stay signed in' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.goto('about:blank');
  await page.goto(`${stack.url}/keys#key=${foreign}`);
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await storedKey(page)).toBe(own);
  await page.evaluate(follow(`/keys#key=${own}`));
  await page.waitForURL(`${stack.url}/keys`);
  await someFrames(page);
  expect(await dialog.count()).toBe(0);
  expect(seen.filter((header) => header.includes(foreign))).toEqual([]);
});

test('an invalid key shows an error at the input, and ends no session', async () => {
  const tab = await browser.open({ url: stack.url });
  tab.expectError(/401/);
  await tab.page.getByLabel('API key').fill('mstr_wrong');
  const response = tab.page.waitForResponse('**/v2/keys/current');
  await tab.page.getByRole('button', { name: 'Sign in' }).click();
  await tab.page.getByText((await (await response).json()).message).waitFor();
  expect(await tab.page.getByText('You were signed out').count()).toBe(0);
});

test('a late 401 for the previous key does not sign out the current one', async () => {
  const [first, second] = [await stack.key('admin'), await stack.key('admin')];
  const tab = await browser.open({ url: stack.url, key: first, path: '/keys' });
  tab.expectError(/401/);
  const { page } = tab;
  let respond = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    respond = resolve;
  });
  await page.route('**/v2/keys', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await held;
    await route.fulfill({ status: 401, json: { message: 'no such key' } });
  });
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name').fill('late');
  await page.getByRole('checkbox', { name: 'alerts:read' }).check();
  const requested = page.waitForRequest((request) => request.method() === 'POST');
  const responded = page.waitForResponse((response) => response.status() === 401);
  await page.getByRole('button', { name: 'Create key' }).click();
  await requested;
  await page.evaluate(follow(`/keys#key=${second}`));
  await switchKey(page);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  respond();
  await (await responded).finished();
  await page.reload();
  await page.getByText('current', { exact: true }).waitFor();
});

test('a new tab has the session of the tab that was used last, unless the browser has signed out since; nothing of it is on disk', async () => {
  const [first, second] = [await stack.key('admin'), await stack.key('admin')];
  const { page, another } = await browser.open({ url: stack.url, key: first, path: '/keys' });
  await page.getByText('current', { exact: true }).waitFor();
  const other = await another('/keys');
  await other.getByText('current', { exact: true }).waitFor();
  expect(await storedKey(other)).toBe(first);
  await other.evaluate(follow(`/keys#key=${second}`));
  await switchKey(other);
  await until('the key was switched', async () => (await storedKey(other)) === second);
  expect(await storedKey(page)).toBe(first);
  await page.bringToFront();
  await page.evaluate("dispatchEvent(new Event('focus'))");
  const third = await another('/keys');
  await third.getByText('current', { exact: true }).waitFor();
  expect(await storedKey(third)).toBe(first);
  expect(await page.evaluate('JSON.stringify(localStorage) + document.cookie')).not.toContain(first);
  // Browsers tell all tabs of a sign-out but the one that made it, so this tab is as if it were told late: it hands nothing over.
  await page.evaluate("localStorage.setItem('muster.sign-out', 'elsewhere')");
  const late = await another('/keys');
  await late.getByLabel('API key').waitFor();
  expect(await storedKey(late)).toBeNull();
});

test('a link with another key also asks in a new tab, and signs in if the session of the browser is invalid', async () => {
  const offered = await stack.key();
  const valid = await browser.open({ url: stack.url, key: await stack.key(), path: '/keys' });
  await valid.page.getByText('current', { exact: true }).waitFor();
  // A busy tab replies late.
  await valid.page.evaluate(
    'setTimeout(() => { for (const end = Date.now() + 1_500; Date.now() < end; ); }, 50), 0',
  );
  const asked = await valid.another(`/keys#key=${offered}`);
  await asked.getByRole('dialog', { name: 'Switch to another API key?' }).waitFor();
  const invalid = await browser.open({ url: stack.url, path: '/keys' });
  invalid.expectError(/401|ERR_FAILED/);
  await invalid.page.route('**/v2/**', (route) => route.abort());
  await invalid.page.evaluate(follow('/keys#key=mstr_revoked'));
  const late = await invalid.another(`/keys#key=${offered}`);
  await late.getByText('current', { exact: true }).waitFor();
  expect(await storedKey(late)).toBe(offered);
});

test('signing out ends the sessions of all tabs, and a sign-in starts those that ask for a key', async () => {
  const key = await stack.key();
  const { page, another } = await browser.open({ url: stack.url, key, path: '/keys' });
  await page.getByText('current', { exact: true }).waitFor();
  const [other, asleep] = [await another('/alerts'), await another('/keys')];
  await asleep.getByText('current', { exact: true }).waitFor();
  await asleep.goto('about:blank');
  await page.getByRole('button', { name: /^test/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await other.getByText('You signed out in another tab.').waitFor();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await asleep.goBack();
  await asleep.getByLabel('API key').waitFor();
  expect(await storedKey(asleep)).toBeNull();
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await other.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
  await asleep.getByText('current', { exact: true }).waitFor();
});

test('signing out clears the storage of the tab, also if that of the browser is full', async () => {
  const { page } = await browser.open({ url: stack.url, key: await stack.key() });
  await page.getByRole('heading', { level: 1, name: 'Integrations' }).waitFor();
  await page.evaluate("sessionStorage.setItem('muster.paste.1', '{}')");
  await page.evaluate(FILL_STORAGE);
  await page.getByRole('button', { name: /^test/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await page.evaluate('sessionStorage.length')).toBe(0);
  expect(await page.evaluate("localStorage.getItem('muster.sign-out')")).toMatch(/^\d+$/);
});

/** Runs in the browser before the page, as a browser behaves that blocks the data of sites. */
const BLOCK_STORAGE = `
  for (const name of ['localStorage', 'sessionStorage']) {
    const get = () => { throw new DOMException('Access is denied for this document.', 'SecurityError'); };
    Object.defineProperty(globalThis, name, { get });
  }
`;

test('a browser that blocks its storage can be signed in until its page is left', async () => {
  const { page } = await browser.open({ url: stack.url });
  await page.addInitScript(BLOCK_STORAGE);
  const key = await stack.key();
  await page.goto(`${stack.url}/keys#key=${key}`);
  await page.getByText('current', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^test/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('current', { exact: true }).waitFor();
  await page.goto(`${stack.url}/keys`);
  await page.getByLabel('API key').waitFor();
});
