import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeWebhook, receiptOf, sendEvent } from '../support/api/webhooks.js';
import { visit } from '../support/browser/browser.js';
import {
  type ConsoleStack,
  consolePages,
  copied,
  runInBash,
  startConsoleStack,
} from '../support/browser/console-pages.js';
import { holdRequests } from '../support/browser/hold-requests.js';
import { expectFit } from '../support/browser/looked-at.js';
import { until } from '../support/until.js';

let own: ConsoleStack;
const openPage = consolePages(() => own);
beforeAll(async () => {
  own = await startConsoleStack();
});
afterAll(() => own.stack.stop());

describe('a new integration', () => {
  test('from a template: copy its URL, run the displayed command, open the alert', async () => {
    const page = await openPage('/integrations');
    await page.getByRole('link', { name: 'New integration' }).first().click();
    await page.getByRole('searchbox', { name: 'Source' }).fill('datadog');
    await page.getByRole('radio', { name: 'Datadog monitor' }).check();
    await page.getByText('alert_transition').first().waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Datadog monitor');
    await page.getByLabel('Name').fill("Checkout's monitors");
    await page.getByRole('button', { name: 'Create integration' }).click();
    await page.getByRole('heading', { name: "Checkout's monitors is ready" }).waitFor();
    const url = await copied(page, 'the URL');
    expect(url.startsWith(`${own.stack.url}/api/v1/webhook/`)).toBe(true);
    await page.reload();
    await page.getByText(url).waitFor();
    expect(await page.getByRole('link', { name: 'Edit mapping' }).getAttribute('href')).toMatch(
      /^\/integrations\/[0-9a-f-]{36}\/mapping$/,
    );

    const events = page.waitForResponse('**/v2/events?webhookId=*');
    await page.getByRole('link', { name: 'Send test event' }).click();
    await (await events).finished();
    const { eventId } = await runInBash(await copied(page, 'the command'));
    await page.getByText('Received an event that was not sent from this page.').waitFor();
    await page.getByText(`202 Accepted, event ${eventId}`).waitFor();
    await page.getByText(/^Last event \d+ s ago|^Last event now/).waitFor();
    expect(await receiptOf(own.client, eventId)).toMatchObject({ state: 'normalized' });
    await page.getByRole('link', { name: 'Events' }).last().click();
    await page.locator(`a[href^="/events/${eventId}"]`).click();
    await page.getByRole('link', { name: 'The mail queue is growing' }).click();
    await page.getByRole('heading', { level: 1, name: 'The mail queue is growing' }).waitFor();
    await page.getByText('From webhook.tags.service').waitFor();
  });

  test('can be created by keyboard alone', async () => {
    const page = await openPage('/integrations/new');
    await page.getByRole('searchbox', { name: 'Source' }).focus();
    await page.keyboard.press('Tab');
    expect(await page.getByRole('radio', { name: 'Start blank' }).isChecked()).toBe(true);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.waitForURL((url) => url.search === '?template=generic-application');
    expect(await page.getByRole('radio', { name: 'Generic: application and details' }).isChecked()).toBe(
      true,
    );
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Generic: application and details is ready' }).waitFor();
  });

  test('for programs that send to another product shows their URL and their key', async () => {
    const page = await openPage('/integrations/new?template=pagerduty-events');
    await page.getByRole('button', { name: 'Create integration' }).press('Enter');
    await page.getByRole('heading', { name: /is ready$/ }).waitFor();
    await page.getByText(/\/api\/v1\/webhook\/\w{32}\/v2\/enqueue$/).waitFor();
    await page.getByText(/^\w{32}$/).waitFor();
    await page.getByText('set the URL to the webhook URL followed by /v2/enqueue').waitFor();
    await expectFit(page);
  });

  test('without a template creates an incomplete alert, one click away', async () => {
    const page = await openPage('/integrations/new');
    await page.getByLabel('Name').fill('Blank one');
    await page.getByRole('button', { name: 'Create integration' }).press('Enter');
    await page.locator('main:focus').waitFor();
    await page.getByRole('link', { name: 'Send test event' }).click();
    await page.getByRole('button', { name: 'Send event' }).press('Enter');
    await page.getByText('No mapping yet.').first().waitFor();
    const offer = page.getByRole('link', { name: 'Find a template for this payload' });
    expect(await offer.getAttribute('href')).toMatch(/^\/integrations\/[0-9a-f-]{36}\/mapping\?event=/);
    await page.getByTestId('announcer').getByText('Stored. 1 alert.').waitFor({ state: 'attached' });
    await page.locator('button:focus', { hasText: 'Send event' }).waitFor();
    await page.getByRole('link', { name: 'Untitled' }).waitFor();
    await page.getByRole('link', { name: 'Alerts', exact: true }).click();
    await page.getByRole('link', { name: 'Incomplete' }).click();
    await page
      .getByRole('row', { name: /Blank one/ })
      .first()
      .waitFor();
    expect(new URL(page.url()).search).toBe('?state=incomplete');
  });

  test('is not offered to a key that cannot create one', async () => {
    const reader = await own.stack.key('webhooks:read', 'alerts:read');
    const webhook = await makeWebhook(own.client, { name: 'Read only' });
    const page = await openPage('/integrations', { key: reader });
    await page.getByRole('link', { name: 'Read only' }).waitFor();
    expect(await page.getByRole('link', { name: 'New integration' }).count()).toBe(0);
    await visit(page, `/integrations/${webhook.id}/settings`);
    await page.getByText('the secret part is masked').waitFor();
    expect(await page.content()).not.toContain(webhook.path);
    await visit(page, `/integrations/${webhook.id}/test`);
    await page.getByText('This key cannot see the URL').waitFor();
    expect(await page.getByRole('button', { name: 'Send event' }).isDisabled()).toBe(true);
  });
});

