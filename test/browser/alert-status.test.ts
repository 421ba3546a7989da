import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { makeWebhook, type TestWebhook } from '../support/api/webhooks.js';
import { accessibilityViolations } from '../support/browser/accessibility.js';
import { visit } from '../support/browser/browser.js';
import {
  type ConsoleStack,
  consolePages,
  startConsoleStack,
  storeEvent,
} from '../support/browser/console-pages.js';
import { holdRequests } from '../support/browser/hold-requests.js';
import { expectFit } from '../support/browser/looked-at.js';
import { someFrames, watchPlaces } from '../support/browser/places.js';
import { until } from '../support/until.js';

const KEYED = {
  fields: {
    title: { template: '{{webhook.name}}' },
    severity: { template: '{{webhook.severity}}', default: 'warning' },
    description: { template: '{{webhook.text}}', default: 'No text was sent' },
    source: { template: 'Tests' },
    status: { template: '{{webhook.status}}' },
    dedupKey: { template: '{{webhook.key}}' },
  },
};

interface Counted {
  webhookId: string;
  alerts: number;
}

let own: ConsoleStack;
const openPage = consolePages(() => own);
beforeAll(async () => {
  own = await startConsoleStack();
});
afterAll(() => own.stack.stop());

async function integration(name: string): Promise<TestWebhook> {
  const webhook = await makeWebhook(own.client, { name, template: null });
  await own.client.json('PUT', `/v2/webhooks/${webhook.id}/mapping`, KEYED);
  return webhook;
}

/** Waits until the API has counted the firing alerts of an integration. A page that has asked too early asks again after 15 s only. */
const hasCounted = ({ id }: TestWebhook, firing: number) =>
  until('the API has counted', async () => {
    const { webhooks } = (await own.client.get('/v2/health')).body.data.firing;
    return webhooks.some(({ webhookId, alerts }: Counted) => webhookId === id && alerts === firing);
  });

const store = ({ path }: TestWebhook, payload: object) => storeEvent(own, path, payload);
const view = (page: Page, name: string) => page.getByRole('radio', { name, exact: true });
const row = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title });

test('without any key, all alerts are the first view', async () => {
  const webhook = await makeWebhook(own.client, { name: 'Without keys' });
  await store(webhook, { alert: { name: 'Stands alone', severity: 'info', message: 'x' } });
  const page = await openPage('/alerts');
  await row(page, 'Stands alone').waitFor();
  expect(await view(page, 'All').isChecked()).toBe(true);
  await page.getByText('Firing now').click();
  await page.getByText('No alert is firing').waitFor();
  expect(new URL(page.url()).searchParams.get('status')).toBe('firing');
  await page.getByRole('button', { name: 'View all alerts' }).click();
  await row(page, 'Stands alone').waitFor();
  expect(
    await row(page, 'Stands alone')
      .getByText(/firing|resolved|×/)
      .count(),
  ).toBe(0);
});

test('firing alerts are the first view, and move to the resolved ones when they are resolved', async () => {
  const webhook = await integration('Disks');
  const problem = { key: 'disk', status: 'down', name: 'Disk is full', severity: 'critical', text: '99%' };
  for (let sent = 0; sent < 3; sent++) await store(webhook, problem);
  await store(webhook, { ...problem, key: 'cpu', name: 'CPU is busy' });
  await store(webhook, { key: 'cpu', status: 'ok' });
  const firing = async () => (await own.client.get('/v2/health')).body.data.firing;
  await until('the API has counted', async () => (await firing()).alerts === 1);
  const page = await openPage('/alerts');
  await row(page, 'Disk is full').waitFor();
  expect(await view(page, 'Firing now').isChecked()).toBe(true);
  await row(page, 'Disk is full').getByText('×3', { exact: true }).waitFor();
  await row(page, 'Disk is full').getByText('firing', { exact: true }).waitFor();
  expect(await row(page, 'CPU is busy').count()).toBe(0);
  expect(await row(page, 'Stands alone').count()).toBe(0);
  // Its view stays when a filter is set and cleared.
  await page.getByLabel('Search', { exact: true }).fill('disk');
  await page.waitForURL(/search=disk/);
  expect(new URL(page.url()).searchParams.get('status')).toBe('firing');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.waitForURL((url) => url.search === '');
  expect(await view(page, 'Firing now').isChecked()).toBe(true);

  await page.getByText('Resolved', { exact: true }).click();
  await row(page, 'CPU is busy').getByText('resolved', { exact: true }).waitFor();
  await page.getByText('Firing now').click();
  await row(page, 'Disk is full').waitFor();
  await store(webhook, { key: 'disk', status: 'ok' });
  await page.getByText('No alert is firing').waitFor();
});

