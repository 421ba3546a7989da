import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { receiptOf, sendEvent } from '../../support/api/webhooks.js';
import { sharedBrowser } from '../../support/browser/browser.js';
import { copied, NOT_STORED_YET } from '../../support/browser/console-pages.js';
import { countInputs } from '../../support/browser/count-inputs.js';
import { MappingPage, reads } from '../../support/browser/mapping-page.js';
import { type Processes, startProcesses } from '../../support/servers/processes.js';

/** A payload that fits no template. */
const PAYLOAD = {
  monitor: { title: 'Disk almost full', text: '/var has 2% left on db-3', from: 'nodewatch' },
  level: 'critical',
};

/** What the seven steps may take at most. */
const MAX_CLICKS = 8;
const MAX_DRAGS = 4;
const MAX_PRESSES = 40;

let muster: Processes;
const browser = sharedBrowser();
beforeAll(async () => {
  muster = await startProcesses();
}, 60_000);
afterAll(() => muster.stop());

/** Opens the console as the link of `npm start` does, on the first page of a new installation. */
async function begin(): Promise<Page> {
  const { page, expectError } = await browser.open({ url: muster.url, key: muster.key });
  expectError(NOT_STORED_YET);
  page.setDefaultTimeout(30_000);
  await page.getByRole('heading', { level: 1, name: 'Integrations' }).waitFor();
  return page;
}

/** Sends an event to an address as a source would, and returns the alert that it creates. */
async function sendTo(address: unknown) {
  const { pathname } = new URL(String(address));
  const response = await sendEvent(muster.url, pathname, PAYLOAD);
  const { eventId } = (await response.json()) as { eventId: string };
  const { alertIds } = await receiptOf(muster.client, eventId);
  return (await muster.client.get(`/v2/alerts/${alertIds[0]}`)).body.data;
}

/** The alert that both tests below create. */
const EXPECTED = { severity: 'critical', title: 'Disk almost full', source: 'nodewatch', state: 'complete' };

test(`by mouse, ${MAX_CLICKS} clicks and ${MAX_DRAGS} drags lead from nothing to the first alert`, async () => {
  const page = await begin();
  const inputs = await countInputs(page);
  await page.getByRole('link', { name: 'New integration' }).first().click();
  await page.getByLabel('Name').click();
  await page.keyboard.type('Disks by mouse');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Disks by mouse is ready' }).waitFor();
  const url = await copied(page, 'the URL');
  expect(url).toMatch(/\/api\/v1\/webhook\/[0-9A-Za-z]{22,}$/);
  await sendTo(url);

  await page.getByRole('link', { name: 'Edit mapping' }).click();
  const mapping = new MappingPage(page);
  for (const [field, target] of [
    ['title', 'Title'],
    ['level', 'Severity'],
    ['text', 'Description'],
    ['from', 'Source'],
  ] as const) {
    await mapping.drag(mapping.field(field), mapping.row(target));
  }
  await reads(mapping.result('Severity'), 'critical');
  await reads(mapping.result('Source'), 'nodewatch');
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.getByRole('button', { name: 'Save revision' }).click();
  await reads(mapping.state, 'Revision 1');

  expect(await sendTo(url)).toMatchObject(EXPECTED);
  await page.getByRole('link', { name: 'Alerts', exact: true }).click();
  await page.getByRole('link', { name: 'Disk almost full' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Disk almost full' }).waitFor();
  await page.getByText('/var has 2% left on db-3').first().waitFor();
  const { clicks, drags } = await inputs();
  expect(clicks).toBeLessThanOrEqual(MAX_CLICKS);
  expect(drags).toBeLessThanOrEqual(MAX_DRAGS);
});

test(`by keyboard alone, ${MAX_PRESSES} keys besides the typed text do the same`, async () => {
  const page = await begin();
  const inputs = await countInputs(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Page, integration or ID' }).waitFor();
  await page.keyboard.type('New integration');
  await page.locator('[role=option][aria-selected=true]', { hasText: 'New integration' }).waitFor();
  await page.keyboard.press('Enter');
  const name = page.getByLabel('Name');
  await name.waitFor();
  await page.keyboard.press('/');
  await go(page, name);
  await page.keyboard.type('Disks by keyboard');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Disks by keyboard is ready' }).waitFor();
  await go(page, page.getByRole('button', { name: 'Copy the URL' }), 'Enter');
  await page.getByTestId('announcer').getByText('Copied the URL').waitFor({ state: 'attached' });
  const url = await page.evaluate('navigator.clipboard.readText()');
  await sendTo(url);
  await go(page, page.getByRole('link', { name: 'Edit mapping' }), 'Enter');

  const mapping = new MappingPage(page);
  await mapping.field('level').waitFor();
  await page.keyboard.press('/');
  await go(page, page.locator('[role="treeitem"][tabindex="0"]'));
  for (const [path, target] of [
    ['monitor.title', 'Title'],
    ['monitor.text', 'Description'],
    ['monitor.from', 'Source'],
    ['level', 'Severity'],
  ] as const) {
    await go(page, page.locator(`[data-path="webhook.${path}"]`), 'Enter', 'ArrowDown');
    const place = page.getByRole('button', { name: new RegExp(`^Insert .* here.*, into ${target}$`) });
    await go(page, place, 'Enter', 'ArrowDown');
    await reads(mapping.template(target), path);
  }
  await page.keyboard.press('Control+s');
  await page.locator('button:focus', { hasText: 'Save revision' }).waitFor();
  await page.keyboard.press('Enter');
  await reads(mapping.state, 'Revision 1');

  const alert = await sendTo(url);
  expect(alert).toMatchObject(EXPECTED);
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await page.locator(`main a[href*="/alerts/${alert.id}"]`).waitFor();
  await page.keyboard.press('j');
  await page.locator(`a[href*="/alerts/${alert.id}"]:focus`).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Disk almost full' }).waitFor();
  const { clicks, presses } = await inputs();
  expect(clicks).toBe(0);
  expect(presses).toBeLessThanOrEqual(MAX_PRESSES);
});

const FARTHEST = 150;

/** Presses Tab, or another key, until the element has the focus, then presses `then`. */
async function go(page: Page, to: Locator, then?: string, by = 'Tab'): Promise<void> {
  await to.waitFor({ state: 'attached' });
  for (let pressed = 0; pressed < FARTHEST; pressed++) {
    if (await to.evaluate(isFocused)) break;
    await page.keyboard.press(by);
  }
  expect(await to.evaluate(isFocused)).toBe(true);
  if (then) await page.keyboard.press(then);
}

/** Runs in the browser. */
const isFocused = (element: { matches(selector: string): boolean }): boolean => element.matches(':focus');
