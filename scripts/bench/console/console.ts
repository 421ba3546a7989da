import axe, { type AxeResults } from 'axe-core';
import { chromium, type Page } from 'playwright-core';
import { findChromium } from '../../find-chromium.js';
import { type Benchmark, median } from '../benchmark.js';
import { cpuSeconds, peakRssMb } from '../children.js';
import { startBenchStack } from '../stack.js';
import { fillPages } from './filled-pages.js';
import { loadPage } from './page-load.js';
import { type PageLoad, performanceScore } from './performance-score.js';
import { scrollAlerts } from './scroll.js';

/** A page without scripts from the same server. */
const FLOOR = '/guide/handshakes';
const args = ['--headless', '--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--no-first-run'];

/**
 * Measures how long each page of the console takes to its largest contentful paint, in a new browser context each time, with a day of
 * alerts. For each page it also prints an estimate of Lighthouse's performance score, on the connection that Lighthouse assumes for a
 * desktop computer, and how many of axe's rules the page violates; Lighthouse's accessibility score is 100 if none. Then it scrolls a
 * long list. Floor: a page of the guide, which has no scripts. The result is that of the slowest page.
 */
export const consolePages: Benchmark = async (context) => {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('Chromium not found. Set CHROMIUM_PATH.');
  const stack = await startBenchStack(context);
  const browser = await chromium.launch({ executablePath, args });
  try {
    const paths = await fillPages(stack, context);
    const times = new Map<string, number>();
    for (const path of [FLOOR, ...paths]) {
      const load = (isSlow: boolean, use?: (page: Page) => Promise<void>) =>
        loadPage(browser, stack, path, isSlow, use);
      let violations = Number.NaN;
      const [local, slow] = [
        await medianOf(context.runs, (run) =>
          load(false, async (page) => {
            if (run === 0) violations = await countViolations(page);
          }),
        ),
        await medianOf(context.runs, () => load(true)),
      ];
      times.set(path, local.largestPaintMs);
      context.say(report(path, local, slow, violations));
    }
    const before = cpuSeconds(stack.api.pid);
    context.say(await scrollAlerts(browser, stack));
    context.say(
      `the API spent ${(cpuSeconds(stack.api.pid) - before).toFixed(2)} s of CPU on the scrolled list`,
    );
    const floor = times.get(FLOOR) ?? Number.NaN;
    const ours = Math.max(...paths.map((path) => times.get(path) ?? Number.NaN));
    return { name: 'console', ratio: floor / ours, ours, floor, unit: 'ms', rssMb: peakRssMb(stack.api.pid) };
  } finally {
    await browser.close();
    await stack.stop();
  }
};

/** Loads a page several times. Returns the median of each figure. */
async function medianOf(runs: number, load: (run: number) => Promise<PageLoad>): Promise<PageLoad> {
  const all: PageLoad[] = [];
  for (let run = 0; run < runs; run++) all.push(await load(run));
  const of = (name: keyof PageLoad): number => median(all.map((one) => one[name]));
  return {
    firstPaintMs: of('firstPaintMs'),
    largestPaintMs: of('largestPaintMs'),
    lastChangeMs: of('lastChangeMs'),
    blockingMs: of('blockingMs'),
    longestTaskMs: of('longestTaskMs'),
    layoutShift: of('layoutShift'),
  };
}

/** Returns how many rules of axe a page violates. */
async function countViolations(page: Page): Promise<number> {
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
  return violations.length;
}

/** Returns the medians of a page in words. */
const report = (path: string, local: PageLoad, slow: PageLoad, violations: number): string =>
  `${path.replace(/[0-9a-f-]{36}/, 'ID')}: largest paint ${local.largestPaintMs.toFixed(0)} ms, layout shift ${local.layoutShift.toFixed(3)}, ` +
  `blocked ${local.blockingMs.toFixed(0)} ms, longest task ${local.longestTaskMs.toFixed(0)} ms; ` +
  `with 10 Mbit/s: largest paint ${slow.largestPaintMs.toFixed(0)} ms, complete after ${slow.lastChangeMs.toFixed(0)} ms, ` +
  `performance score about ${performanceScore(slow).toFixed(2)}; axe: ${violations} violations`;
