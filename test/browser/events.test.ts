import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ALERT, makeWebhook, sendEvent } from '../support/api/webhooks.js';
import { visit } from '../support/browser/browser.js';
import {
  type ConsoleStack,
  consolePages,
  startConsoleStack,
  storeEvent,
} from '../support/browser/console-pages.js';

let own: ConsoleStack;
const openPage = consolePages(() => own);
beforeAll(async () => {
  own = await startConsoleStack();
});
afterAll(() => own.stack.stop());

test('a failed event is one click away, shows its error, and can be sent again as a test', async () => {
  const webhook = await makeWebhook(own.client, { name: 'Too many', template: 'alertmanager' });
  const alerts = Array.from({ length: 10_001 }, (_, number) => number);
  const { id: eventId } = await storeEvent(own, webhook.path, { alerts });
  const page = await openPage('/alerts');
  await page.getByRole('link', { name: 'Failed events' }).click();
  await page.waitForURL((url) => url.search === '?state=failed');
  await page.locator(`a[href^="/events/${eventId}"]`).click();
  await page
    .getByRole('list', { name: 'Errors' })
    .getByText('the list at alerts has 10,001 items; the limit is 10,000')
    .waitFor();
  await page.getByRole('button', { name: 'Test with this payload' }).click();
  await page.getByRole('button', { name: 'Send event' }).click();
  await page
    .getByRole('list', { name: 'Receipt' })
    .getByText('the list at alerts has 10,001 items')
    .waitFor();
});

test('a rejected event shows the beginning of its body, in base64 if it is not text', async () => {
  const webhook = await makeWebhook(own.client, { name: 'Binary' });
  const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x80]);
  expect((await sendEvent(own.stack.url, webhook.path, bytes)).status).toBe(400);
  const page = await openPage(`/integrations/${webhook.id}/events`);
  await page.getByRole('button', { name: 'State' }).click();
  await page.getByRole('option', { name: 'rejected' }).click();
  await page.keyboard.press('Escape');
  await page
    .getByRole('row', { name: /rejected/ })
    .getByRole('link')
    .click();
  await page.getByText('in base64 because it is not UTF-8').waitFor();
  await page.getByText(bytes.toString('base64'), { exact: true }).waitFor();
});

