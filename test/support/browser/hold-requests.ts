import type { Page } from 'playwright-core';

/** Holds the requests of a page that match, until the function that it returns is called. */
export async function holdRequests(page: Page, url: string | RegExp): Promise<() => void> {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}
