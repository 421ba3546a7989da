import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { Client } from '../support/api/client.js';
import { storePayloads } from '../support/api/stored-events.js';
import { makeWebhook } from '../support/api/webhooks.js';
import { accessibilityViolations } from '../support/browser/accessibility.js';
import { sharedBrowser } from '../support/browser/browser.js';
import { MappingPage } from '../support/browser/mapping-page.js';
import { type Stack, startStack } from '../support/servers/stack.js';
import { until } from '../support/until.js';

const MAPPING = {
  fields: {
    title: {
      template: '{{#webhook.none}}{{.}}{{/webhook.none}}{{^webhook.none}}{{webhook.title}}{{/webhook.none}}',
    },
    severity: { template: '{{webhook.level}}', values: { P1: 'critical' } },
    description: { template: '{{webhook.decsription}}' },
    team: { template: '{{webhook.squad}}', default: 'platform' },
  },
  custom: { zone: { template: '{{webhook.zone}}' } },
};
const PAYLOAD = {
  title: 'x',
  level: 'SEV3',
  description: 'y',
  alerts: [{ a: 1 }],
  tags: ['env:prod'],
  none: null,
};

const browser = sharedBrowser();
let stack: Stack;
let key: string;
let id: string;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  key = await stack.key();
  const client = new Client(stack.url, key);
  id = (await makeWebhook(client, { template: null })).id;
  await client.json('PUT', `/v2/webhooks/${id}/mapping`, { fields: { source: { template: 'old' } } });
  await client.json('PUT', `/v2/webhooks/${id}/mapping`, MAPPING);
  await storePayloads(stack.database, id, [{ ...PAYLOAD, zone: 'a' }, PAYLOAD]);
});
afterAll(() => stack.stop());

/** The things that can be opened on the page, one after the other, and closed with Escape. Each is open when the promise resolves. */
const STATES: [name: string, open: (page: Page, mapping: MappingPage) => Promise<void>][] = [
  [
    'a selected field',
    async (page, mapping) => {
      await mapping.field('title').click();
      await page.locator('[data-insert]').first().waitFor();
    },
  ],
  [
    'a value map',
    async (page) => {
      await page.getByText('Map value').first().click();
      await page.getByRole('combobox', { name: 'Payload value 1' }).waitFor();
    },
  ],
  [
    'a default',
    async (page, mapping) => {
      await mapping.row('Team').getByText('Default: platform').click();
      await page.getByLabel('Default for Team').last().waitFor();
    },
  ],
  [
    'paths to complete',
    async (page, mapping) => {
      await mapping.template('Source').click();
      await page.keyboard.type('{{', { delay: 20 });
      await page.getByRole('option').first().waitFor();
    },
  ],
  [
    'the review',
    async (page) => {
      await page.getByRole('button', { name: 'Review and save' }).click();
      await page.getByRole('dialog').getByLabel('Changes').waitFor();
    },
  ],
  [
    'discarding',
    async (page) => {
      await page.getByRole('button', { name: 'Discard' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).waitFor();
    },
  ],
  [
    'the history',
    async (page) => {
      await page.getByRole('button', { name: 'History' }).click();
      await page.getByRole('button', { name: 'Compare revision 1 with the current revision' }).click();
      await page.getByRole('button', { name: 'Restore this revision' }).waitFor();
    },
  ],
];

async function openPage(size: 'desk' | 'phone', colorScheme: 'light' | 'dark') {
  const path = `/integrations/${id}/mapping?sample=event`;
  const tab = await browser.open({ url: stack.url, key, path, size, colorScheme });
  tab.expectError(/422/);
  await tab.page.getByText('is missing from the newest').first().waitFor({ state: 'attached' });
  return { page: tab.page, mapping: new MappingPage(tab.page) };
}

test.each([
  ['desk', 'dark'],
  ['phone', 'light'],
] as const)(
  'nothing keeps people out of the mapping page and of what it opens: %s, %s',
  async (size, colorScheme) => {
    const { page, mapping } = await openPage(size, colorScheme);
    const found = await accessibilityViolations(page);
    for (const [name, open] of STATES) {
      if (size === 'phone') await mapping.open(name === 'a selected field' ? 'Payload' : 'Fields');
      await open(page, mapping);
      found.push(...(await accessibilityViolations(page)).map((violation) => `${name}: ${violation}`));
      // The first Escape may close a list of suggestions only.
      await until(`it is closed: ${name}`, async () => {
        await page.keyboard.press('Escape');
        return (await page.getByRole('dialog').count()) === 0;
      });
    }
    expect(found).toEqual([]);
  },
  180_000,
);
