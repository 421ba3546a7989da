import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { makeWebhook, type TestWebhook } from '../support/api/webhooks.js';
import { sizes, visit } from '../support/browser/browser.js';
import {
  type ConsoleStack,
  consolePages,
  copied,
  startConsoleStack,
  storeEvent,
} from '../support/browser/console-pages.js';
import { expectFit, expectFitOnBoth } from '../support/browser/looked-at.js';
import { untilKnown } from '../support/outbox/outbox-desk.js';
import { Receiver, status } from '../support/outbox/receiver.js';
import { until } from '../support/until.js';

let own: ConsoleStack;
let receiver: Receiver;
let webhook: TestWebhook;
const openPage = consolePages(() => own);
beforeAll(async () => {
  receiver = await Receiver.start();
  own = await startConsoleStack({ env: { OUTBOUND_ALLOW: receiver.host } });
  webhook = await makeWebhook(own.client, { name: 'Boiler', template: null, driftSeverity: null });
  await own.client.json('PUT', `/v2/webhooks/${webhook.id}/mapping`, MAPPING);
});
beforeEach(() => receiver.clear());
afterAll(async () => {
  await own.stack.stop();
  await receiver.stop();
});

const MAPPING = {
  fields: {
    title: { template: '{{webhook.title}}' },
    severity: { template: '{{webhook.severity}}' },
    description: { template: 'It is hot.' },
    source: { template: 'boiler' },
    status: { template: '{{webhook.status}}' },
    dedupKey: { template: '{{webhook.key}}' },
  },
};
const event = (key: string, more: object = {}) => ({
  title: `Boiler ${key} is hot`,
  severity: 'error',
  status: 'firing',
  key,
  ...more,
});
const send = (body: object) => storeEvent(own, webhook.path, body);

const dialog = (page: Page) => page.getByRole('dialog');
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

/** Expects that a page fits on a desk and on a phone, and leaves it on the desk. */
async function expectFits(page: Page): Promise<void> {
  await expectFitOnBoth(page);
  await page.setViewportSize(sizes.desk);
}

async function makeDestination(more: object = {}): Promise<string> {
  const body = { name: 'On-call', preset: 'webhook', url: `${receiver.url}/hook`, ...more };
  const { data } = (await own.client.json('POST', '/v2/destinations', body)).body;
  await untilKnown(own.stack);
  return data.id;
}

