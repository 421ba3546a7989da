import { expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { violationsInBothModes } from './accessibility.js';

/** The DOM properties that are read in the browser. */
declare const document: { documentElement: { scrollWidth: number; clientWidth: number } };

/** Returns where an element is in the window as soon as it has not moved between two frames; null if it is not visible. */
export async function settledBox(locator: Locator): ReturnType<Locator['boundingBox']> {
  await (await locator.elementHandle())?.waitForElementState('stable');
  return locator.boundingBox();
}

/**
 * Expects that axe finds no violations in the page, in light and dark mode, and that the page is not wider than its
 * window.
 */
export async function expectFit(page: Page): Promise<void> {
  expect(await violationsInBothModes(page)).toEqual([]);
  const beyond = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
  expect(await page.evaluate(beyond)).toBe(0);
}
