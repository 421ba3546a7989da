import { afterAll, afterEach, beforeAll, expect, jest } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from './chromium.js';
import { Contexts, type KeptContext } from './contexts.js';
import { describePage } from './describe-page.js';
import { shortenPolls } from './short-polls.js';

export const sizes = { desk: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

export interface TabOptions {
  /** The API's address, such as `http://127.0.0.1:3000`. */
  url: string;
  /** The API key to sign in with, as with the link that `npm start` prints. Default: not signed in. */
  key?: string;
  /** The user name and password for HTTP authentication. */
  credentials?: { username: string; password: string };
  /** The page to open. Default `/`. */
  path?: string;
  size?: keyof typeof sizes;
  colorScheme?: 'light' | 'dark';
}

/** A page with separate cookies and storage. */
export interface Tab {
  page: Page;
  /** The page's errors so far, see `watchPageErrors`. */
  errors: readonly string[];
  /** Declares errors that the test expects. They do not fail it. */
  expectError(pattern: RegExp): void;
  /** Opens another tab of the same browser. */
  another(path: string): Promise<Page>;
  /** Saves a screenshot of the viewport as PNG, without animations. Creates missing folders. */
  screenshot(path: string): Promise<void>;
}

/** Where Jest's environment finds the function that describes what a failed test was looking at. */
const DESCRIBE_FAILURE = Symbol.for('muster.describe-failure');

/**
 * Starts one browser for all tests of a file and closes it after the last one. A test fails at its end if its tabs had
 * errors that it did not expect. The message of a failed test shows the text of its pages.
 *
 * @param describeServer what else a failed test's message shows, such as the server's last warnings
 */
export function sharedBrowser(describeServer = (): string => ''): {
  open(options: TabOptions): Promise<Tab>;
} {
  jest.setTimeout(120_000);
  let browser: Browser;
  let contexts: Contexts;
  let restorePolls: (() => void) | undefined;
  const open: { tab: Tab; kept: KeptContext; expected: RegExp[] }[] = [];
  beforeAll(async () => {
    browser = await launchChromium();
    contexts = new Contexts(browser);
    Reflect.set(globalThis, DESCRIBE_FAILURE, async () => {
      const pages = await Promise.all(open.map(({ tab }) => describePage(tab.page, tab.errors)));
      return [...pages, describeServer()].join('\n\n');
    });
  });
  afterEach(async () => {
    const unexpected = await Promise.all(
      open.splice(0).map(async ({ kept, expected }) => {
        const errors = await contexts.release(kept);
        return errors.filter((error) => !expected.some((pattern) => pattern.test(error)));
      }),
    );
    expect(unexpected.flat()).toEqual([]);
  });
  afterAll(async () => {
    Reflect.deleteProperty(globalThis, DESCRIBE_FAILURE);
    restorePolls?.();
    await browser?.close();
  });
  return {
    async open({ url, key, credentials, path = '/', size = 'desk', colorScheme = 'light' }) {
      const how = {
        reducedMotion: 'reduce' as const,
        permissions: ['clipboard-read', 'clipboard-write'],
        ...(credentials ? { httpCredentials: credentials } : {}),
      };
      const { origin } = new URL(url);
      const left = key ? contexts.takeConsole(origin, how) : null;
      const { kept, page } = left ?? (await contexts.open(origin, how));
      const setLook = async (its: Page): Promise<void> => {
        await its.setViewportSize(sizes[size]);
        await its.emulateMedia({ colorScheme });
      };
      await setLook(page);
      restorePolls ??= shortenPolls(page);
      const expected: RegExp[] = [];
      const tab: Tab = {
        page,
        errors: kept.errors,
        expectError: (pattern) => void expected.push(pattern),
        another: async (path) => {
          const other = await kept.context.newPage();
          await setLook(other);
          await other.goto(url + path);
          return other;
        },
        screenshot: async (file) => void (await page.screenshot({ path: file, animations: 'disabled' })),
      };
      open.push({ tab, kept, expected });
      if (key && left) {
        await signInAgain(page, path, key);
        const during = kept.errors.splice(0);
        kept.errors.push(...during.filter((error) => !WITHOUT_KEY.test(error)));
      } else if (key) await signIn(page, url + path, key);
      else await page.goto(url + path);
      return tab;
    },
  };
}

const isSignedIn = ({ hash }: URL): boolean => !hash.includes('key=');

/** Opens a page with the key in its link, and waits until the console has removed the key from the address. */
async function signIn(page: Page, url: string, key: string): Promise<void> {
  await page.goto(`${url}#key=${key}`);
  await page.waitForURL(isSignedIn);
}

/** Goes to another page of the console as its links do, without loading it again. */
export const visit = (page: Page, path: string): Promise<unknown> =>
  page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`);

/** What a console may ask once more while the test before signs it out. The response may come later. */
const WITHOUT_KEY = /401 \(Unauthorized\) \(.*\/v2\/keys\/current\)$/;

/** Signs in to a console that is open, without loading it. */
async function signInAgain(page: Page, path: string, key: string): Promise<void> {
  await visit(page, path);
  await page.evaluate(`location.hash = 'key=${key}'`);
  await page.waitForURL(isSignedIn);
}
