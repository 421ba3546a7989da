import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page, Response } from 'playwright-core';
import { Client } from '../support/api/client.js';
import { makeWebhook } from '../support/api/webhooks.js';
import { sharedBrowser } from '../support/browser/browser.js';
import { holdRequests } from '../support/browser/hold-requests.js';
import { type Stack, startStack } from '../support/servers/stack.js';

const MAX_SCRIPT_BYTES = 165_000;
/** Scripts and styles, without the font, which no page waits for. */
const MAX_BYTES = 280 * 1_024;
const MAX_FONT_BYTES = 50 * 1_024;
/** Over HTTP/1.1 a browser requests six files at a time. */
const MAX_SCRIPTS = 24;

const browser = sharedBrowser();
let stack: Stack;
let key: string;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  key = await stack.key();
});
afterAll(() => stack.stop());

/** Records the console files that the browser loads meanwhile. Returns their gzipped sizes in bytes, by path. */
async function loadsOf(page: Page, action: () => Promise<void>): Promise<Map<string, number>> {
  const loads: Promise<[string, number]>[] = [];
  const note = (response: Response) => {
    const { pathname } = new URL(response.url());
    if (/^\/(v2|readyz)\b/.test(pathname)) return;
    loads.push(response.body().then((body) => [pathname, gzipSync(body).length]));
  };
  page.on('response', note);
  await action();
  page.off('response', note);
  return new Map(await Promise.all(loads));
}

const sum = (sizes: Iterable<number>): number => [...sizes].reduce((total, size) => total + size, 0);

test('signing in and opening a page loads at most 24 scripts with 165 kB together, 280 KiB in all, and a font', async () => {
  const { page } = await browser.open({ url: stack.url });
  for (const [path, title] of [
    ['/', 'Integrations'],
    ['/integrations', 'Integrations'],
    ['/alerts', 'Alerts'],
    ['/events', 'Events'],
    ['/identities', 'Identities'],
    ['/jobs', 'Jobs'],
  ] as const) {
    await page.evaluate('sessionStorage.clear()');
    await page.goto('about:blank');
    const sizes = await loadsOf(page, async () => {
      await page.goto(stack.url + path);
      await page.getByLabel('API key').fill(key);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await page.waitForLoadState('networkidle');
    });
    const sizesOf = (type: string) =>
      [...sizes].filter(([name]) => name.endsWith(type)).map(([, bytes]) => bytes);
    const [scripts, fonts] = [sizesOf('.js'), sizesOf('.woff2')];
    const found = [
      [scripts.length, MAX_SCRIPTS],
      [sum(scripts), MAX_SCRIPT_BYTES],
      [sum(fonts), MAX_FONT_BYTES],
      [sum(sizes.values()) - sum(fonts), MAX_BYTES],
    ] as const;
    expect({ path, above: found.filter(([is, limit]) => is > limit) }).toEqual({ path, above: [] });
    expect(scripts.length).toBeGreaterThan(1);
    expect(fonts.length).toBe(1);
  }
});

/** The scripts of the frame. While they are held, a page has only what is loaded before the frame runs. */
const FRAME = /\/console\/assets\/index-[^/]*\.js$/;

test('the code and the data of the page of one thing are requested before the frame has run, each once', async () => {
  const { page, expectError } = await browser.open({ url: stack.url, key, path: '/keys' });
  expectError(/404/);
  await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  for (const [noun, resource, file] of [
    ['integrations', 'webhooks', 'integration'],
    ['alerts', 'alerts', 'alert-page'],
    ['events', 'events', 'event-page'],
    ['jobs', 'jobs', 'job-page'],
  ]) {
    const release = await holdRequests(page, FRAME);
    const data = `/v2/${resource}/${randomUUID()}`;
    requested.length = 0;
    const early = ['/v2/keys/current', data, `/assets/${file}-`].map((part) =>
      page.waitForRequest((request) => request.url().includes(part)),
    );
    const frame = page.waitForRequest(FRAME);
    await page.goto(`${stack.url}/${noun}/${data.split('/').at(-1)}`, { waitUntil: 'commit' });
    await Promise.all([frame, ...early]);
    expect(await page.locator('header').count()).toBe(0);
    release();
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    expect(requested.filter((one) => one === data || one === '/v2/keys/current')).toHaveLength(2);
    await page.unrouteAll();
  }
});

test('firing alerts are requested before the frame has run, if the key may read alerts', async () => {
  const own = new Client(stack.url, key);
  const { id } = await makeWebhook(own);
  const reader = await stack.key('webhooks:read');
  for (const [signedIn, isRequested] of [
    [key, true],
    [reader, false],
  ] as const) {
    const { page } = await browser.open({ url: stack.url, key: signedIn, path: '/integrations' });
    await page.getByRole('heading', { level: 1, name: 'Integrations' }).waitFor();
    const release = await holdRequests(page, FRAME);
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    const counted = page.waitForRequest('**/v2/health', { timeout: 60_000 }).catch(() => null);
    const current = page.waitForResponse('**/v2/keys/current');
    await page.goto(`${stack.url}/integrations/${id}/events`, { waitUntil: 'commit' });
    await (await current).finished();
    if (isRequested) expect(await counted).not.toBeNull();
    release();
    await page.getByRole('navigation', { name: 'Integration tabs' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(requested.filter((one) => one === '/v2/health')).toHaveLength(isRequested ? 1 : 0);
  }
});

/** Runs in the browser before the page. Notes whether a placeholder was ever below the tabs of an integration. */
const WATCH_TAB = `
  new MutationObserver(() => {
    const bar = document.querySelector('nav[aria-label="Integration tabs"]');
    if (bar?.parentElement.parentElement.querySelector('[data-shape=details]')) globalThis.wasPlaceholder = true;
  }).observe(document, { subtree: true, childList: true });
`;

test('a tab whose code was loaded early is shown without a placeholder', async () => {
  const { id } = await makeWebhook(new Client(stack.url, key));
  const { page } = await browser.open({ url: stack.url, key, path: '/keys' });
  await page.addInitScript(WATCH_TAB);
  const release = await holdRequests(page, FRAME);
  const code = page.waitForResponse(/\/assets\/settings-[^/]*\.js$/);
  await page.goto(`${stack.url}/integrations/${id}/settings`, { waitUntil: 'commit' });
  await (await code).finished();
  release();
  await page.getByRole('region', { name: 'Signature' }).waitFor();
  expect(await page.evaluate('globalThis.wasPlaceholder')).toBeUndefined();
});
