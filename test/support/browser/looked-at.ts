import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Rules, violationsInBothModes } from './accessibility.js';

/** The DOM properties that are read in the browser. */
declare const document: { documentElement: { scrollWidth: number; clientWidth: number } };

/**
 * Expects that axe finds no violations in the page, in light and dark mode, and that the page is not wider than its
 * window.
 */
export async function expectFit(page: Page, rules?: Rules): Promise<void> {
  expect(await violationsInBothModes(page, rules)).toEqual([]);
  const beyond = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
  expect(await page.evaluate(beyond)).toBe(0);
}
