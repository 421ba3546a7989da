import type { Page } from 'playwright-core';

/**
 * Notes how far the first element of a selector is from the top of the document, in each frame of the pages that are loaded from now on.
 * @returns a function that returns the distances in pixels so far, each once, in the order in which they came
 */
export async function watchPlaces(page: Page, selector: string): Promise<() => Promise<number[]>> {
  await page.addInitScript(`
    globalThis.places = new Set();
    requestAnimationFrame(function look() {
      const element = document.querySelector(${JSON.stringify(selector)});
      if (element) places.add(Math.round(element.getBoundingClientRect().top + scrollY));
      requestAnimationFrame(look);
    });`);
  return () => page.evaluate('[...places]');
}

/** Waits for some frames, in which a page shows what has arrived. */
export const someFrames = (page: Page): Promise<unknown> =>
  page.evaluate('(async () => { for (let i = 0; i < 10; i++) await new Promise(requestAnimationFrame); })()');
