import type { Browser, Page } from 'playwright-core';
import { percentile } from '../benchmark.js';
import { type Access, inPage, open } from './page-load.js';

/** Pages of alerts that are loaded after the first one, before the list is scrolled. */
const MORE_PAGES = 15;
const PAGE_SIZE = 50;
const ROWS = (MORE_PAGES + 1) * PAGE_SIZE;
const FRAMES = 180;
/** How far each frame scrolls: a quick turn of the wheel. */
const STEP_PX = 80;
const FRAME_MS = 1_000 / 60;
const DAY_MS = 86_400_000;

/** Runs in the browser. Returns the milliseconds from each frame to the next. */
const SCROLL = `(async () => {
  const nextFrame = () => new Promise((done) => requestAnimationFrame(done));
  scrollTo({ top: 0, behavior: 'instant' });
  const times = [await nextFrame()];
  for (let frame = 0; frame < ${FRAMES}; frame++) {
    scrollBy({ top: ${STEP_PX}, behavior: 'instant' });
    times.push(await nextFrame());
  }
  return times.slice(1).map((time, frame) => time - times[frame]);
})()`;

/** Runs in the browser. Returns the HTML of the navigation and of the list, their inline styles in order, and the style sheets. */
const COPY = `(() => {
  const parts = [document.querySelector('header'), document.querySelector('table[aria-rowcount]').closest('section')];
  const styles = parts.flatMap((part) => [part, ...part.querySelectorAll('*')]).map(({ style }) => style.cssText);
  const sheets = [...document.querySelectorAll('link[rel=stylesheet]')].map(({ href }) => href);
  return { html: parts.map((part) => part.outerHTML).join(''), styles, sheets };
})()`;

/** Runs in the browser. Shows the copy as a page without scripts, with all rows in it. The content security policy blocks inline styles in HTML. */
const show = (copy: unknown): string => `(async () => {
  const { html, styles, sheets } = ${JSON.stringify(copy)};
  document.head.querySelector('link[rel=stylesheet]').remove();
  document.documentElement.dataset.mantineColorScheme = 'light';
  await Promise.all(sheets.map((href) => new Promise((onload) =>
    document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href, onload })))));
  document.body.innerHTML = html;
  document.body.querySelectorAll('*').forEach((element, place) => { element.style.cssText = styles[place]; });
  const body = document.querySelector('tbody');
  body.querySelectorAll('[data-space]').forEach((row) => row.remove());
  const rows = [...body.rows];
  while (body.rows.length < ${ROWS}) body.append(rows[body.rows.length % rows.length].cloneNode(true));
})()`;

/**
 * Scrolls through a long list of alerts, a step in each frame. Returns in words what a frame costs and how many came in time. Floor: the
 * same rows as a table without scripts, all of them in the page.
 */
export const scrollAlerts = (browser: Browser, access: Access): Promise<string> =>
  inPage(browser, async (page) => {
    // A range that ends now moves on, and the list starts again.
    const from = new Date(Date.now() - DAY_MS).toISOString();
    await open(page, access, `/alerts?from=${from}`);
    const more = page.getByRole('button', { name: 'Show more' });
    for (let loaded = 2; loaded <= MORE_PAGES + 1; loaded++) {
      await more.click();
      // With the head.
      await page.locator(`table[aria-rowcount="${loaded * PAGE_SIZE + 1}"]`).waitFor();
    }
    const copy = await page.evaluate(COPY);
    const ours = await scroll(page);
    await page.goto(`${access.url}/guide/handshakes`);
    await page.evaluate(show(copy));
    const floor = await scroll(page);
    return (
      `scrolling ${ROWS} alerts: ${describe(ours)}; floor, a table without scripts: ${describe(floor)}; ` +
      `${(ours.perSecond / floor.perSecond).toFixed(2)} × the frames of the floor`
    );
  });

interface Frames {
  /** Percent of the frames. */
  inTime: number;
  perSecond: number;
  p95Ms: number;
  longestMs: number;
  /** CPU of the page's main thread for a frame, in milliseconds. */
  cpuMs: number;
  /** The part of it in scripts. */
  scriptMs: number;
}

async function scroll(page: Page): Promise<Frames> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const cpu = async (): Promise<[total: number, scripts: number]> => {
    const { metrics } = await session.send('Performance.getMetrics');
    const msOf = (name: string) => 1_000 * (metrics.find((one) => one.name === name)?.value ?? Number.NaN);
    return [msOf('TaskDuration'), msOf('ScriptDuration')];
  };
  const before = await cpu();
  const frames = (await page.evaluate(SCROLL)) as number[];
  const [total, scripts] = await cpu();
  await session.detach();
  // The clock of the frames varies by some milliseconds. A frame that comes more than half a frame late was missed.
  const inTime = frames.filter((ms) => ms < 1.5 * FRAME_MS).length;
  return {
    inTime: (100 * inTime) / frames.length,
    perSecond: (1_000 * frames.length) / frames.reduce((sum, ms) => sum + ms, 0),
    p95Ms: percentile(frames, 95),
    longestMs: Math.max(...frames),
    cpuMs: (total - before[0]) / frames.length,
    scriptMs: (scripts - before[1]) / frames.length,
  };
}

const describe = ({ inTime, perSecond, p95Ms, longestMs, cpuMs, scriptMs }: Frames): string =>
  `${cpuMs.toFixed(1)} ms of CPU a frame, ${scriptMs.toFixed(1)} ms of it in scripts, ${inTime.toFixed(1)}% of the frames in time, ${perSecond.toFixed(1)} a second, p95 ${p95Ms.toFixed(1)} ms, longest ${longestMs.toFixed(1)} ms`;
