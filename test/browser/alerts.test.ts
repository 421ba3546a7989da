import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { ALERT, makeWebhook, type TestWebhook } from '../support/api/webhooks.js';
import { accessibilityViolations } from '../support/browser/accessibility.js';
import { visit } from '../support/browser/browser.js';
import {
  type ConsoleStack,
  consolePages,
  startConsoleStack,
  storeEvent,
} from '../support/browser/console-pages.js';
import { FILL_STORAGE } from '../support/browser/full-storage.js';
import { settledBox } from '../support/browser/looked-at.js';
import { until } from '../support/until.js';

/**
 * Runs in the browser. Scrolls by some rows. Returns whether others came into view, and how many attributes of the rows that stayed were
 * changed in the page. What was rendered again without a change of the page is not seen: the benchmark measures that.
 */
const SCROLL_UP = `(async () => {
  const frames = async () => { for (let i = 0; i < 5; i++) await new Promise(requestAnimationFrame); };
  const rows = () => [...document.querySelectorAll('table[aria-rowcount] tbody tr:not([data-space])')];
  scrollBy({ top: -2_000, behavior: 'instant' });
  await frames();
  const before = rows();
  let changes = 0;
  const observer = new MutationObserver((records) => { changes += records.length; });
  for (const row of before.slice(8, -8)) observer.observe(row, { attributes: true });
  scrollBy({ top: -150, behavior: 'instant' });
  await frames();
  return { isMoved: rows()[0] !== before[0], changes };
})()`;
/** Runs in the browser. Tells the page that its window was hidden, or is visible again. */
const setHidden = (hidden: boolean) => `{
  const values = { hidden: ${hidden}, visibilityState: '${hidden ? 'hidden' : 'visible'}' };
  for (const [name, value] of Object.entries(values)) Object.defineProperty(document, name, { configurable: true, value });
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
}`;
const UNCHANGED = { isMoved: true, changes: 0 };

let own: ConsoleStack;
const openPage = consolePages(() => own);
beforeAll(async () => {
  own = await startConsoleStack();
});
afterAll(() => own.stack.stop());

const store = ({ path }: TestWebhook, body: unknown) => storeEvent(own, path, body);

const named = (name: string, more: object = {}) => ({ ...ALERT, alert: { ...ALERT.alert, name, ...more } });

/** Chooses a value of a filter, and closes the choice. */
async function choose(page: Page, filter: string, option: RegExp): Promise<void> {
  await page.getByRole('button', { name: filter, exact: true }).click();
  await page.getByRole('option', { name: option }).click();
  await page.keyboard.press('Escape');
}

const titles = (page: Page) => page.locator('td a[href^="/alerts/"]').allInnerTexts();