describe('a destination', () => {
  test('is created, tested, told, paused, changed and deleted', async () => {
    const page = await openPage('/destinations', { expectedErrors: [/status of 400/] });
    await page.getByRole('heading', { name: 'No destinations yet' }).waitFor();
    await expectFits(page);

    await page.getByRole('button', { name: 'New destination' }).click();
    await dialog(page).getByLabel('Receiver').selectOption('PagerDuty');
    expect(await dialog(page).getByLabel('URL').inputValue()).toBe('https://events.pagerduty.com/v2/enqueue');
    await dialog(page).getByRole('textbox', { name: 'Routing key' }).waitFor();
    await dialog(page).getByLabel('Receiver').selectOption('E-mail');
    await dialog(page).getByLabel('Name').fill('Mail');
    await dialog(page).getByLabel('Recipients').fill('ada@example.com, grace@example.com');
    await expectFits(page);
    await dialog(page).getByRole('button', { name: 'Create destination' }).click();
    await dialog(page)
      .getByText(/SMTP_URL/)
      .waitFor();
    await dialog(page).getByLabel('Receiver').selectOption('Webhook');
    await dialog(page).getByLabel('Name').fill('On-call');
    await dialog(page).getByLabel('URL').fill('http://127.0.0.1:1/');
    await dialog(page).getByRole('switch', { name: 'All integrations' }).click();
    const create = dialog(page).getByRole('button', { name: 'Create destination' });
    expect(await create.isDisabled()).toBe(true);
    await dialog(page).getByRole('combobox', { name: 'Integrations' }).click();
    await page.getByRole('option', { name: 'Boiler' }).click();
    await dialog(page).getByLabel('Severity at least').selectOption('error');
    await dialog(page).getByRole('button', { name: 'More options' }).click();
    await dialog(page).getByLabel('Headers').fill('Authorization: Bearer c2VjcmV0\nX-Tenant: a');
    await expectFits(page);
    await create.click();
    await dialog(page)
      .getByText(/OUTBOUND_ALLOW/)
      .waitFor();
    await dialog(page).getByLabel('URL').fill(`${receiver.url}/hook`);
    await create.click();
    await dialog(page).getByText('Copy the signing secret now').first().waitFor();
    await expectFits(page);
    expect(await copied(page, 'the signing secret')).toMatch(/^whsec_/);
    await dialog(page).getByRole('button', { name: 'Done' }).click();

    await page.getByRole('heading', { level: 1, name: 'On-call' }).waitFor();
    await page.getByRole('heading', { name: 'No messages yet' }).waitFor();
    receiver.respond = status(503, {}, 'try later');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await dialog(page).getByRole('button', { name: 'Send test' }).click();
    await dialog(page).getByText('The receiver responded with 503.').waitFor();
    await dialog(page).getByText('try later').waitFor();
    await dialog(page).getByText('Test from Muster').last().waitFor();
    await expectFits(page);
    receiver.respond = status(202, {}, 'queued');
    await dialog(page).getByRole('button', { name: 'Send again' }).click();
    await dialog(page).getByText('Delivered', { exact: true }).waitFor();
    await dialog(page).getByRole('button', { name: 'Close' }).last().click();

    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Somebody paused it').waitFor();
    await send(event('1'));
    await send(event('2', { severity: 'info' }));
    await page.getByText(/^2 messages wait\./).waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await dialog(page).getByText('2 messages wait. Which are sent?').waitFor();
    await expectFits(page);
    await dialog(page).getByRole('button', { name: 'Resume' }).click();
    await row(page, 'Boiler 1 is hot').getByText('delivered').waitFor();
    await row(page, 'Boiler 2 is hot').getByText('Not severe enough').waitFor();
    await expectFits(page);

    await page.getByRole('button', { name: 'State' }).click();
    await page.getByRole('option', { name: 'delivered' }).click();
    await row(page, 'Boiler 2 is hot').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: /^Message \d+: fired$/ }).click();
    await row(page, 'The receiver responded with 202').getByText('queued').waitFor();
    await dialog(page).getByText('"alert.fired"').waitFor();
    await expectFits(page);
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });

    await page.getByRole('link', { name: 'Settings' }).click();
    const told = section(page, 'Alerts');
    await told.getByLabel('Severity at least').selectOption('critical');
    await told.getByLabel('Seconds that a new alert waits').fill('30');
    await told.getByLabel('Minutes until it is told again').fill('240');
    await told.getByRole('button', { name: 'Save' }).click();
    await told.getByText('Saved').waitFor();
    await section(page, 'Receiver').getByLabel('New URL').fill('not a URL');
    await section(page, 'Receiver').getByRole('button', { name: 'Save' }).click();
    await section(page, 'Receiver').getByLabel('New URL').and(page.locator('[aria-invalid=true]')).waitFor();
    await section(page, 'Receiver').getByLabel('New URL').fill(`${receiver.url}/moved`);
    await section(page, 'Receiver').getByLabel('New headers').fill('x-tenant:');
    await section(page, 'Receiver').getByRole('button', { name: 'Save' }).click();
    await section(page, 'Receiver').getByText('Saved').waitFor();
    await section(page, 'Signing secret').getByRole('button', { name: 'Rotate secret' }).click();
    await dialog(page).getByRole('button', { name: 'Rotate secret' }).click();
    expect(await copied(page, 'the signing secret')).toMatch(/^whsec_/);
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await dialog(page).waitFor({ state: 'detached' });

    await page.getByRole('link', { name: 'Destinations' }).last().click();
    await row(page, 'On-call').getByText('active').waitFor();
    await expectFits(page);
    const { data } = (await own.client.get('/v2/destinations')).body;
    expect(data).toMatchObject([
      {
        webhookIds: [webhook.id],
        severityAtLeast: 'critical',
        headerNames: ['authorization'],
        settleSeconds: 30,
        repeatEveryMinutes: 240,
        mode: 'every',
      },
    ]);
    await page.getByRole('link', { name: 'On-call' }).click();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Delete destination' }).click();
    await dialog(page).getByLabel('Type “On-call” to confirm').fill('On-call');
    await dialog(page).getByRole('button', { name: 'Delete destination' }).click();
    await page.getByRole('heading', { name: 'No destinations yet' }).waitFor();
  });

  test('that stops says why, and goes on when it is resumed', async () => {
    const id = await makeDestination();
    receiver.respond = status(410);
    await send(event('3'));
    const page = await openPage(`/destinations/${id}`);
    await page.getByText('Its receiver is gone').waitFor();
    await row(page, 'Boiler 3 is hot').getByText('When the destination is resumed').waitFor();
    await page.getByRole('link', { name: /^Message \d+: fired$/ }).click();
    await row(page, 'The receiver responded with 410').waitFor();
    await page.keyboard.press('Escape');
    await expectFits(page);
    receiver.clear();
    await page.getByRole('button', { name: 'Resume' }).click();
    await dialog(page).getByRole('radio', { name: 'The last one of each alert' }).check();
    await dialog(page).getByRole('button', { name: 'Resume' }).click();
    await row(page, 'Boiler 3 is hot').getByText('delivered').waitFor();
    await own.client.send('DELETE', `/v2/destinations/${id}`);
  });

  test('cannot be changed by a key that may only read', async () => {
    const id = await makeDestination({ severityAtLeast: 'error' });
    const page = await openPage(`/destinations/${id}/settings`, {
      key: await own.stack.key('destinations:read'),
    });
    await section(page, 'Alerts').getByText('error').waitFor();
    expect(await page.getByRole('button', { name: /^(Test|Pause|Save|Delete)/ }).count()).toBe(0);
    await expectFit(page);
    await own.client.send('DELETE', `/v2/destinations/${id}`);
  });
});

