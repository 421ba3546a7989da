import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ALERT, makeWebhook, receiptOf, sendEvent } from '../support/api/webhooks.js';
import { visit } from '../support/browser/browser.js';
import { type ConsoleStack, consolePages, startConsoleStack } from '../support/browser/console-pages.js';
import { expectFit, expectFitOnBoth } from '../support/browser/looked-at.js';
import { MappingPage, reads } from '../support/browser/mapping-page.js';

/** Markup that would run if it were inserted as HTML, and a text that reverses what follows it. */
const HOSTILE = '<img src=x onerror="document.title=`hit`"><script>document.title="hit"</script>';
const REVERSED = Buffer.from('\u202Eevil').toString('latin1');

let own: ConsoleStack;
const openPage = consolePages(() => own);
beforeAll(async () => {
  own = await startConsoleStack();
});
afterAll(() => own.stack.stop());

test('the event page shows the request, and hostile headers and parameters as text', async () => {
  const { id, path } = await makeWebhook(own.client, { name: 'Hostile' });
  const custom = { query: { template: '{{request.query}}' }, headers: { template: '{{request.headers}}' } };
  await own.client.json('PUT', `/v2/webhooks/${id}/mapping`, { fields: {}, custom });
  const url = `${path}?env=prod&tag=a&tag=b&${encodeURIComponent(HOSTILE)}=${encodeURIComponent(HOSTILE)}`;
  const headers = {
    'x-github-event': 'issues',
    'x-hostile': HOSTILE,
    'x-long': 'word'.repeat(300),
    [`x-${'n'.repeat(300)}`]: 'v',
  };
  const sent = await sendEvent(own.stack.url, url, ALERT, { ...headers, 'x-reversed': REVERSED });
  const { eventId } = (await sent.json()) as { eventId: string };
  await receiptOf(own.client, eventId);
  const page = await openPage(`/events/${eventId}`);
  await page.getByRole('heading', { name: 'Request', exact: true }).waitFor();
  for (const text of ['request.method', 'request.query.tag', 'a, b', 'request.headers.x-hostile', 'issues'])
    await page.getByText(text, { exact: true }).first().waitFor();
  expect(await page.getByText(HOSTILE, { exact: true }).count()).toBe(2);
  expect(await page.locator('main img, main script').count()).toBe(0);
  expect(await page.title()).not.toBe('hit');
  const value = await page.getByText('v', { exact: true }).locator('..').boundingBox();
  expect(value?.width).toBeGreaterThan(300);
  await expectFitOnBoth(page);
});

test('a value that no mapping reads is shown as masked, on the event page and in the field tree', async () => {
  const { id, path } = await makeWebhook(own.client, { name: 'Masked' });
  const sent = await sendEvent(own.stack.url, `${path}?pwd=hidden`, ALERT, { 'x-room': 'hidden' });
  const { eventId } = (await sent.json()) as { eventId: string };
  await receiptOf(own.client, eventId);
  const page = await openPage(`/events/${eventId}`);
  await page.getByText('request.query.pwd', { exact: true }).waitFor();
  await page.getByText('request.headers.x-room', { exact: true }).waitFor();
  expect(await page.getByText('masked', { exact: true }).count()).toBeGreaterThanOrEqual(2);
  expect(await page.locator('main').innerText()).not.toContain('hidden');
  await visit(page, `/integrations/${id}/mapping`);
  await page.getByText('Latest event', { exact: true }).click();
  await page.getByLabel('Search fields').fill('x-room');
  const header = page.locator('[data-path="request.headers.x-room"]');
  await header.waitFor();
  expect(await header.innerText()).toContain('masked');
});

test('the field tree has a request branch: a dragged header is a path, and marked if the signature does not cover it', async () => {
  const secret = 'a secret of the sender';
  const signature = { scheme: 'github', secret };
  const { id, path } = await makeWebhook(own.client, { template: null, signature });
  const body = JSON.stringify(ALERT);
  const mac = createHmac('sha256', secret).update(body).digest('hex');
  const headers = { 'x-hub-signature-256': `sha256=${mac}`, 'x-github-event': 'issues' };
  const sent = await sendEvent(own.stack.url, path, body, headers);
  const { eventId } = (await sent.json()) as { eventId: string };
  await receiptOf(own.client, eventId);

  const page = await openPage(`/integrations/${id}/mapping`);
  const mapping = new MappingPage(page);
  const header = page.locator('[data-path="request.headers.x-github-event"]');
  await page.getByText('Latest event', { exact: true }).click();
  // The offer of a template appears above the fields and moves them down.
  await page.getByText(/^This looks like /).waitFor();
  await page.getByLabel('Search fields').fill('x-github');
  await header.waitFor();
  expect(await header.innerText()).toContain('unsigned');
  await mapping.drag(header, mapping.row('Title'));
  await reads(mapping.template('Title'), 'request.headers.x-github-event');
  await reads(mapping.result('Title'), 'issues');
  await expectFit(page);
});
