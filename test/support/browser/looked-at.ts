import { expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { type Look, violationsInBothModes, violationsOnBothSizes } from './accessibility.js';

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
  await expectNotSideways(page);
}

/**
 * Expects the same of a page on a desk and on a phone, and leaves it on the phone.
 * @param shown waits until the page has what is looked at
 */
export async function expectFitOnBoth(page: Page, shown: Look = async () => {}): Promise<void> {
  const look: Look = async (size) => {
    await shown(size);
    await expectNotSideways(page);
  };
  expect(await violationsOnBothSizes(page, look)).toEqual([]);
}

/** Expects that the page is not wider than its window. */
async function expectNotSideways(page: Page): Promise<void> {
  const beyond = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
  expect(await page.evaluate(beyond)).toBe(0);
}
