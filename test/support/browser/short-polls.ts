import type { Page } from 'playwright-core';

const INTERVAL_MS = 40;

type Retry = (progress: unknown, intervals: number[], action: unknown) => Promise<unknown>;
interface FrameClass {
  retryWithProgressAndTimeouts: Retry;
}
/** The parts of Playwright that the tests replace. It has no option for this. */
interface Internals {
  _connection: { toImpl(page: Page): { mainFrame(): FrameClass } };
}

/**
 * Makes Playwright check every 40 ms whether an element is there. By default it waits 20, 50, 100, 100 and then 500 ms
 * between checks, so that most pages of the console, which are complete after 0.3 s, are noticed after 0.8 s.
 * @returns a function that restores the default
 */
export function shortenPolls(page: Page): () => void {
  const frame = (page as unknown as Internals)._connection.toImpl(page).mainFrame();
  const frames: FrameClass = Object.getPrototypeOf(frame);
  const original = frames.retryWithProgressAndTimeouts;
  frames.retryWithProgressAndTimeouts = function (progress, intervals, action) {
    const shorter = intervals.map((interval) => Math.min(interval, INTERVAL_MS));
    return original.call(this, progress, shorter, action);
  };
  return () => {
    frames.retryWithProgressAndTimeouts = original;
  };
}
