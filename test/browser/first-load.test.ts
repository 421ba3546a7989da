import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { sharedBrowser } from '../support/browser/browser.js';
import { type Stack, startStack } from '../support/servers/stack.js';

const MAX_SCRIPT_BYTES = 170_000;
/** Scripts and styles, without the font, which no page waits for. */
const MAX_BYTES = 280 * 1_024;
const MAX_FONT_BYTES = 50 * 1_024;

const browser = sharedBrowser();
let stack: Stack;
let key: string;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  key = await stack.key();
});
afterAll(() => stack.stop());

/** Records the console files that the browser loads from now on. Returns their gzipped sizes in bytes, by path. */
function watchLoads(page: Page): () => Promise<Map<string, number>> {
  const loads: Promise<[string, number]>[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (/^\/(v2|readyz)\b/.test(pathname)) return;
    loads.push(response.body().then((body) => [pathname, gzipSync(body).length]));
  });
  return async () => new Map(await Promise.all(loads));
}

const sum = (sizes: Iterable<number>): number => [...sizes].reduce((total, size) => total + size, 0);

test.each([
  ['/', 'Integrations'],
  ['/integrations', 'Integrations'],
  ['/alerts', 'Alerts'],
  ['/events', 'Events'],
  ['/identities', 'Identities'],
  ['/jobs', 'Jobs'],
])(
  'signing in and opening %s loads at most 170 kB of scripts, 280 KiB in all, and a font',
  async (path, title) => {
    const { page } = await browser.open({ url: stack.url });
    await page.goto('about:blank');
    const loaded = watchLoads(page);
    await page.goto(stack.url + path);
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await page.waitForLoadState('networkidle');
    const sizes = await loaded();
    const sizesOf = (type: string) =>
      [...sizes].filter(([name]) => name.endsWith(type)).map(([, bytes]) => bytes);
    const [scripts, fonts] = [sizesOf('.js'), sizesOf('.woff2')];
    expect(scripts.length).toBeGreaterThan(1);
    expect(sum(scripts)).toBeLessThanOrEqual(MAX_SCRIPT_BYTES);
    expect(fonts.length).toBe(1);
    expect(sum(fonts)).toBeLessThanOrEqual(MAX_FONT_BYTES);
    expect(sum(sizes.values()) - sum(fonts)).toBeLessThanOrEqual(MAX_BYTES);
  },
);