test('a filter and a body are drawn next to the newest alerts and the last 7 days', async () => {
  const id = await makeDestination({ name: 'Drawn', webhookIds: [webhook.id], paused: true });
  await send(event('drawn'));
  await send(event('filtered'));
  const page = await openPage(`/destinations/${id}/settings`, { expectedErrors: [/status of 400/] });
  const drawn = section(page, 'Filter and body');
  const write = async (label: string, text: string) => {
    await drawn.getByLabel(label).click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(text);
  };
  await write('Filter expression', 'alert.titel == "x"');
  await drawn.getByText('line 1, column 1: alert has no field "titel"').waitFor();
  await write('Filter expression', '');
  await drawn.getByText('Fields to insert').click();
  await drawn.getByRole('button', { name: 'Insert alert.title' }).click();
  await drawn.getByLabel('Filter expression').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('.contains("drawn")');
  const messages = drawn.getByTestId('previewed messages').getByRole('listitem');
  const filtered = messages.filter({ hasText: 'Boiler filtered is hot' });
  await filtered.getByText('alert.title.contains("drawn"); alert.title is').waitFor();
  await drawn.getByRole('combobox', { name: 'Body' }).selectOption('An expression of your own');
  await messages
    .filter({ hasText: 'Boiler drawn is hot' })
    .getByText('"text": "Boiler drawn is hot"')
    .waitFor();
  await drawn.getByRole('combobox', { name: 'Body' }).selectOption('A template of your own');
  await write('Body template', '{"hot": "{{alert.title}}"}');
  await messages
    .filter({ hasText: 'Boiler drawn is hot' })
    .getByText('"hot": "Boiler drawn is hot"')
    .waitFor();
  await drawn.getByRole('button', { name: 'What would it have got in the last 7 days?' }).click();
  const days = drawn.getByTestId('last days');
  await days.getByRole('img', { name: /^Messages by day/ }).waitFor();
  await days.getByText('The busiest minute').waitFor();
  await drawn.scrollIntoViewIfNeeded();
  await expectFits(page);
  await drawn.getByRole('button', { name: 'Save' }).click();
  await drawn.getByText('Saved').waitFor();
  expect((await own.client.get(`/v2/destinations/${id}`)).body.data).toMatchObject({
    filter: 'alert.title.contains("drawn")',
    body: { contentType: 'application/json', template: '{"hot": "{{alert.title}}"}' },
  });
  await own.client.send('DELETE', `/v2/destinations/${id}`);
});

test('what was given up is listed by reason and sent again, all of it or one message', async () => {
  const id = await makeDestination();
  receiver.respond = status(400, {}, 'no');
  for (const key of ['5', '6']) await send(event(key));
  const messages = own.stack.database('messages').where({ destination_id: id });
  await until('both were tried', async () => (await messages.clone().where('attempts', 1)).length === 2);
  await until(
    'no lane runs',
    async () => (await own.stack.database('lanes').whereNotNull('lease')).length === 0,
  );
  await messages.clone().update({ state: 'dead', reason: 'http_400', ended_at: new Date() });
  const noted = { trouble: 'dead', trouble_at: new Date(), dead_at: new Date() } as const;
  await own.stack.database('lanes').where({ destination_id: id }).update(noted);
  receiver.clear();

  const page = await openPage(`/destinations/${id}/given-up`);
  await page.getByText('A message was given up: Muster raised an alert').waitFor();
  await row(page, 'The receiver responded with 400').getByText('dead').waitFor();
  await expectFits(page);
  await page.getByRole('button', { name: 'Send all again' }).click();
  await dialog(page).getByText('2 messages can be sent again.').waitFor();
  await expectFits(page);
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });

  await page.getByRole('link', { name: 'The receiver responded with 400' }).click();
  await page
    .getByRole('link', { name: /^Message \d+: fired$/ })
    .first()
    .click();
  await dialog(page).getByRole('button', { name: 'Send again' }).click();
  await page
    .getByRole('dialog', { name: 'Send the message again' })
    .getByRole('button', { name: 'Send again' })
    .click();
  await until('one came', () => receiver.accepted.length === 1);
  await visit(page, `/destinations/${id}/given-up`);
  await page.getByRole('button', { name: /^Send again: The receiver/ }).click();
  await dialog(page).getByRole('button', { name: 'Send 1 message again' }).click();
  await page.getByRole('heading', { name: 'Nothing was given up' }).waitFor();
  await until('both came', () => receiver.accepted.length === 2);
  await own.client.send('DELETE', `/v2/destinations/${id}`);
});

