import type { Browser, Page } from 'playwright-core';
import type { PageLoad } from './performance-score.js';

/** Where the console is, and a key for it. */
export interface Access {
  url: string;
  key: string;
}

/** A longer task keeps the page from responding to the user. */
const LONG_TASK_MS = 50;
/** The connection that Lighthouse assumes for a desktop computer: 10 Mbit/s, 40 ms from a request to its response. */
const DESKTOP_BYTES_PER_SECOND = (10 * 1_024 * 1_024) / 8;
const DESKTOP_LATENCY_MS = 40;
/** How long to wait for a page on a busy machine. */
const PATIENCE_MS = 120_000;

const OBSERVER = `
  globalThis.benchLoad = {
    firstPaintMs: 0, largestPaintMs: 0, lastChangeMs: 0, blockingMs: 0, longestTaskMs: 0, layoutShift: 0,
  };
  const observe = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  observe('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') benchLoad.firstPaintMs = startTime;
  });
  observe('largest-contentful-paint', ({ startTime }) => { benchLoad.largestPaintMs = startTime; });
  observe('layout-shift', ({ value }) => { benchLoad.layoutShift += value; });
  observe('longtask', ({ duration }) => {
    benchLoad.blockingMs += duration - ${LONG_TASK_MS};
    benchLoad.longestTaskMs = Math.max(benchLoad.longestTaskMs, duration);
  });
  new MutationObserver(() => { benchLoad.lastChangeMs = performance.now(); })
    .observe(document, { subtree: true, childList: true, characterData: true });
`;

/**
 * Opens a page signed in, without a cache, and waits until it is complete and makes no more requests.
 * @param isSlow whether the connection is that of Lighthouse, instead of that within this machine
 * @param use what to do with the page afterwards
 */
export const loadPage = (
  browser: Browser,
  access: Access,
  path: string,
  isSlow: boolean,
  use?: (page: Page) => Promise<void>,
): Promise<PageLoad> =>
  inPage(browser, async (page) => {
    if (isSlow) await slowDown(page);
    await page.addInitScript(OBSERVER);
    await open(page, access, path);
    const load = (await page.evaluate('benchLoad')) as PageLoad;
    await use?.(page);
    return load;
  });

/** Opens a page signed in, and waits until it is complete and makes no more requests. */
export async function open(page: Page, { url, key }: Access, path: string): Promise<void> {
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(`${url}${path}#key=${key}`, { waitUntil: 'commit' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
}

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: DESKTOP_LATENCY_MS,
    downloadThroughput: DESKTOP_BYTES_PER_SECOND,
    uploadThroughput: DESKTOP_BYTES_PER_SECOND,
  });
}

/** Runs an action in a page of a new context, which has neither cache nor session. */
export async function inPage<Result>(
  browser: Browser,
  action: (page: Page) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
  try {
    return await action(await context.newPage());
  } finally {
    await context.close();
  }
}