describe('the alert list', () => {
  test('keeps its filters in the address, also after a reload', async () => {
    const webhook = await makeWebhook(own.client, { name: 'Filtered' });
    const other = await makeWebhook(own.client, { name: 'Not this one' });
    await store(webhook, named('Filter one'));
    await store(webhook, named('Filter two', { severity: 'info' }));
    await store(other, named('Filter three'));
    const page = await openPage('/alerts');
    await page.getByLabel('Search', { exact: true }).fill('filter');
    await choose(page, 'Integration', /^Filtered 2$/);
    // Severity by the keyboard: the counts are those of the other filters.
    const filters = page.getByRole('search', { name: 'Filters' });
    await filters.getByRole('button', { name: 'Severity', exact: true }).press('Enter');
    await page.getByRole('option', { name: 'critical 1' }).waitFor();
    await page.keyboard.type('CRIT');
    await page.getByRole('option', { name: 'info' }).waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Filter two' }).waitFor({ state: 'detached' });
    const address = new URL(page.url()).searchParams;
    expect(Object.fromEntries(address)).toEqual({
      search: 'filter',
      webhookId: webhook.id,
      severity: 'critical',
    });
    expect(await titles(page)).toEqual(['Filter one']);
    await page.reload();
    await page.getByRole('link', { name: 'Filter one' }).waitFor();
    expect(await titles(page)).toEqual(['Filter one']);
    expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe('filter');
    // A second value adds to the first.
    await choose(page, 'Severity: critical', /^info 1$/);
    await page.getByRole('link', { name: 'Filter two' }).waitFor();
    expect(new URL(page.url()).searchParams.getAll('severity')).toEqual(['critical', 'info']);
    await page.getByRole('button', { name: 'Remove filter Integration' }).click();
    await page.getByRole('link', { name: 'Filter three' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.waitForURL((url) => url.search === '');
  });

  test('saves its filters under a name, in this browser', async () => {
    const page = await openPage('/alerts?severity=critical&last=24h');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByLabel('Name of this view').fill('Urgent');
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('link', { name: 'Urgent' }).waitFor();
    await page.goto(`${own.stack.url}/alerts`);
    await page.getByRole('button', { name: 'Views' }).click();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Urgent' }).click();
    await page.getByRole('button', { name: 'Severity: critical' }).waitFor();
    await page.getByRole('button', { name: 'Time: Last 24 hours' }).waitFor();
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('button', { name: 'Delete view Urgent' }).click();
    await page.getByRole('link', { name: 'Urgent' }).waitFor({ state: 'detached' });
    await page.evaluate(FILL_STORAGE);
    await page.getByLabel('Name of this view').fill('Too much');
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('alert').getByText('The browser could not store the change').waitFor();
    expect(await page.getByTestId('announcer').innerText()).not.toContain('Too much');
    expect(await page.getByLabel('Name of this view').inputValue()).toBe('Too much');
  });

  test('draws the alerts by time, and shows those of a bar that is clicked', async () => {
    const webhook = await makeWebhook(own.client, { name: 'Drawn' });
    await store(webhook, named('Drawn now'));
    const page = await openPage(`/alerts?webhookId=${webhook.id}&last=1h`);
    const chart = page.getByRole('img', { name: /^1 alert from .*: 1 critical\.$/ });
    await chart.locator('rect[data-tone="critical"]').click();
    await page.waitForURL((url) => url.searchParams.has('from') && url.searchParams.has('to'));
    await page.getByRole('link', { name: 'Drawn now' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Time: Last hour' }).waitFor();
    await page.goForward();
    await page.getByRole('button', { name: 'Remove filter Time' }).click();
    await chart.waitFor();
    await page.getByText('Show as a table').click();
    await page.getByRole('region', { name: 'Alerts of each bar' }).getByRole('button').click();
    await page.waitForURL((url) => url.searchParams.has('from'));
    expect(await accessibilityViolations(page)).toEqual([]);
    await visit(page, `/integrations/${webhook.id}/events`);
    await chart.locator('rect[data-tone="critical"]').click();
    await page.waitForURL((url) => url.pathname === '/alerts' && url.searchParams.has('from'));
    await page.getByRole('link', { name: 'Drawn now' }).waitFor();
  });

  test('folds its filters on a phone', async () => {
    const page = await openPage('/alerts?severity=critical', { size: 'phone' });
    const severity = page.getByRole('button', { name: 'Severity: critical' });
    await page.getByRole('button', { name: 'Filters (1)' }).waitFor();
    expect(await severity.count()).toBe(0);
    await page.getByRole('button', { name: 'Filters (1)' }).click();
    await severity.click();
    await page.getByRole('option', { name: 'critical' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  test('has additional filters, with times in the time zone of the user', async () => {
    const webhook = await makeWebhook(own.client);
    await store(webhook, { ...named('Rare'), metadata: { team: 'rare%20team & co' } });
    const page = await openPage('/alerts?team=rare%2520team+%26+co&from=2020-01-01T00:00:00.000Z');
    await page.getByRole('link', { name: 'Rare', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Team: rare%20team & co' }).waitFor();
    await page.getByRole('button', { name: /^Time: Since/ }).click();
    await page.getByLabel('To', { exact: true }).fill('2021-01-01T00:00');
    await page.getByText('No matching alerts').waitFor();
    const address = new URL(page.url()).searchParams;
    expect(address.get('to')).toBe('2021-01-01T00:00:00.000Z');
    expect(address.getAll('team')).toEqual(['rare%20team & co']);
  });

  test('names integrations by ID for a key that cannot read them', async () => {
    const webhook = await makeWebhook(own.client);
    await store(webhook, named('Unnamed'));
    const page = await openPage('/alerts?search=unnamed', { key: await own.stack.key('alerts:read') });
    await page.getByRole('button', { name: 'Integration' }).click();
    await page.getByRole('option', { name: `…${webhook.id.slice(-8)} 1` }).waitFor();
  });

  test('shows the error of an invalid address', async () => {
    const page = await openPage('/alerts?state=nonsense', { expectedErrors: [/status of 400.*nonsense/] });
    await page.getByRole('alert').getByText(/state/).first().waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  test('adds new alerts at its top without moving the rows that the user reads', async () => {
    const webhook = await makeWebhook(own.client, { name: 'Live' });
    const mapping = { split: 'list', fields: { title: { template: '{{item}}' } } };
    await own.client.json('PUT', `/v2/webhooks/${webhook.id}/mapping`, mapping);
    await store(webhook, { list: Array.from({ length: 30 }, (_, number) => `Live ${number}`) });
    const page = await openPage(`/alerts?webhookId=${webhook.id}`);
    await page.getByRole('link', { name: 'Live 29' }).waitFor();
    await store(webhook, { list: ['Comes by itself'] });
    await page.getByRole('link', { name: 'Comes by itself' }).waitFor();

    await page.mouse.wheel(0, 700);
    const read = page.getByRole('link', { name: 'Live 15', exact: true });
    await page.waitForFunction('scrollY > 400');
    const place = (await settledBox(read))?.y;
    await store(webhook, { list: ['Waits above'] });
    await page.getByRole('button', { name: '1 new' }).waitFor();
    expect((await read.boundingBox())?.y).toBe(place);
    await page.getByRole('button', { name: '1 new' }).click();
    await page.getByRole('link', { name: 'Waits above' }).waitFor();
    expect(await page.evaluate('scrollY')).toBe(0);
  });

  test('has only the rows in view of a long list, and says how old it is while the API cannot be reached', async () => {
    const webhook = await makeWebhook(own.client, { name: 'Long' });
    const mapping = { split: 'list', fields: { title: { template: 'Alert {{item}}' } } };
    await own.client.json('PUT', `/v2/webhooks/${webhook.id}/mapping`, mapping);
    await store(webhook, { list: Array.from({ length: 160 }, (_, number) => number) });
    const page = await openPage(`/alerts?webhookId=${webhook.id}`, { expectedErrors: [/ERR_FAILED/] });
    for (const loaded of [100, 150, 160]) {
      await page.getByRole('button', { name: 'Show more' }).click();
      // With the head.
      await page.locator(`table[aria-rowcount="${loaded + 1}"]`).waitFor();
    }
    const rows = page.locator('table[aria-rowcount] tbody tr');
    // Rows that come into view are higher than estimated, and move the end of the page: once is not always enough.
    await until('the end of the page is in view', async () => {
      await page.keyboard.press('End');
      return page.evaluate('scrollY + innerHeight >= document.documentElement.scrollHeight - 1');
    });
    await page.getByRole('link', { name: 'Alert 0', exact: true }).waitFor();
    expect(await rows.count()).toBeLessThan(60);
    expect(await rows.last().getAttribute('aria-rowindex')).toBe('161');
    // An update of the list may change all rows. It comes every 4 s, so the next scroll is without one.
    let scrolled = await page.evaluate(SCROLL_UP);
    for (let again = 0; again < 2 && !isDeepStrictEqual(scrolled, UNCHANGED); again += 1) {
      scrolled = await page.evaluate(SCROLL_UP);
    }
    expect(scrolled).toEqual(UNCHANGED);
    await page.keyboard.press('End');
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await rows.count()).toBe(160);
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    expect(await rows.count()).toBeLessThan(60);
    await store(webhook, { list: ['new'] });
    await page.getByRole('button', { name: '1 new' }).click();
    const first = page.getByRole('link', { name: 'Alert new', exact: true });
    await first.waitFor();
    const place = await settledBox(first);
    await page.route('**/v2/alerts?**', (route) => route.abort());
    await page.getByText(/These alerts are from \d+ s ago/).waitFor();
    await page.getByRole('alert').getByText('Muster cannot be reached.').waitFor();
    expect(await first.boundingBox()).toEqual(place);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    // The rows of the previous filter are not old while those of the next one are loaded.
    await page.route(/search=new/, async (route) => {
      await sleep(1_000);
      await route.continue();
    });
    const asked = page.waitForRequest(/search=new/);
    await page.getByLabel('Search', { exact: true }).fill('new');
    await asked;
    expect(await page.getByText(/These alerts are from/).count()).toBe(0);
    await page.getByRole('link', { name: 'Alert 1', exact: true }).waitFor({ state: 'detached' });
  });

  test('says how old it is while the API hangs, and nothing moves', async () => {
    const webhook = await makeWebhook(own.client, { name: 'Hanging' });
    await store(webhook, named('Hanging'));
    const page = await openPage(`/alerts?webhookId=${webhook.id}`);
    await page.clock.install();
    await page.reload();
    const row = page.getByRole('link', { name: 'Hanging', exact: true }).first();
    await row.waitFor();
    const place = (await settledBox(row))?.y;
    await page.route('**/v2/alerts?**', () => {});
    // A hidden window updates nothing.
    const age = page.getByText(/These alerts are from \d+ (s|min) ago/);
    await page.evaluate(setHidden(true));
    await page.clock.fastForward(60_000);
    await page.evaluate(setHidden(false));
    await page.clock.fastForward(10_000);
    expect(await age.count()).toBe(0);
    await page.clock.fastForward(20_000);
    await age.waitFor();
    await page
      .getByRole('alert')
      .getByText(/^Muster (does|did) not respond/)
      .waitFor();
    expect((await row.boundingBox())?.y).toBe(place);
  });

  test('downloads the alerts that match the filters as CSV', async () => {
    const webhook = await makeWebhook(own.client);
    await store(webhook, named('In the "file", 1'));
    await store(webhook, named('=SUM(A1)'));
    const page = await openPage(`/alerts?webhookId=${webhook.id}`);
    const saved = async (as: string): Promise<string> => {
      await page.getByRole('button', { name: 'Download CSV' }).click();
      const download = page.waitForEvent('download');
      await page.getByRole('menuitem', { name: as }).click();
      expect((await download).suggestedFilename()).toBe('alerts.csv');
      return readFile(await (await download).path(), 'utf8');
    };
    const whole = await own.client.get(`/v2/alerts?webhookId=${webhook.id}&format=csv`);
    expect(await saved('Original values')).toBe(whole.text);
    expect(whole.text).toContain(',=SUM(A1),');
    expect(await saved('For spreadsheets')).toContain(",'=SUM(A1),");
    expect(whole.text.trim().split('\n')).toHaveLength(3);
  });
});

describe('one alert', () => {
  test('shows the result of each field, the payload and the origin', async () => {
    const webhook = await makeWebhook(own.client, { name: 'Explained', template: null });
    const mapping = {
      fields: {
        title: { template: '{{webhook.alert.name}}' },
        severity: { template: '{{webhook.alert.severty}}' },
        description: { template: '{{webhook.alert.text}}', default: 'nothing was said' },
        source: { template: 'Tests' },
        service: { template: '{{webhook.alert.name}} in {{webhook.alert.zone}}' },
      },
    };
    await own.client.json('PUT', `/v2/webhooks/${webhook.id}/mapping`, mapping);
    const body = '{"alert":{"name":"Explained","severity":"sev1"},"big":12345678901234567890}';
    const { id } = await store(webhook, body);
    const page = await openPage('/alerts?state=incomplete');
    await page.getByRole('link', { name: 'Explained' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Explained' }).waitFor();
    const fields = page.getByRole('region', { name: 'Fields' }).first();
    const explanation = (name: string) =>
      fields.getByRole('row', { name: new RegExp(`^${name}`) }).textContent();
    expect(await explanation('severity')).toMatch(
      /missing.*webhook.alert.severty is missing; nearest: webhook.alert.severity/,
    );
    expect(await explanation('description')).toMatch(/defaulted.*nothing was said/);
    expect(await explanation('service')).toMatch(/partial.*Explained in.*webhook.alert.zone is missing/);
    expect(await explanation('title')).toMatch(/resolved.*From webhook.alert.name/);
    await page.getByText('"big": 12345678901234567890').waitFor();
    await page.getByText('Original').click();
    await page.getByText(body).waitFor();
    await page.getByText('revision 1').waitFor();
    expect(await page.getByRole('link', { name: 'Open mapping' }).getAttribute('href')).toBe(
      `/integrations/${webhook.id}/mapping?event=${id}`,
    );
    await page.getByRole('link', { name: id }).click();
    await page.getByRole('heading', { level: 1, name: /^Event …/ }).waitFor();
    await page.getByRole('link', { name: 'Explained' }).first().waitFor();
  });

  test('is still shown after its integration is deleted', async () => {
    const webhook = await makeWebhook(own.client, { name: 'Short-lived' });
    const { alertIds } = await store(webhook, named('Orphan'));
    await own.client.send('DELETE', `/v2/webhooks/${webhook.id}`);
    const page = await openPage(`/alerts/${alertIds[0]}`);
    await page.getByText('deleted integration').waitFor();
    expect(await page.getByRole('link', { name: 'Open mapping' }).count()).toBe(0);
  });
});