test('the heads of columns sort the alerts, by severity with the words that the mapping ranks', async () => {
  const webhook = await makeWebhook(own.client, { name: 'Priorities', template: null });
  const ranks = [
    { word: 'P1', as: 'critical' },
    { word: 'P2', as: 'error' },
  ];
  const severity = { template: '{{webhook.severity}}', ranks };
  const saved = await own.client.json('PUT', `/v2/webhooks/${webhook.id}/mapping`, {
    fields: { ...KEYED.fields, severity },
  });
  expect(saved.status).toBe(201);
  for (const word of ['warning', 'P2', 'P1', 'error', 'odd'])
    await store(webhook, { key: word, status: 'down', name: `Problem ${word}`, severity: word, text: 'x' });
  await store(webhook, { key: 'P2', status: 'ok' });
  const page = await openPage(`/alerts?status=all&webhookId=${webhook.id}`);
  const titles = async () => {
    const rows = await page.getByRole('row').filter({ hasText: 'Problem' }).allInnerTexts();
    return rows.map((text) => /Problem (\w+)/.exec(text)?.[1]);
  };
  const shows = (expected: string[]) =>
    until(`the order ${expected}`, async () => String(await titles()) === String(expected));
  const head = (name: string) => page.getByRole('columnheader', { name });
  await shows(['odd', 'error', 'P1', 'P2', 'warning']);
  await head('Severity').getByRole('button').click();
  await shows(['P1', 'error', 'P2', 'warning', 'odd']);
  expect(await head('Severity').getAttribute('aria-sort')).toBe('descending');
  expect(new URL(page.url()).searchParams.get('sortKey')).toBe('severity');
  await head('Severity').getByRole('button').click();
  await shows(['odd', 'warning', 'P2', 'error', 'P1']);
  await page.reload();
  await shows(['odd', 'warning', 'P2', 'error', 'P1']);
  await head('Last event').getByRole('button').click();
  await shows(['P2', 'odd', 'error', 'P1', 'warning']);
  await head('Duration').getByRole('button').click();
  await until('the longest comes first', async () => (await titles())[0] === 'warning');
  await head('Started').getByRole('button').click();
  await shows(['odd', 'error', 'P1', 'P2', 'warning']);
  expect([...new URL(page.url()).searchParams.keys()].sort()).toEqual(['status', 'webhookId']);
  expect(await accessibilityViolations(page)).toEqual([]);
});

test('a severity of a mapping is ranked in its value map', async () => {
  const webhook = await integration('Ranked');
  await store(webhook, { key: 'k', status: 'down', name: 'Ranked', severity: 'blocker', text: 'x' });
  const page = await openPage(`/integrations/${webhook.id}/mapping`);
  await page.getByRole('button', { name: 'Map values, Severity' }).click();
  const dialog = page.getByRole('dialog', { name: 'Value map of Severity' });
  await dialog.getByLabel('Payload value 1').fill('blocker');
  await dialog.getByLabel('Alert value 1').fill('Blocker');
  await dialog.getByRole('combobox', { name: 'Blocker counts as' }).click();
  await page.getByRole('option', { name: 'critical' }).click();
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.getByRole('button', { name: 'Save revision' }).click();
  await until('the mapping is saved', async () => {
    const { body } = await own.client.get(`/v2/webhooks/${webhook.id}/mapping`);
    return body.data.revision === 2;
  });
  const { body } = await own.client.get(`/v2/webhooks/${webhook.id}/mapping`);
  expect(body.data.mapping.fields.severity).toMatchObject({
    values: { blocker: 'Blocker' },
    ranks: [{ word: 'Blocker', as: 'critical' }],
  });
});

