import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { ALERT, makeWebhook } from '../support/api/webhooks.js';
import { accessibilityViolations } from '../support/browser/accessibility.js';
import { visit } from '../support/browser/browser.js';
import {
  type ConsoleStack,
  consolePages,
  startConsoleStack,
  storeEvent,
} from '../support/browser/console-pages.js';
import { FILL_STORAGE } from '../support/browser/full-storage.js';
import { MappingPage } from '../support/browser/mapping-page.js';

let own: ConsoleStack;
const openPage = consolePages(() => own);
beforeAll(async () => {
  own = await startConsoleStack();
});
afterAll(() => own.stack.stop());

/** Selects a text with the mouse, from its left edge to its right one. */
async function selectText(page: Page, text: Locator): Promise<void> {
  const box = await text.boundingBox();
  if (!box) throw new Error('The text is not visible.');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + 1, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 1, y, { steps: 4 });
  await page.mouse.up();
}

const pathOf = (page: { url(): string }): string => new URL(page.url()).pathname;

test('an empty installation greets with three steps, which are ticked when they are done', async () => {
  const page = await openPage('/integrations');
  const steps = page.getByRole('region', { name: 'First steps' });
  await steps.getByRole('link', { name: 'Create an integration' }).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  const { id, path } = await makeWebhook(own.client, { name: 'First' });
  await page.reload();
  expect(await steps.getByRole('link', { name: 'Send a test' }).getAttribute('href')).toBe(
    `/integrations/${id}/test`,
  );
  expect(await steps.getByText('(done)').count()).toBe(2);
  await storeEvent(own, path, ALERT);
  // The time of the last event is written after a while.
  await own.stack.database('webhook_tokens').update({ last_used_at: new Date() });
  await page.reload();
  await page.getByRole('link', { name: 'First', exact: true }).waitFor();
  await steps.waitFor({ state: 'detached' });
});

test('each page has a link to its documentation', async () => {
  const page = await openPage('/identities/upload');
  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Help', exact: true }).click();
  const help = await opened;
  await help.getByRole('heading', { level: 1, name: 'Importing identities' }).waitFor();
  expect(new URL(help.url()).pathname + new URL(help.url()).hash).toBe('/guide/importing#csv');
  expect(await accessibilityViolations(help)).toEqual([]);
  await help.getByRole('link', { name: 'Muster', exact: true }).click();
  await help.getByRole('heading', { level: 1 }).waitFor();
});

test('all times are in UTC if that is chosen, also after a reload', async () => {
  const { path } = await makeWebhook(own.client);
  const { id } = await storeEvent(own, path, ALERT);
  const page = await openPage(`/events/${id}`);
  await page.getByRole('heading', { name: 'Receipt' }).waitFor();
  expect(await page.getByText(/:\d\d [AP]M UTC/).count()).toBe(0);
  await page.getByRole('button', { name: 'test · admin' }).click();
  await page.getByRole('menuitemradio', { name: 'UTC', exact: true }).click();
  await page
    .getByText(/:\d\d.* UTC/)
    .first()
    .waitFor();
  await page.reload();
  await page
    .getByText(/:\d\d.* UTC/)
    .first()
    .waitFor();
  await visit(page, '/alerts?from=2026-03-01T10:20:00.000Z');
  await page.getByRole('button', { name: /^Time: Since .*10:20.* UTC$/ }).click();
  expect(await page.getByLabel('From (UTC)').inputValue()).toBe('2026-03-01T10:20');
});

test('a setting that the browser cannot store applies to the tab, and the page says so', async () => {
  const page = await openPage('/alerts');
  await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
  await page.evaluate(FILL_STORAGE);
  await page.getByRole('button', { name: 'test · admin' }).click();
  await page.getByRole('menuitemradio', { name: 'UTC', exact: true }).click();
  await page
    .getByRole('alert')
    .getByText(/The browser could not store your choice/)
    .waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Time', exact: true }).click();
  await page.getByLabel('From (UTC)').waitFor();
});

test('the end of an upload is reported on any page, with a link to its job', async () => {
  const page = await openPage('/identities/upload');
  const csv = {
    name: 'accounts.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('email,integrationId,identity\n'),
  };
  await page.getByLabel('CSV file').setInputFiles(csv);
  await page.route('**/v2/jobs/*', async (route) => {
    await page.waitForURL('**/keys');
    await route.continue();
  });
  await page.getByRole('button', { name: 'Start dry run' }).click();
  await page.waitForURL(/dryRun/);
  await page.getByRole('link', { name: 'Keys' }).click();
  await page.getByRole('alert').getByText('Identity import (dry run) of accounts.csv:').waitFor();
  await page.getByRole('alert').getByRole('link', { name: 'View job' }).click();
  await page.waitForURL('**/jobs/*');
  await page.getByRole('heading', { level: 1, name: 'Identity import (dry run)' }).waitFor();
  await page.getByRole('main').getByText('accounts.csv', { exact: true }).waitFor();
});

