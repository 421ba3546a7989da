import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { receiptOf } from '../../support/api/webhooks.js';
import { sharedBrowser } from '../../support/browser/browser.js';
import { copied, NOT_STORED_YET, runInBash } from '../../support/browser/console-pages.js';
import { MappingPage, reads } from '../../support/browser/mapping-page.js';
import { type Processes, startProcesses } from '../../support/servers/processes.js';

/** A payload that fits no template. */
const PAYLOAD = JSON.stringify({
  monitor: { title: 'Disk almost full', text: '/var has 2% left on db-3', from: 'nodewatch' },
  level: 'critical',
});

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

/** Runs the displayed command as a sender would, and returns the alert that it created. */
async function sendByCommand(page: Page) {
  const { eventId } = await runInBash(await copied(page, 'the command'));
  const { alertIds } = await receiptOf(muster.client, eventId);
  return (await muster.client.get(`/v2/alerts/${alertIds[0]}`)).body.data;
}

/** The alert that both tests below create. */
const EXPECTED = { severity: 'critical', title: 'Disk almost full', source: 'nodewatch', state: 'complete' };

test('an integration is created, mapped by mouse and sent an event with curl', async () => {
  const page = await begin();
  await page.getByRole('link', { name: 'New integration' }).first().click();
  await page.getByLabel('Name').fill('Disks by mouse');
  await page.getByLabel('Description').fill('What nodewatch sends');
  await page.getByRole('button', { name: 'Create integration' }).click();
  await page.getByRole('heading', { name: 'Disks by mouse is ready' }).waitFor();
  expect(await copied(page, 'the URL')).toMatch(/\/api\/v1\/webhook\/[0-9A-Za-z]{22,}$/);

  await page.getByRole('link', { name: 'Edit mapping' }).click();
  const mapping = new MappingPage(page);
  await mapping.paste(PAYLOAD);
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

  await page.getByRole('link', { name: 'Test', exact: true }).click();
  expect(await sendByCommand(page)).toMatchObject(EXPECTED);
  await page.getByRole('link', { name: 'Alerts', exact: true }).click();
  await page.getByRole('link', { name: 'Disk almost full' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Disk almost full' }).waitFor();
  await page.getByText('/var has 2% left on db-3').first().waitFor();
});

test('the same works by keyboard alone', async () => {
  const page = await begin();
  await go(page, page.getByRole('link', { name: 'New integration' }).first(), 'Enter');
  await go(page, page.getByLabel('Name'));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Disks by keyboard');
  await go(page, page.getByRole('button', { name: 'Create integration' }), 'Enter');
  await page.getByRole('heading', { name: 'Disks by keyboard is ready' }).waitFor();
  await go(page, page.getByRole('link', { name: 'Edit mapping' }), 'Enter');

  const mapping = new MappingPage(page);
  await go(page, page.getByRole('radio', { name: 'Example' }));
  await page.keyboard.press('ArrowLeft');
  await go(page, page.getByLabel('Payload (JSON)'));
  await page.keyboard.insertText(PAYLOAD);
  await mapping.field('level').waitFor();
  for (const [path, target] of [
    ['monitor.title', 'Title'],
    ['level', 'Severity'],
    ['monitor.text', 'Description'],
    ['monitor.from', 'Source'],
  ] as const) {
    await pick(page, path);
    await page.keyboard.press('Tab');
    await go(
      page,
      page.getByRole('button', { name: new RegExp(`^Insert .* here.*, into ${target}$`) }),
      'Enter',
      'ArrowDown',
    );
    await reads(mapping.template(target), path);
  }
  await go(page, page.getByRole('button', { name: 'Review and save' }), 'Enter');
  await page.getByRole('dialog').waitFor();
  await go(page, page.getByRole('button', { name: 'Save revision' }), 'Enter');
  await reads(mapping.state, 'Revision 1');

  await go(page, page.getByRole('link', { name: 'Test', exact: true }), 'Enter');
  await page.getByRole('button', { name: 'Send event' }).waitFor();
  expect(await sendByCommand(page)).toMatchObject(EXPECTED);
  await go(page, page.getByRole('button', { name: 'Send event' }), 'Enter');
  await page.getByRole('list', { name: 'Receipt' }).getByRole('link', { name: 'Disk almost full' }).waitFor();
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

/** Moves the focus to a field in the payload tree, wherever it was before, and picks the field. */
async function pick(page: Page, path: string): Promise<void> {
  const field = page.locator(`[data-path="webhook.${path}"]`);
  await go(page, page.locator('[role="treeitem"][tabindex="0"]'));
  await page.keyboard.press('Home');
  await go(page, field, 'Enter', 'ArrowDown');
}
