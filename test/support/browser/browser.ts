import { afterAll, afterEach, beforeAll, expect, jest } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from './chromium.js';
import { watchPageErrors } from './page-errors.js';

const sizes = { desk: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

export interface TabOptions {
  /** The API's address, such as `http://127.0.0.1:3000`. */
  url: string;
  /** The API key to sign in with, as the link does that `npm start` prints. Default: nobody signs in. */
  key?: string;
  /** What to say when the server asks for a name and a password, as people do in the browser's own dialog. */
  credentials?: { username: string; password: string };
  /** Where to go. Default `/`. */
  path?: string;
  size?: keyof typeof sizes;
  colorScheme?: 'light' | 'dark';
}

/** A page with cookies and storage of its own. */
export interface Tab {
  page: Page;
  /** What went wrong in it so far: see `watchPageErrors`. */
  errors: readonly string[];
  /** Says that errors like this one are what the test is about: they do not fail it. */
  expectError(pattern: RegExp): void;
  /** Saves what is to be seen of it now as PNG, once nothing moves. Folders are made as needed. */
  screenshot(path: string): Promise<void>;
}

/**
 * One browser for all tests of the file that calls this, gone after the last. A test fails at its end for what went
 * wrong in its tabs, unless it expected that.
 */
export function sharedBrowser(): { open(options: TabOptions): Promise<Tab> } {
  jest.setTimeout(120_000);
  let browser: Browser;
  const open: { tab: Tab; context: BrowserContext; expected: RegExp[] }[] = [];
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterEach(async () => {
    const ending = open.splice(0);
    await Promise.all(ending.map(({ context }) => context.close()));
    const unexpected = ending.flatMap(({ tab, expected }) =>
      tab.errors.filter((error) => !expected.some((pattern) => pattern.test(error))),
    );
    expect(unexpected).toEqual([]);
  });
  afterAll(() => browser?.close());
  return {
    async open({ url, key, credentials, path = '/', size = 'desk', colorScheme = 'light' }) {
      const context = await browser.newContext({
        viewport: sizes[size],
        colorScheme,
        reducedMotion: 'reduce',
        permissions: ['clipboard-read', 'clipboard-write'],
        ...(credentials ? { httpCredentials: credentials } : {}),
      });
      const errors = await watchPageErrors(context);
      const page = await context.newPage();
      const expected: RegExp[] = [];
      const tab: Tab = {
        page,
        errors,
        expectError: (pattern) => void expected.push(pattern),
        screenshot: async (file) => void (await page.screenshot({ path: file, animations: 'disabled' })),
      };
      open.push({ tab, context, expected });
      if (key) await signIn(page, url, key);
      if (!key || path !== '/') await page.goto(url + path);
      return tab;
    },
  };
}

/** The console takes the key out of the address as soon as it has it. */
async function signIn(page: Page, url: string, key: string): Promise<void> {
  await page.goto(`${url}/#key=${key}`);
  await page.waitForURL(({ hash }) => !hash.includes('key='));
}
