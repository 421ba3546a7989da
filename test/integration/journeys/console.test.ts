import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { receiptOf } from '../../support/api/webhooks.js';
import { sharedBrowser } from '../../support/browser/browser.js';
import { copied, NOT_STORED_YET, runInBash } from '../../support/browser/console-pages.js';
import { MappingPage, reads } from '../../support/browser/mapping-page.js';
import { type Processes, startProcesses } from '../../support/servers/processes.js';

/** What a sender is said to post; no template knows it. */
const PAYLOAD = JSON.stringify({
  monitor: { title: 'Disk almost full', text: '/var has 2 % left on db-3', from: 'nodewatch' },
  level: 'critical',
});

let muster: Processes;
const browser = sharedBrowser();
beforeAll(async () => {
  muster = await startProcesses();
}, 60_000);
afterAll(() => muster.stop());

/** The console as the link of `npm start` opens it, and the first page of somebody who has nothing yet. */
async function begin(): Promise<Page> {
  const { page, expectError } = await browser.open({ url: muster.url, key: muster.key });
  expectError(NOT_STORED_YET);
  page.setDefaultTimeout(30_000);
  await page.getByRole('heading', { level: 1, name: 'Integrations' }).waitFor();
  return page;
}

/** Runs the command that is shown, as the sender would, and answers the alert that it became. */
async function sendByCommand(page: Page) {
  const { eventId } = await runInBash(await copied(page, 'the command'));
  const { alertIds } = await receiptOf(muster.client, eventId);
  return (await muster.client.get(`/v2/alerts/${alertIds[0]}`)).body.data;
}

/** What is drawn in both ways below. */
const DRAWN = { severity: 'critical', title: 'Disk almost full', source: 'nodewatch', state: 'complete' };

test('from New integration to the alert of a curl command, drawn by mouse', async () => {
  const page = await begin();
  await page.getByRole('link', { name: 'New integration' }).first().click();
  await page.getByLabel('Name').fill('Disks by mouse');
  await page.getByLabel('Description').fill('What nodewatch sends');
  await page.getByRole('button', { name: 'Create integration' }).click();
  await page.getByRole('heading', { name: 'Disks by mouse is ready' }).waitFor();
  expect(await copied(page, 'the URL')).toMatch(/\/api\/v1\/webhook\/[0-9A-Za-z]{22,}$/);

  await page.getByRole('link', { name: 'Draw the mapping' }).click();
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
  await page.getByRole('button', { name: 'Save the mapping' }).click();
  await reads(mapping.state, 'revision 1');

  await page.getByRole('link', { name: 'Test', exact: true }).click();
  expect(await sendByCommand(page)).toMatchObject(DRAWN);
  await page.getByRole('link', { name: 'Alerts', exact: true }).click();
  await page.getByRole('link', { name: 'Disk almost full' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Disk almost full' }).waitFor();
  await page.getByText('/var has 2 % left on db-3').first().waitFor();
});

test('the same by keyboard alone', async () => {
  const page = await begin();
  await go(page, page.getByRole('link', { name: 'New integration' }).first(), 'Enter');
  await go(page, page.getByLabel('Name'));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Disks by keyboard');
  await go(page, page.getByRole('button', { name: 'Create integration' }), 'Enter');
  await page.getByRole('heading', { name: 'Disks by keyboard is ready' }).waitFor();
  await go(page, page.getByRole('link', { name: 'Draw the mapping' }), 'Enter');

  const mapping = new MappingPage(page);
  await go(page, page.getByRole('radio', { name: 'Sample' }));
  await page.keyboard.press('ArrowLeft');
  await go(page, page.getByLabel('A payload, as JSON'));
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
      page.getByRole('button', { name: new RegExp(`^Insert .* here, into ${target}$`) }),
      'Enter',
      'ArrowDown',
    );
    await reads(mapping.template(target), `{{webhook.${path}}}`);
  }
  await go(page, page.getByRole('button', { name: 'Review and save' }), 'Enter');
  await page.getByRole('dialog').waitFor();
  await go(page, page.getByRole('button', { name: 'Save the mapping' }), 'Enter');
  await reads(mapping.state, 'revision 1');

  await go(page, page.getByRole('link', { name: 'Test', exact: true }), 'Enter');
  await page.getByRole('button', { name: 'Send it' }).waitFor();
  expect(await sendByCommand(page)).toMatchObject(DRAWN);
  await go(page, page.getByRole('button', { name: 'Send it' }), 'Enter');
  await page.getByRole('list', { name: 'Receipt' }).getByRole('link', { name: 'Disk almost full' }).waitFor();
});

const FARTHEST = 150;

/** Presses Tab, or another key, until the focus is where it is wanted; what is behind it comes from its beginning. */
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

/** Goes to a field in the tree of the payload, wherever in it one was last, and picks it. */
async function pick(page: Page, path: string): Promise<void> {
  const field = page.locator(`[data-path="webhook.${path}"]`);
  await go(page, page.locator('[role="treeitem"][tabindex="0"]'));
  await page.keyboard.press('Home');
  await go(page, field, 'Enter', 'ArrowDown');
}