test('from an event to the body that was sent about its alert are two clicks', async () => {
  const id = await makeDestination();
  const { id: eventId } = await send(event('4'));
  await until('it is told', () => receiver.accepted.length === 1);
  const page = await openPage(`/events/${eventId}`);
  await page.getByRole('link', { name: 'Boiler 4 is hot' }).click();
  const told = section(page, 'Told');
  await told.getByText('delivered').waitFor();
  await told.scrollIntoViewIfNeeded();
  await expectFits(page);
  await told.getByRole('button', { name: 'View message to On-call: fired' }).click();
  await row(page, 'The receiver responded with 204').waitFor();
  await dialog(page).getByText('"Boiler 4 is hot"').waitFor();
  await expectFit(page);
  await own.client.send('DELETE', `/v2/destinations/${id}`);

  const reader = await openPage(
    `/alerts/${(await own.client.get(`/v2/events/${eventId}`)).body.data.alertIds[0]}`,
    {
      key: await own.stack.key('alerts:read'),
    },
  );
  await section(reader, 'Payload').waitFor();
  expect(await section(reader, 'Told').count()).toBe(0);
});

test('an upload names a destination, and the page of its job says that it was told', async () => {
  const id = await makeDestination({ types: [] });
  const page = await openPage('/identities/upload');
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(PEOPLE) };
  await page.getByLabel('CSV file').setInputFiles(file);
  await page.getByRole('combobox', { name: 'Tell when done (optional)' }).click();
  await page.getByRole('option', { name: 'On-call' }).click();
  await expectFits(page);
  await page.getByRole('button', { name: 'Start dry run' }).click();
  await until('it is told', () => receiver.accepted.length === 1);
  const { job } = JSON.parse(receiver.accepted[0]?.text ?? '').data;
  expect(job).toMatchObject({ dryRun: true, state: 'completed', callback: id, fileName: 'people.csv' });
  await visit(page, `/jobs/${job.id}`);
  const told = section(page, 'Told');
  await told.getByText('delivered').waitFor();
  await told.scrollIntoViewIfNeeded();
  await expectFits(page);
  await told.getByRole('button', { name: 'View message to On-call: finished' }).click();
  await dialog(page).getByText('"job.finished"').waitFor();
  await dialog(page).getByRole('link', { name: 'Identity import' }).waitFor();
  await expectFits(page);
  await visit(page, `/destinations/${id}`);
  await row(page, 'finished').getByRole('link', { name: 'Identity import' }).waitFor();
  await own.client.send('DELETE', `/v2/destinations/${id}`);
});

const PEOPLE = 'email,integrationId,identity\nann@example.com,1,a\n';

test('an integration is muted for a time, says so, and is unmuted', async () => {
  const page = await openPage(`/integrations/${webhook.id}/settings`);
  const mute = section(page, 'Mute');
  await mute.getByText('Not muted').waitFor();
  await mute.getByRole('button', { name: 'Mute for 4 h' }).click();
  await mute.getByText(/^Muted until .*in 3 h/).waitFor();
  await page.getByText('muted, ends in 3 h').waitFor();
  await mute.scrollIntoViewIfNeeded();
  await expectFits(page);
  const mutedUntil = async () =>
    (await own.client.get(`/v2/webhooks/${webhook.id}`)).body.data.mutedUntil as string | null;
  expect(Date.parse((await mutedUntil()) ?? '') - Date.now()).toBeGreaterThan(3.9 * 3_600_000);
  await mute.getByLabel('Until').fill('2020-01-01T00:00');
  await mute.getByText('This time is over').waitFor();
  await mute.getByLabel('Until').fill('2099-01-01T00:00');
  await mute.getByRole('button', { name: 'Mute until then' }).click();
  await mute.getByText(/2099/).waitFor();
  await mute.getByRole('button', { name: 'Unmute' }).click();
  await mute.getByText('Not muted').waitFor();
  expect(await mutedUntil()).toBe(null);
  expect(await page.getByText(/^muted, ends/).count()).toBe(0);
});