test('an event with many alerts shows a few, and more on request', async () => {
  const webhook = await makeWebhook(own.client, { template: 'alertmanager' });
  const alerts = Array.from({ length: 12 }, (_, number) => ({ labels: { alertname: `many ${number}` } }));
  const { id: eventId } = await storeEvent(own, webhook.path, { alerts });
  const page = await openPage(`/events/${eventId}`);
  await page.getByRole('link', { name: 'many 4' }).waitFor();
  expect(await page.getByRole('link', { name: 'many 5' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Show more (7 left)' }).click();
  await page.getByRole('link', { name: 'many 11' }).waitFor();
});

test('the event list of an integration keeps its filter after a reload, and updates live', async () => {
  const webhook = await makeWebhook(own.client);
  const page = await openPage(`/integrations/${webhook.id}/events?state=normalized`);
  await page.getByText('No matching events').waitFor();
  const { id: eventId } = await storeEvent(own, webhook.path, ALERT);
  await page.locator(`a[href^="/events/${eventId}"]`).waitFor();
  await page.reload();
  await page.locator(`a[href^="/events/${eventId}"]`).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.waitForURL((url) => url.search === '');
});

test('what was looked up is shown with an event and its alert, as far as the key may see it', async () => {
  const { client } = own;
  await client.json('PUT', '/v2/tables/services', [{ service: 'checkout', team: 'payments', tier: '' }]);
  await client.json('PATCH', '/v2/developers/identities', [
    { email: 'ada@example.com', integrationId: 7, identity: 'ada-l' },
  ]);
  const webhook = await makeWebhook(client, { template: null });
  const saved = await client.json('PUT', `/v2/webhooks/${webhook.id}/mapping`, {
    lookups: {
      service: { table: 'services', key: '{{webhook.service}}' },
      caller: { table: 'services', key: '{{webhook.caller}}' },
      site: { table: 'sites', key: ['{{webhook.env}}', '{{webhook.region}}'] },
      author: { owner: { integrationId: 7, identity: '{{webhook.author}}' } },
      other: { owner: { integrationId: 8, identity: '{{webhook.author}}' } },
      absent: { table: 'services', key: '{{webhook.absent}}' },
    },
    fields: {
      title: { template: '{{lookup.service.team}} {{lookup.service.tier}}' },
      team: { template: '{{lookup.caller.team}}{{lookup.site.name}}{{lookup.absent.team}}' },
      ownerEmail: { template: '{{lookup.author.email}}{{lookup.other.email}}' },
    },
  });
  expect(saved.status).toBe(201);
  const payload = { service: 'checkout', caller: 'Checkout', env: 'prod', region: 'eu', author: 'ada-l' };
  const { id: eventId, alertIds } = await storeEvent(own, webhook.path, payload);
  const page = await openPage(`/events/${eventId}`);
  const lookups = page.getByRole('region', { name: 'Looked up' });
  const rows = lookups.locator('tbody tr');
  const shown = async () => (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
  await rows.first().waitFor();
  expect(await shown()).toEqual([
    'services revision 1 Key checkout team payments tier empty',
    'services revision 1 No row for key Checkout (nearest: checkout). View misses',
    'sites There is no table sites. Upload this table',
    'Identities account system 7 Account ada-l email ada@example.com',
    'Identities account system 8 The account ada-l has no owner.',
  ]);
  await lookups.getByRole('link', { name: 'View misses' }).click();
  const misses = page.getByRole('region', { name: 'Misses', exact: true });
  await misses.getByText('Checkout').waitFor();
  expect(await page.locator(':focus').getAttribute('id')).toBe('misses');
  await visit(page, `/alerts/${alertIds[0]}`);
  await lookups.getByRole('link', { name: 'checkout' }).first().waitFor();
  expect(await shown()).toEqual([
    'service services revision 1 Key checkout team payments tier empty',
    'caller services revision 1 No row for key Checkout (nearest: checkout). View misses',
    'site sites There is no table sites. Upload this table',
    'author Identities account system 7 Account ada-l email ada@example.com',
    'other Identities account system 8 The account ada-l has no owner.',
  ]);
  await page.getByRole('button', { name: 'Show more (1 left)' }).click();
  expect((await shown()).at(-1)).toBe('absent services The key has no value in this payload.');
  await lookups.getByRole('link', { name: 'checkout' }).first().click();
  await page.getByRole('button', { name: 'Show all rows' }).waitFor();
  await page.getByRole('cell', { name: 'payments' }).waitFor();

  const reader = await openPage(`/alerts/${alertIds[0]}`, { key: await own.stack.key('alerts:read') });
  await reader.getByRole('region', { name: 'Looked up' }).getByText('a***@example.com').waitFor();
  expect(await reader.getByRole('region', { name: 'Looked up' }).getByRole('link').count()).toBe(0);
});

test('without a worker the receipt links to the Health page', async () => {
  const idle = await startConsoleStack({ worker: false });
  try {
    const webhook = await makeWebhook(idle.client);
    const { stack, key } = idle;
    const page = await openPage(`/integrations/${webhook.id}/test`, { url: stack.url, key });
    await page.getByRole('button', { name: 'Send event' }).click();
    await page.getByText('Waiting for a worker…').waitFor();
    await page.getByText(/Not stored after \d+ s/).waitFor({ timeout: 30_000 });
    await page.getByRole('link', { name: 'Open Health' }).waitFor();
    await page.getByRole('link', { name: /^[0-9a-f-]{36}$/ }).click();
    await page.getByText('This event is not stored yet').waitFor();
    await page.goto('about:blank');
  } finally {
    await idle.stack.stop();
  }
});

test('events are filtered by the time they were received', async () => {
  const webhook = await makeWebhook(own.client);
  const { id: eventId } = await storeEvent(own, webhook.path, ALERT);
  const page = await openPage(`/events?webhookId=${webhook.id}`);
  const row = page.locator(`a[href^="/events/${eventId}"]`);
  await row.waitFor();
  await page.getByRole('button', { name: 'Time', exact: true }).click();
  await page.getByLabel('From').fill('2040-01-01T00:00');
  await page.getByText('No matching events').waitFor();
  await page.getByLabel('From').fill('2020-01-01T00:00');
  await row.waitFor();
  expect(new URL(page.url()).searchParams.get('from')).toBe(new Date('2020-01-01T00:00').toISOString());
});