describe('a test event', () => {
  test('is tracked from 202 to its alerts', async () => {
    const { id } = await makeWebhook(own.client, { template: 'alertmanager' });
    const page = await openPage(`/integrations/${id}/test`);
    await page.getByRole('button', { name: 'Send event' }).click();
    const receipt = page.getByRole('list', { name: 'Receipt' });
    await receipt.getByText('202 Accepted, event').waitFor();
    await receipt.getByText('Mapping revision 1').waitFor();
    await receipt.getByRole('link', { name: 'DiskFillsUp' }).nth(1).waitFor();
    expect(await receipt.getByRole('img', { name: 'done' }).count()).toBe(4);
  });

  test('and a resolving one open and resolve an alert', async () => {
    const { id } = await makeWebhook(own.client, { template: 'uptime-kuma' });
    const page = await openPage(`/integrations/${id}/test`);
    const receipt = page.getByRole('list', { name: 'Receipt' });
    await page.getByRole('button', { name: 'Send event' }).click();
    const alert = receipt.getByRole('link', { name: 'Wiki' });
    await alert.waitFor();
    const address = await alert.getAttribute('href');
    await page.getByRole('button', { name: 'Use resolving sample' }).click();
    expect(await page.getByLabel('Payload').inputValue()).toContain('[Wiki] [Up] 200 - OK');
    expect(await page.getByRole('button', { name: 'Use resolving sample' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Reset to sample' }).waitFor();
    await page.getByRole('button', { name: 'Send event' }).click();
    const detail = async () => (await own.client.get(`/v2/alerts/${address?.split('/').at(-1)}`)).body.data;
    await until('the alert is resolved', async () => (await detail()).status === 'resolved');
    expect(await detail()).toMatchObject({ eventCount: 2 });
    await page.getByRole('button', { name: 'Send event' }).click();
    await receipt.getByText('Nothing to resolve: no alert with the key').waitFor();
  });

  test('can be edited once its sample is known, so that the sample does not appear within what is pasted', async () => {
    const { id } = await makeWebhook(own.client);
    const page = await openPage('/keys');
    const respond = await holdRequests(page, '**/v2/webhook-templates');
    await page.goto(`${own.stack.url}/integrations/${id}/test`);
    const payload = page.getByLabel('Payload');
    await payload.waitFor();
    expect(await payload.isEditable()).toBe(false);
    respond();
    await payload.fill('{"pasted":true}');
    expect(await payload.inputValue()).toBe('{"pasted":true}');
  });

  test('keeps the typed payload, quotes included, in the command and after a reload', async () => {
    const { id } = await makeWebhook(own.client);
    const page = await openPage(`/integrations/${id}/test`);
    const payload = `{"alert":{"name":"it's $HOME \`x\` !! \\"y\\"","message":"m"},"metrics":12345678901234567890}`;
    await page.getByLabel('Payload').fill(payload);
    const { eventId } = await runInBash(await copied(page, 'the command'));
    expect((await receiptOf(own.client, eventId)).raw).toBe(payload);
    await page.reload();
    expect(await page.getByLabel('Payload').inputValue()).toBe(payload);
    await page.getByRole('button', { name: 'Reset to sample' }).click();
    expect(await page.getByLabel('Payload').inputValue()).toContain('Too many open files');
  });

  test('with invalid JSON is explained and listed as rejected', async () => {
    const { id } = await makeWebhook(own.client);
    const page = await openPage(`/integrations/${id}/test`);
    await page.getByLabel('Payload').fill('{"broken": ');
    await page.getByText('Invalid JSON: ').waitFor();
    await page.getByRole('button', { name: 'Send event' }).click();
    await page
      .getByRole('alert')
      .getByText(/^400: /)
      .waitFor();
    await page.getByRole('link', { name: 'View rejected events' }).click();
    await page
      .getByRole('row', { name: /rejected/ })
      .getByRole('link')
      .click();
    await page.getByText('{"broken":').waitFor();
  });

  test('over the rate limit is explained, with the time to wait', async () => {
    const rateLimit = { eventsPerMinute: 1, overLimitStatus: 429 };
    const { id, path } = await makeWebhook(own.client, { rateLimit });
    expect((await sendEvent(own.stack.url, path, {})).status).toBe(202);
    const page = await openPage(`/integrations/${id}/test`);
    await page.getByRole('button', { name: 'Send event' }).click();
    await page.getByText('429: This integration accepts at most 1 event per minute.').waitFor();
    await page.getByText(/Retry after \d+ s/).waitFor();
  });

  test('to a replaced URL is explained', async () => {
    const { id } = await makeWebhook(own.client);
    const page = await openPage(`/integrations/${id}/test`);
    const send = page.getByRole('button', { name: 'Send event' });
    await send.waitFor();
    await own.client.json('POST', `/v2/webhooks/${id}/rotate`, {});
    await send.click();
    await page.getByText(/^404: /).waitFor();
    await page.getByText('It was replaced or deleted').waitFor();
  });
});
