import type { Page } from 'playwright-core';

const MAX_TEXT = 3_000;
/** A page that hangs must not hold up the test's message. In milliseconds. */
const MAX_WAIT_MS = 2_000;

/** Returns the address, the errors and the text of a page, for the message of a failed test. */
export async function describePage(page: Page, errors: readonly string[]): Promise<string> {
  const text = await page
    .locator('body')
    .innerText({ timeout: MAX_WAIT_MS })
    .catch((error: Error) => `(no text: ${error.message})`);
  const shown = text.replace(/\n{2,}/g, '\n').slice(0, MAX_TEXT);
  return [`The page ${page.url()} shows:`, shown, ...errors.map((error) => `Its error: ${error}`)].join('\n');
}
