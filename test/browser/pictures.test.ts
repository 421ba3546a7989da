import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { BEAT_EVERY_MS, beat } from '../../workers/queues/heartbeat.js';
import { sharedBrowser, type TabOptions } from '../support/browser/browser.js';
import { type ConsoleStack, startConsoleStack } from '../support/browser/console-pages.js';
import { INVALID_CSV, type LivedIn, liveIn } from '../support/browser/lived-in.js';
import { MappingPage } from '../support/browser/mapping-page.js';
import { until } from '../support/until.js';

/** The folder for the screenshots of the documentation: PICTURES=docs/images. */
const documentationFolder = process.env.PICTURES;
const folder = documentationFolder ?? mkdtempSync(join(tmpdir(), 'muster-pictures-'));
const SIDEWAYS = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

const browser = sharedBrowser();
let own: ConsoleStack;
let there: LivedIn;
let beating: NodeJS.Timeout;
beforeAll(async () => {
  own = await startConsoleStack();
  there = await liveIn(own);
  const { api, prefix } = own.stack;
  beating = setInterval(() => beat(api.redis, prefix, 'host-1').catch(() => {}), BEAT_EVERY_MS);
}, 120_000);
afterAll(async () => {
  clearInterval(beating);
  await own.stack.stop();
  if (!documentationFolder) rmSync(folder, { recursive: true });
});

interface Picture {
  /** The file name without its extension. */
  name: string;
  path: () => string;
  /** A text that is visible once the page has loaded. */
  shows: string;
  /** Runs before the screenshot is taken. */
  first?: (page: Page) => Promise<void>;
}

const MAPPING: Picture = {
  name: 'mapping',
  path: () => `/integrations/${there.datadog.id}/mapping`,
  shows: 'alerts complete',
};
const ALERTS: Picture = { name: 'alerts', path: () => '/alerts', shows: 'The mail queue is growing' };

const PICTURES: readonly Picture[] = [
  { name: 'integrations', path: () => '/integrations', shows: 'Cluster west' },
  { name: 'new-integration', path: () => '/integrations/new?template=datadog', shows: 'Sample payload' },
  MAPPING,
  { ...MAPPING, name: 'review', first: openReview },
  { name: 'test', path: () => `/integrations/${there.datadog.id}/test`, shows: 'Valid JSON', first: sendIt },
  { name: 'settings', path: () => `/integrations/${there.datadog.id}/settings`, shows: 'Webhook URL' },
  { name: 'events', path: () => '/events', shows: 'rejected' },
  { name: 'event', path: () => `/events/${there.eventId}`, shows: 'Original' },
  ALERTS,
  { ...ALERTS, name: 'alert', path: () => '/alerts?state=incomplete', shows: 'incomplete', first: openAlert },
  { name: 'identities', path: () => '/identities', shows: '2,404 identities' },
  { name: 'upload', path: () => '/identities/upload', shows: 'Choose file', first: chooseWrongFile },
  { name: 'jobs', path: () => '/jobs', shows: 'failed' },
  { name: 'job', path: () => `/jobs/${there.jobs.failed}`, shows: 'Download rejected rows' },
  { name: 'changes', path: () => `/jobs/${there.jobs.moved}`, shows: 'What the upload changed' },
  { name: 'keys', path: () => '/keys', shows: 'on-call dashboard' },
  { name: 'health', path: () => '/health', shows: 'host-1' },
];

async function openReview(page: Page): Promise<void> {
  await new MappingPage(page).write('Team', 'Team {{webhook.org.name}}');
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.getByText(/^Last \d+ events?: /).waitFor();
}

async function sendIt(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Send event' }).click();
  await page.getByRole('list', { name: 'Receipt' }).locator('a[href^="/alerts/"]').waitFor();
}

async function openAlert(page: Page): Promise<void> {
  await page.locator('tbody a[href^="/alerts/"]').first().click();
  await page.getByText('Original').waitFor();
}

async function chooseWrongFile(page: Page): Promise<void> {
  const file = { name: 'accounts.csv', mimeType: 'text/csv', buffer: Buffer.from(INVALID_CSV) };
  await page.getByLabel('CSV file').setInputFiles(file);
  await page.getByRole('region', { name: 'First rows' }).waitFor();
}

/** Opens a page, waits until it has loaded, and takes a screenshot. */
async function take({ name, path, shows, first }: Picture, how: Partial<TabOptions> = {}): Promise<void> {
  const { url } = own.stack;
  const tab = await browser.open({ url, key: own.key, path: path(), ...how });
  // The page may request a receipt before the event is stored.
  tab.expectError(/404.*\/v2\/events\//);
  await tab.page.getByText(shows).filter({ visible: true }).first().waitFor();
  await first?.(tab.page);
  const busy = tab.page.locator('[aria-busy=true]');
  await until(`${name} has loaded`, async () => (await busy.count()) === 0);
  await tab.screenshot(join(folder, `${name}.png`));
  expect(await tab.page.evaluate(SIDEWAYS)).toBe(0);
}

/** Without a folder for them, only those that need more than opening a page: each page has tests that open it. */
const isWanted = ({ first }: Picture): boolean => documentationFolder !== undefined || first !== undefined;

test.each(PICTURES.filter(isWanted))('screenshot of $name', (picture) => take(picture));

test('screenshot of sign-in', async () => {
  const tab = await browser.open({ url: own.stack.url });
  await tab.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await tab.screenshot(join(folder, 'sign-in.png'));
  expect(await tab.page.evaluate(SIDEWAYS)).toBe(0);
});

if (documentationFolder) {
  test.each([MAPPING, ALERTS])('screenshots of $name in dark mode and on a phone', async (picture) => {
    await take({ ...picture, name: `${picture.name}-dark` }, { colorScheme: 'dark' });
    // Both show this on a phone, where the last events of a mapping are hidden at first.
    const shows = 'The mail queue is growing';
    await take({ ...picture, name: `${picture.name}-phone`, shows }, { size: 'phone' });
  });
}
