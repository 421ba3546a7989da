import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { storePayloads } from '../support/api/stored-events.js';
import { sharedBrowser } from '../support/browser/browser.js';
import { expectFit, expectFitOnBoth } from '../support/browser/looked-at.js';
import { MappingPages, reads } from '../support/browser/mapping-page.js';
import { type Stack, startStack } from '../support/servers/stack.js';
import { until } from '../support/until.js';

const EVENTS = [
  { check: 'disk-db1', name: 'Disk full on db-1', state: 'DOWN' },
  { check: 'cpu-web3', name: 'CPU high on web-3', state: 'DOWN' },
  { check: 'disk-db1', name: 'Disk full on db-1', state: 'DOWN' },
  { check: 'disk-db1', name: 'Disk full on db-1', state: 'UP' },
  { check: 'net-core', name: 'Core link', state: 'UP' },
  { check: 'disk-db1', name: 'Disk full on db-1', state: 'WOBBLY' },
  { name: 'Without a check', state: 'DOWN' },
];

const browser = sharedBrowser();
let stack: Stack;
let mappings: MappingPages;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  mappings = await MappingPages.of(stack, browser);
});
afterAll(() => stack.stop());

/** Opens the mapping page of an integration with the stored events. */
async function openWithEvents(mapping: object = { fields: { title: { template: '{{webhook.name}}' } } }) {
  const webhook = await mappings.integrate({ mapping });
  await storePayloads(stack.database, webhook.id, EVENTS);
  return { webhook, ...(await mappings.open(webhook.id, {}, '?sample=event')) };
}

test('a dragged key merges the last events, and a status resolves them', async () => {
  const { webhook, page, mapping } = await openWithEvents();
  const alerts = page.getByRole('region', { name: 'Alerts from these events' });
  await reads(alerts, /Each event becomes an alert of its own/);
  await mapping.drag(mapping.field('state'), mapping.row('Status'));
  await reads(mapping.result('Status'), 'No effect: the deduplication key is empty');
  await mapping.drag(mapping.field('name'), mapping.row('Deduplication key'));
  await mapping.write('Deduplication key', '{{webhook.check}}');
  await reads(alerts, /7 events become 4 alerts/);
  const rows = alerts.getByRole('list', { name: 'Series' }).locator('> li');
  // With the name as its key, which was dragged first, there are as many alerts of other series.
  await until('there are three series', async () => (await rows.count()) === 3);
  await reads(rows.first(), 'disk-db1 Disk full on db-1 firing ×2 → resolved firing');
  await reads(rows.filter({ hasText: 'net-core' }), 'net-core Core link resolves nothing');
  await reads(
    alerts.getByRole('list').first(),
    '1 merged into an alert that is firing 1 resolves an alert 2 still firing at the end 1 resolves nothing 1 without a key',
  );
  // The newest event has no check.
  await reads(mapping.result('Deduplication key'), /webhook\.check is missing/);
  await reads(mapping.result('Status'), 'firing from DOWN');
  const newest = await rows.first().getByRole('link').last().getAttribute('href');
  expect(newest).toMatch(/^\/events\/[0-9a-f-]{36}$/);
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.getByRole('button', { name: 'Save revision' }).click();
  await until('it is saved', async () => (await mappings.current(webhook.id)).revision === 2);
  expect((await mappings.current(webhook.id)).mapping.fields).toEqual({
    title: { template: '{{webhook.name}}' },
    dedupKey: { template: '{{webhook.check}}' },
    status: { template: '{{webhook.state}}' },
  });
});

test('a key without a status says that its alerts never resolve; an unknown status word is offered for the value map', async () => {
  const { page, mapping } = await openWithEvents({ fields: { dedupKey: { template: '{{webhook.check}}' } } });
  const never = page.getByText('These alerts never resolve, because the status is empty.');
  await never.waitFor();
  await mapping.write('Status', '{{webhook.state}}');
  await never.waitFor({ state: 'detached' });
  await page.getByText('is not a known status word, so it counts as firing').waitFor();
  await mapping.row('Status').getByRole('button', { name: 'Map values, Status' }).click();
  await page.getByRole('combobox', { name: 'Payload value 1' }).click();
  await page.getByRole('option', { name: 'WOBBLY' }).click();
  await page.getByRole('combobox', { name: 'Alert value 1' }).click();
  await page.getByRole('option', { name: 'resolved' }).click();
  await page.getByRole('button', { name: 'Apply' }).click();
  const rows = page.getByRole('list', { name: 'Series' }).locator('> li');
  await reads(rows.first(), 'disk-db1 firing ×2 → resolved resolves nothing');
});

test('identical events without a key are counted within a window', async () => {
  const { webhook, page, mapping } = await openWithEvents();
  const alerts = page.getByRole('region', { name: 'Alerts from these events' });
  await reads(alerts, /Each event becomes an alert of its own/);
  await mapping.row('Identical events').getByRole('textbox').fill('300');
  await reads(alerts, /7 events become 6 alerts/);
  await reads(alerts.getByRole('list').first(), '1 counted for an identical event 6 without a key');
  await reads(
    alerts.getByRole('list', { name: 'Series' }).locator('> li'),
    'Identical events Disk full on db-1 alert ×2',
  );
  await expectFit(page);
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.getByText('Counted within').waitFor();
  await page.getByRole('button', { name: 'Save revision' }).click();
  await until('it is saved', async () => (await mappings.current(webhook.id)).revision === 2);
  expect((await mappings.current(webhook.id)).mapping).toEqual({
    fields: { title: { template: '{{webhook.name}}' } },
    repeatWindowSeconds: 300,
  });
});

test('a key becomes final, the texts of the first event are kept, and warnings of the mapping are shown where they belong', async () => {
  const { webhook, page, mapping } = await openWithEvents();
  const final = page.getByRole('checkbox', { name: /only the status reopened opens an alert again/ });
  await final.check();
  await mapping.row('Final keys').getByText('has no effect without').waitFor();
  await mapping.write('Deduplication key', '{{webhook.check}}{{#webhook.name}}/{{.}}{{/webhook.name}}');
  await mapping
    .row('Deduplication key')
    .getByText('without webhook.name, the key is only what is left')
    .waitFor();
  expect(await mapping.row('Final keys').getByText('has no effect').count()).toBe(0);
  await mapping.row('Texts of an open alert').getByRole('checkbox').check();
  await expectFit(page);
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.getByText('One problem for each key').waitFor();
  await page.getByText('First ones are kept').waitFor();
  await page.getByRole('button', { name: 'Save revision' }).click();
  await until('it is saved', async () => (await mappings.current(webhook.id)).revision === 2);
  expect((await mappings.current(webhook.id)).mapping).toMatchObject({ final: true, texts: 'opening' });
});

test('nothing keeps people out of the picture of merges, on a desk and on a phone', async () => {
  const { page, mapping } = await openWithEvents({
    fields: {
      title: { template: '{{webhook.name}}' },
      dedupKey: { template: '{{webhook.check}}' },
      status: { template: '{{webhook.state}}' },
    },
  });
  const merged = page.getByText('7 events become 4 alerts');
  await expectFitOnBoth(page, async (size) => {
    if (size === 'phone') await mapping.open('Result');
    await merged.waitFor();
  });
});
