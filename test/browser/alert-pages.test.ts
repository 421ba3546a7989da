import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { makeWebhook } from '../support/api/webhooks.js';
import { accessibilityViolations, violationsOnBothSizes } from '../support/browser/accessibility.js';
import { visit } from '../support/browser/browser.js';
import {
  type ConsoleStack,
  consolePages,
  startConsoleStack,
  storeEvent,
} from '../support/browser/console-pages.js';

const IMG = '<img src=x onerror="document.title=1">';
const HOSTILE = {
  alert: {
    name: `${IMG} {{constructor}} {{webhook.alert}} ${'W'.repeat(180)}`,
    severity: `<script>alert(1)</script>${'S'.repeat(200)}`,
    message: `\u202e\u0645\u0631\u062d\u0628\u0627 ${IMG} {{#x}} ${'V'.repeat(4_000)}`,
  },
  metadata: { service: IMG, environment: 'e'.repeat(255), team: '\u05e9\u05dc\u05d5\u05dd \u202e__proto__' },
  metrics: { ['__proto__']: IMG, '<b>': 12 },
};

const field = (name: string) => ({ template: `{{webhook.${name}}}` });
const KEYED = {
  title: field('name'),
  severity: field('severity'),
  description: field('text'),
  source: { template: 'Tests' },
  status: field('status'),
  dedupKey: field('key'),
};
const KEY = `${'K'.repeat(200)}<b>`;
/** The longest names, and a row whose columns and cells are as hostile as payloads. */
const [TABLE, LOOKUP] = ['t'.repeat(64), 'L'.repeat(64)];
const ROW = {
  key: KEY,
  [`${IMG}${'C'.repeat(50)}`]: `${IMG}${'V'.repeat(900)}`,
  team: HOSTILE.metadata.team,
};
const LOOKUPS = {
  [LOOKUP]: { table: TABLE, key: '{{webhook.key}}' },
  missed: { table: TABLE, key: '{{webhook.key}}{{webhook.key}}' },
  absent: { table: 'absent', key: '{{webhook.key}}' },
  author: { owner: { integrationId: 7, identity: '{{webhook.key}}' } },
};
/** Reads the whole row. */
const FOUND = { expression: `has(lookup.${LOOKUP}) ? "yes" : "no"` };

let own: ConsoleStack;
const openPage = consolePages(() => own);
/** Each page, and a text that is on it once it is complete. */
let pages: { path: string; shows: string | RegExp }[];
beforeAll(async () => {
  own = await startConsoleStack();
  const more = { name: `${IMG} {{x}}`, description: `${IMG}${'D'.repeat(300)}` };
  const webhook = await makeWebhook(own.client, more);
  const { id: eventId, alertIds } = await storeEvent(own, webhook.path, HOSTILE);
  await own.client.json('POST', `/v2/webhooks/${webhook.id}/rotate`, { graceSeconds: 3_600 });
  const integration = `/integrations/${webhook.id}`;
  const series = await storeSeries();
  pages = [
    { path: '/integrations', shows: '{{x}}' },
    { path: '/integrations/new', shows: 'Start blank' },
    { path: '/integrations/new?template=datadog', shows: 'Sample payload' },
    { path: `/integrations/new?made=${webhook.id}`, shows: 'Edit mapping' },
    { path: `${integration}/test`, shows: 'Valid JSON' },
    { path: `${integration}/settings`, shows: 'Previous URL' },
    { path: `/integrations/${series.webhookId}/events`, shows: 'alert is firing' },
    { path: '/events', shows: 'normalized' },
    { path: `/events/${eventId}`, shows: 'Original' },
    { path: '/alerts?status=all', shows: '{{constructor}}' },
    { path: '/alerts?team=x', shows: 'No matching alerts' },
    { path: `/alerts/${alertIds[0]}`, shows: 'Original' },
    { path: `/alerts/${series.alertId}`, shows: 'critical → error' },
    { path: `/events/${series.eventId}`, shows: 'View misses' },
    { path: `/tables/${TABLE}`, shows: 'Start dry run' },
  ];
});

/** Stores an alert with long texts that was resolved, and one of the same key that fires and has changed. */
async function storeSeries(): Promise<{ webhookId: string; eventId: string; alertId: string }> {
  await own.client.json('PUT', `/v2/tables/${TABLE}`, [ROW]);
  const { id: webhookId, path } = await makeWebhook(own.client, { name: 'Keyed', template: null });
  await own.client.json('PUT', `/v2/webhooks/${webhookId}/mapping`, {
    lookups: LOOKUPS,
    fields: KEYED,
    custom: { found: FOUND },
  });
  const long = { name: 'W'.repeat(120), text: 'T '.repeat(200) };
  const problem = { ...long, key: KEY, status: 'firing', severity: 'critical' };
  for (const event of [problem, { key: KEY, status: 'ok' }, problem]) await storeEvent(own, path, event);
  const { id: eventId, alertIds } = await storeEvent(own, path, { ...problem, severity: 'error' });
  return { webhookId, eventId, alertId: alertIds[0] };
}

afterAll(() => own.stack.stop());

async function complete(page: Page, shows: string | RegExp): Promise<void> {
  await page.getByText(shows).first().waitFor();
  await page.locator('[aria-busy]').waitFor({ state: 'detached' });
}

const SIDEWAYS = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

test('every page is accessible, does not scroll sideways, and shows hostile text as text', async () => {
  const page = await openPage('/health');
  const found: string[] = [];
  for (const { path, shows } of pages) {
    await visit(page, path);
    const made = page.locator('main img:not([src^="/console/"]), main script, main b:text("SSS")');
    const violations = await violationsOnBothSizes(page, async () => {
      await complete(page, shows);
      const sideways = await page.evaluate(SIDEWAYS);
      if (sideways !== 0) found.push(`${path} scrolls sideways by ${sideways} px`);
      if ((await made.count()) > 0) found.push(`on ${path}, text became elements`);
      if ((await page.title()) === '1') found.push(`on ${path}, text was executed`);
    });
    found.push(...violations.map((violation) => `${path} ${violation}`));
  }
  expect(found).toEqual([]);
}, 240_000);

test('the receipt of a test event with hostile text is accessible', async () => {
  const page = await openPage(pages[4]?.path as string);
  await page.getByLabel('Payload').fill(JSON.stringify(HOSTILE));
  await page.getByRole('button', { name: 'Send event' }).click();
  await page.getByRole('link', { name: '{{constructor}}' }).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  expect(await page.locator('main img[src]').count()).toBe(0);
  expect(await page.evaluate(SIDEWAYS)).toBe(0);
});