test('the page of an alert shows its timeline, its times and the alert before it', async () => {
  const webhook = await integration('Timeline');
  const problem = { key: 'web', status: 'firing', name: 'Web is slow', severity: 'warning', text: '2 s' };
  const before = await store(webhook, problem);
  await store(webhook, { key: 'web', status: 'resolved' });
  const opened = await store(webhook, problem);
  const updated = await store(webhook, { ...problem, severity: 'critical' });
  await store(webhook, { key: 'web', status: 'resolved' });
  const page = await openPage(`/alerts/${opened.alertIds[0]}`);
  const timeline = page.getByRole('table').filter({ hasText: 'Effect' });
  await timeline.getByText('resolved').waitFor();
  const cells = await timeline
    .locator('tbody tr')
    .evaluateAll((rows) =>
      (rows as unknown as { cells: ArrayLike<{ innerText: string }> }[]).map(({ cells }) =>
        [...Array.from(cells)]
          .slice(1, 3)
          .map((cell) => cell.innerText.split('\n').filter((line) => line !== '')),
      ),
    );
  expect(cells).toEqual([
    [['opened'], ['Title: Web is slow', 'Severity: warning', 'Description: 2 s', 'Source: Tests']],
    [['updated'], ['Severity: warning → critical']],
    [['resolved'], ['Nothing']],
  ]);
  await page.getByText(/, after \d/).waitFor();
  await page.getByText('×3', { exact: true }).waitFor();
  const severity = page
    .getByRole('region', { name: 'Fields' })
    .first()
    .getByRole('row', { name: /^severity/ });
  expect(await severity.getByRole('link').getAttribute('href')).toBe(`/events/${updated.id}`);
  await page.getByRole('link', { name: before.alertIds[0] }).click();
  await page.waitForURL(new RegExp(before.alertIds[0]));
  await page.getByText('None with this key').waitFor();
});

test('receipts say in words what an event did', async () => {
  const webhook = await integration('Receipts');
  const problem = { key: 'r', status: 'firing', name: 'Receipt', severity: 'error', text: 'x' };
  const page = await openPage('/events');
  const shown = async (event: { id: string }, text: string | RegExp) => {
    await visit(page, `/events/${event.id}`);
    await page.getByText(text).waitFor();
  };
  await shown(await store(webhook, problem), 'Opened this alert');
  await shown(await store(webhook, problem), 'Updated this alert');
  await shown(await store(webhook, { key: 'r', status: 'ok' }), 'Resolved this alert');
  await shown(
    await store(webhook, { key: 'r', status: 'ok' }),
    'Nothing to resolve: no alert with the key r was firing.',
  );
  await shown(await store(webhook, { name: 'No key', status: 'firing' }), /no deduplication key/);
  await expectFit(page);
});

/** Runs in the browser before the page. A busy machine may take longer than the 500 ms for which an integration waits for its counts. */
const PATIENT = `
  const { setTimeout } = globalThis;
  globalThis.setTimeout = (action, ms, ...more) => setTimeout(action, ms === 500 ? 60_000 : ms, ...more);
`;

test('the tabs of an integration stay in place when its firing alerts are counted', async () => {
  const webhook = await integration('Stays');
  await store(webhook, { key: 'a', status: 'firing', severity: 'error' });
  await hasCounted(webhook, 1);
  const page = await openPage('/keys');
  await page.addInitScript(PATIENT);
  const placesOfTabs = await watchPlaces(page, 'nav[aria-label="Integration tabs"]');
  const release = await holdRequests(page, '**/v2/health');
  const loaded = page.waitForResponse(`**/v2/webhooks/${webhook.id}`);
  const counted = page.waitForRequest('**/v2/health');
  await page.goto(`${own.stack.url}/integrations/${webhook.id}/events`);
  await (await loaded).finished();
  await counted;
  await someFrames(page);
  release();
  await page.getByRole('link', { name: '1 alert is firing' }).waitFor();
  await someFrames(page);
  expect(await placesOfTabs()).toHaveLength(1);
});

test('an integration and the health page count firing alerts and those that were never resolved', async () => {
  const webhook = await integration('Never resolved');
  for (const key of ['a', 'b']) await store(webhook, { key, status: 'firing', severity: 'error' });
  await hasCounted(webhook, 2);
  const page = await openPage(`/integrations/${webhook.id}/events`);
  await page.getByText(/they have a key for which no recovery has arrived yet/).waitFor();
  // The page waits for the counts, but not until the request fails.
  await page.route('**/v2/health', () => {});
  await page.reload();
  const failed: string[] = [];
  page.on('requestfailed', (request) => failed.push(new URL(request.url()).pathname));
  await page.getByRole('navigation', { name: 'Integration tabs' }).waitFor();
  expect(failed).not.toContain('/v2/health');
  await page.unrouteAll();
  await page.reload();
  await page.getByRole('link', { name: '2 alerts are firing' }).click();
  await page.getByRole('table').getByText('error').first().waitFor();
  expect(await page.getByRole('table').locator('tbody tr').count()).toBe(2);
  await visit(page, '/health');
  const counts = page.getByRole('region', { name: 'Firing alerts' }).first();
  await counts
    .getByRole('row', { name: /Never resolved/ })
    .getByText('error')
    .waitFor();
  await expectFit(page);
});
