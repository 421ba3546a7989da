import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { accessibilityViolations } from './accessibility.js';

/** What the page is asked in the browser. */
declare const document: { documentElement: { scrollWidth: number; clientWidth: number } };

/** Has axe look at the page as it stands, light and dark, and sees that it is no wider than its window. */
export async function expectFit(page: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await accessibilityViolations(page)).toEqual([]);
  }
  const beyond = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
  expect(await page.evaluate(beyond)).toBe(0);
}