describe('the palette', () => {
  test('opens an integration by its name, and an alert by an ID in any text', async () => {
    const { id, path } = await makeWebhook(own.client, { name: 'Cluster west' });
    const event = await storeEvent(own, path, ALERT);
    const page = await openPage('/keys', { expectedErrors: [/404.*\/v2\//] });
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
    await page.keyboard.press('Control+k');
    const input = page.getByRole('combobox', { name: 'Page, integration or ID' });
    await input.fill('west');
    const option = page.getByRole('option', { name: 'Cluster west' });
    await page.locator('[role=option][aria-selected=true]', { hasText: 'Cluster west' }).waitFor();
    expect(await input.getAttribute('aria-activedescendant')).toBe(await option.getAttribute('id'));
    expect(await accessibilityViolations(page)).toEqual([]);
    await input.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Cluster west' }).waitFor();
    expect(pathOf(page)).toBe(`/integrations/${id}`);

    const [alertId] = event.alertIds;
    await page.getByRole('button', { name: 'Go to…' }).click();
    await input.fill(`GET /v2/alerts/${alertId} 200`);
    await page.getByRole('option', { name: `Alert ${alertId}` }).click();
    await page.waitForURL(`**/alerts/${alertId}`);
    expect(await page.getByRole('dialog').count()).toBe(0);

    await page.keyboard.press('Control+k');
    await input.fill('019aa6a1-3f2c-7b1e-9d11-012345678000');
    await page.getByText('No integration, alert, event or job has this ID.').first().waitFor();
  });

  test('asks before it leaves unsaved changes', async () => {
    const { id } = await makeWebhook(own.client);
    const page = await openPage(`/integrations/${id}/mapping`);
    await new MappingPage(page).write('Team', 'on call');
    await page.getByRole('button', { name: 'Go to…' }).click();
    await page.getByRole('option', { name: 'Alerts', exact: false }).first().click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
    await page.getByRole('dialog', { name: 'Go to' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL('**/alerts');
  });
});

test('a row is a link as a whole, its text can be selected, and the page it opens leads to the next row', async () => {
  const { id, path } = await makeWebhook(own.client, { name: 'Rows' });
  const ids: string[] = [];
  for (const name of ['first', 'second', 'third']) {
    const { alertIds } = await storeEvent(own, path, { ...ALERT, alert: { ...ALERT.alert, name } });
    ids.unshift(alertIds[0]);
  }
  const page = await openPage(`/alerts?webhookId=${id}`);
  const cell = page.getByRole('row', { name: /second/ }).getByText('payment-api');
  await selectText(page, cell);
  expect(await page.evaluate('getSelection().toString()')).toContain('payment');
  expect(pathOf(page)).toBe('/alerts');
  const opened = page.context().waitForEvent('page');
  await cell.click({ button: 'middle' });
  const tab = await opened;
  await tab.waitForURL(`**/alerts/${ids[1]}?webhookId=${id}`);
  await tab.close();
  await page
    .getByRole('row', { name: /second/ })
    .getByText('platform')
    .click();
  await page.waitForURL(`**/alerts/${ids[1]}?webhookId=${id}`);
  await page.getByRole('link', { name: 'Previous alert' }).click();
  await page.getByRole('heading', { level: 1, name: 'third' }).waitFor();
  expect(await page.getByRole('link', { name: 'Previous alert' }).count()).toBe(0);
  // The list is loaded again after a reload.
  await page.reload();
  await page.getByRole('link', { name: 'Next alert' }).waitFor();
  await page.keyboard.press('j');
  await page.getByRole('heading', { level: 1, name: 'second' }).waitFor();
  await page.getByRole('link', { name: 'Next alert' }).waitFor();
  await page.keyboard.press('j');
  await page.getByRole('heading', { level: 1, name: 'first' }).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Alerts', exact: true }).click();
  await page.waitForURL(`**/alerts?webhookId=${id}`);
  await page.getByRole('row', { name: /first/ }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.locator('a:focus', { hasText: 'second' }).waitFor();
});

describe('keyboard shortcuts', () => {
  test('are listed under ?, and the list turns single keys off', async () => {
    const page = await openPage('/alerts');
    await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.getByText('Go to Health').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await dialog.getByRole('switch', { name: 'Single-key shortcuts' }).click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Go to' }).waitFor();
    expect(await dialog.count()).toBe(0);
  });

  test('open pages, but never while the user types', async () => {
    const page = await openPage('/alerts');
    const search = page.getByLabel('Search', { exact: true });
    await search.pressSequentially('g e?');
    await search.press('Control+k');
    await page.waitForURL(/search=g\+e/);
    expect(await page.getByRole('dialog').count()).toBe(0);
    // A chosen radio button has the focus, but takes no text.
    await page.getByRole('radiogroup', { name: 'Alerts' }).getByText('All', { exact: true }).click();
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor();
  });

  test('are left to the browser on a page without a search or a list', async () => {
    const page = await openPage('/health');
    await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor();
    // Runs after the listener of the page.
    await page.evaluate(`
      window.taken = [];
      window.addEventListener('keydown', ({ key, defaultPrevented }) => window.taken.push([key, defaultPrevented]));
    `);
    for (const key of ['/', 'j', '?']) await page.keyboard.press(key);
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    expect(await page.evaluate('window.taken')).toEqual([
      ['/', false],
      ['j', false],
      ['?', true],
    ]);
  });
});
