import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { makeWebhook, receiptOf, sendEvent, type TestWebhook } from '../support/api/webhooks.js';
import { accessibilityViolations } from '../support/browser/accessibility.js';
import {
  type ConsoleStack,
  consolePages,
  copied,
  runInBash,
  startConsoleStack,
  storeEvent,
} from '../support/browser/console-pages.js';
import { holdRequests } from '../support/browser/hold-requests.js';
import { expectFit, expectFitOnBoth } from '../support/browser/looked-at.js';
import { someFrames, watchPlaces } from '../support/browser/places.js';
import { storeAsBefore } from '../support/series/older-release.js';
import { until } from '../support/until.js';

let own: ConsoleStack;
const openPage = consolePages(() => own);
beforeAll(async () => {
  own = await startConsoleStack();
});
afterAll(() => own.stack.stop());

async function settingsOf(more: object = {}): Promise<{ page: Page; webhook: TestWebhook }> {
  const webhook = await makeWebhook(own.client, more);
  return { page: await openPage(`/integrations/${webhook.id}/settings`), webhook };
}

const statusOf = async (path: string, headers: Record<string, string> = {}) =>
  (await sendEvent(own.stack.url, path, { a: 1 }, headers)).status;

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

async function replaceUrl(page: Page, grace: string): Promise<void> {
  await page.getByLabel('Current URL expires').selectOption(grace);
  await page.getByRole('button', { name: 'Replace URL' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace URL' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

test('a new URL works together with the previous one until the grace period ends, or replaces it immediately', async () => {
  const { page, webhook } = await settingsOf();
  await replaceUrl(page, 'after 1 hour');
  await page.getByText('Previous URL, expires').waitFor();
  const path = new URL(await copied(page, 'the URL')).pathname;
  expect(path).not.toBe(webhook.path);
  expect(await copied(page, 'the previous URL')).toBe(own.stack.url + webhook.path);
  expect(await statusOf(path)).toBe(202);
  expect(await statusOf(webhook.path)).toBe(202);

  await replaceUrl(page, 'immediately');
  await page.getByText('Previous URL').waitFor({ state: 'detached' });
  expect(await statusOf(new URL(await copied(page, 'the URL')).pathname)).toBe(202);
  expect(await statusOf(path)).toBe(404);
  expect(await statusOf(webhook.path)).toBe(404);
});

async function choose(page: Page, scheme: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Signature scheme' }).selectOption({ label: scheme });
}

describe('signatures', () => {
  test('of each kind can be required, both ways of testing sign, and they can be switched off', async () => {
    const { page, webhook } = await settingsOf();
    const signature = section(page, 'Signature');
    const save = signature.getByRole('button', { name: 'Save' });
    const secret = signature.getByRole('textbox', { name: /secret/i });
    await choose(page, 'Standard Webhooks');
    expect(await save.isDisabled()).toBe(true);
    for (const [scheme, note] of [
      ['Standard Webhooks', 'for at most 5 minutes'],
      ['Slack', 'The signature is valid for this payload only'],
      ['GitLab (secret token)', 'The command contains the secret'],
    ] as const) {
      await choose(page, scheme);
      await page.getByRole('button', { name: 'Generate' }).click();
      await save.click();
      await signature.getByText('Saved').waitFor();
      expect(await statusOf(webhook.path)).toBe(401);

      await page.getByRole('link', { name: 'Test' }).click();
      await page.getByText(note).waitFor();
      const response = await runInBash(await copied(page, 'the command'));
      expect(await receiptOf(own.client, response.eventId)).toMatchObject({ state: 'normalized' });
      await page.getByRole('button', { name: 'Send event' }).click();
      await page.getByText('Mapping revision 1').waitFor();
      await page.getByRole('link', { name: 'URL and security' }).click();
      const { data } = (await own.client.get(`/v2/webhooks/${webhook.id}`)).body;
      expect(await secret.inputValue()).toBe(data.signature.secret);
    }
    await choose(page, 'None');
    await save.click();
    await signature.getByText('Saved').waitFor();
    expect(await statusOf(webhook.path)).toBe(202);
  });

  test('have a form that stays in place when the scheme of the template is proposed', async () => {
    const { id } = await makeWebhook(own.client, { template: 'github-dependabot' });
    const page = await openPage('/keys');
    const placesOfForm = await watchPlaces(page, 'form select[name="scheme"]');
    const release = await holdRequests(page, '**/v2/webhook-templates');
    const loaded = page.waitForResponse('**/v2/signature-presets');
    await page.goto(`${own.stack.url}/integrations/${id}/settings`);
    await (await loaded).finished();
    await someFrames(page);
    release();
    await page.getByRole('button', { name: 'Use this scheme' }).waitFor();
    await someFrames(page);
    expect(await placesOfForm()).toHaveLength(1);
  });

  test('keep what was entered while the templates are loaded again', async () => {
    const { id } = await makeWebhook(own.client);
    const page = await openPage('/keys', { expectedErrors: [/ERR_FAILED/] });
    let isHeld = false;
    const held: Route[] = [];
    await page.route('**/v2/webhook-templates', async (route) => {
      if (isHeld) held.push(route);
      else await route.abort();
    });
    await page.goto(`${own.stack.url}/integrations/${id}/settings`);
    await choose(page, 'GitHub');
    await page.getByRole('textbox', { name: 'Secret', exact: true }).fill('entered');
    isHeld = true;
    // Each return to the tab loads what failed, but not while an earlier attempt is being retried.
    await page.evaluate("setInterval(() => dispatchEvent(new Event('visibilitychange')), 100)");
    await until('the templates are requested again', () => held.length > 0);
    await someFrames(page);
    for (const route of held) await route.continue();
    expect(await page.getByRole('textbox', { name: 'Secret', exact: true }).inputValue()).toBe('entered');
  });

  test('can be observed first, and are enforced with one click', async () => {
    const { page, webhook } = await settingsOf();
    await choose(page, 'Token in a header');
    await page.getByLabel('header').fill('X-Muster-Token');
    await page.getByRole('button', { name: 'Generate' }).click();
    await page.getByLabel('Observe only').press(' ');
    await section(page, 'Signature').getByRole('button', { name: 'Save' }).click();
    await section(page, 'Signature').getByText('Saved').waitFor();
    expect(await statusOf(webhook.path)).toBe(202);
    await own.stack.api.intake.observations.flush();
    await page.reload();
    await page.getByText('1 would be rejected: 1 without a signature').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Enforce' }).click();
    await page.getByRole('button', { name: 'Enforce' }).waitFor({ state: 'detached' });
    expect(await statusOf(webhook.path)).toBe(401);
  });

  test('a new secret keeps the previous one valid for the chosen time', async () => {
    const secret = 'a secret of some length';
    const { page, webhook } = await settingsOf({
      signature: { scheme: 'gitlab-token', secret: secret.replaceAll(' ', '-') },
    });
    await page.getByRole('button', { name: 'Generate' }).click();
    await page.getByLabel('Previous secret expires').selectOption('after 7 days');
    await section(page, 'Signature').getByRole('button', { name: 'Save' }).click();
    await page.getByText('The previous secret is valid too and expires').waitFor();
    expect(await statusOf(webhook.path, { 'x-gitlab-token': secret.replaceAll(' ', '-') })).toBe(202);
    expect(await statusOf(webhook.path, { 'x-gitlab-token': 'another-secret-of-some-length' })).toBe(401);
  });
});

test('a rate limit can be set and removed, the name changed, and deleting requires typing it', async () => {
  const { page, webhook } = await settingsOf();
  const limit = section(page, 'Rate limit');
  await limit.getByLabel('Limit the rate of events').press(' ');
  await limit.getByLabel('Events per minute').fill('1');
  await limit.getByRole('radio', { name: '429' }).check();
  await limit.getByRole('button', { name: 'Save' }).click();
  await limit.getByText('Saved').waitFor();
  expect([await statusOf(webhook.path), await statusOf(webhook.path)]).toEqual([202, 429]);
  await limit.getByLabel('Limit the rate of events').press(' ');
  await limit.getByRole('button', { name: 'Save' }).click();
  await limit.getByText('Saved').waitFor();
  expect(await statusOf(webhook.path)).toBe(202);

  await page.getByRole('textbox', { name: 'Name' }).fill('Old one');
  await page.getByLabel('Description').fill('For everybody');
  await section(page, 'Name').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1, name: 'Old one' }).waitFor();
  const { data } = (await own.client.get(`/v2/webhooks/${webhook.id}`)).body;
  expect(data).toMatchObject({ name: 'Old one', description: 'For everybody' });

  await page.getByRole('button', { name: 'Delete integration' }).click();
  const dialog = page.getByRole('dialog');
  const remove = dialog.getByRole('button', { name: 'Delete integration' });
  await dialog.getByLabel('Type “Old one” to confirm').fill('old one');
  expect(await remove.isDisabled()).toBe(true);
  await dialog.getByLabel('Type “Old one” to confirm').fill('Old one');
  await remove.click();
  await page.waitForURL('**/integrations');
  expect((await own.client.get(`/v2/webhooks/${webhook.id}`)).status).toBe(404);
  expect(await statusOf(webhook.path)).toBe(404);
});

test('an integration that is managed by files says where they are before it is changed by hand', async () => {
  const managedBy = 'https://git.example.com/alerts';
  const document = { name: 'From a file', template: 'generic-alert', managedBy };
  await own.client.json('PUT', '/v2/by-name/integrations/From%20a%20file', document);
  const { id } = (await own.client.get('/v2/by-name/integrations/From%20a%20file')).body.data;
  const page = await openPage(`/integrations/${id}/mapping`);
  const note = page.getByRole('note', { name: 'Managed by files' });
  await note.getByText('what you save here differs from the file').waitFor();
  expect(await note.getByRole('link', { name: managedBy }).getAttribute('href')).toBe(managedBy);
  await page.getByRole('link', { name: 'Events' }).last().click();
  await note.waitFor({ state: 'detached' });
  for (const tab of ['Heartbeats', 'URL and security']) {
    await page.getByRole('link', { name: tab }).click();
    await note.waitFor();
  }
  await expectFitOnBoth(page);
  await note.getByRole('button', { name: 'Stop managing by files' }).click();
  await note.waitFor({ state: 'detached' });
  expect((await own.client.get(`/v2/webhooks/${id}`)).body.data.managedBy).toBeNull();

  // Only an address of the web is a link.
  await own.client.json('PATCH', `/v2/webhooks/${id}`, { managedBy: 'javascript:alert(1)' });
  await page.reload();
  await note.getByText('javascript:alert(1)').waitFor();
  expect(await note.getByRole('link').count()).toBe(0);
});

test('a destination and a table that files manage say so too', async () => {
  const managedBy = 'https://git.example.com/alerts';
  const document = { name: 'From a file', preset: 'webhook', url: 'https://receiver.invalid/', paused: true };
  const made = await own.client.json('PUT', '/v2/by-name/destinations/From%20a%20file', {
    ...document,
    managedBy,
  });
  const page = await openPage(`/destinations/${made.body.data.id}/settings`);
  const note = page.getByRole('note', { name: 'Managed by files' });
  await note.getByText('Its settings come from a file in').waitFor();
  await expectFitOnBoth(page);
  await note.getByRole('button', { name: 'Stop managing by files' }).click();
  await note.waitFor({ state: 'detached' });
  const { body } = await own.client.get('/v2/by-name/destinations/From%20a%20file');
  expect(body.data.document.managedBy).toBeNull();

  await own.client.json('PUT', `/v2/tables/managed?managedBy=${managedBy}`, [{ key: 'a' }]);
  await page.goto(`${own.stack.url}/tables/managed`);
  await note.getByText('Its rows and its key come from a file in').waitFor();
});

test('alerts of an earlier release are refolded after a dry run that lists the changes', async () => {
  const webhook = await makeWebhook(own.client, { template: null });
  const field = (name: string) => ({ template: `{{webhook.${name}}}` });
  const fields = { title: field('name'), severity: field('severity'), description: field('text') };
  await own.client.json('PUT', `/v2/webhooks/${webhook.id}/mapping`, {
    fields: { ...fields, source: { template: 'Tests' }, status: field('status'), dedupKey: field('key') },
  });
  const problem = { key: 'disk', name: 'Disk is full', severity: 'critical', text: '99%' };
  const { alertIds } = await storeEvent(own, webhook.path, problem);
  await storeEvent(own, webhook.path, {
    key: 'disk',
    name: 'Disk is fine',
    severity: 'info',
    text: '5%',
    status: 'ok',
  });
  await storeAsBefore(own.stack.database);
  const alert = async () => (await own.client.get(`/v2/alerts/${alertIds[0]}`)).body.data;
  expect(await alert()).toMatchObject({ title: 'Disk is fine', peakSeverity: null });

  const page = await openPage(`/integrations/${webhook.id}/settings`);
  const stored = section(page, 'Stored alerts');
  await stored.getByRole('button', { name: 'Start dry run' }).click();
  const refold = stored.getByRole('button', { name: 'Refold 1 alert' });
  await refold.waitFor();
  await stored.getByRole('button', { name: /Download file/ }).waitFor();
  expect(await alert()).toMatchObject({ title: 'Disk is fine' });
  await expectFit(page);
  await refold.click();
  await stored.getByText('Completed', { exact: true }).waitFor();
  expect(await alert()).toMatchObject({ title: 'Disk is full', resolution: '5%', peakSeverity: 'critical' });
});

test('a token of another product is imported, its senders are shown, and it is revoked', async () => {
  const { id, path } = await makeWebhook(own.client, { template: 'opsgenie-api' });
  const page = await openPage(`/integrations/${id}/senders`, { expectedErrors: [/status of 400/] });
  await section(page, 'Webhook URL').getByText('Nothing has used it.').waitFor();
  const dialog = page.getByRole('dialog');
  const genie = randomUUID();
  await page.getByRole('button', { name: 'Import token' }).click();
  await dialog.getByLabel('Token', { exact: true }).fill('opsgenie-key-of-the-team');
  await dialog.getByLabel('Where it comes from').fill('Opsgenie: Datadog production');
  await dialog.getByRole('button', { name: 'Import token' }).click();
  await dialog.getByText('could be guessed').waitFor();
  await expectFit(page);
  await dialog.getByLabel('Token', { exact: true }).fill(genie);
  await dialog.getByRole('button', { name: 'Import token' }).click();
  await section(page, `Imported token …${genie.slice(-4)}`)
    .getByText('Nothing has used it.')
    .waitFor();

  await fetch(`${own.stack.url}/v2/alerts`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'opsgenie-go-sdk-1.2.13 (linux/amd64)',
      authorization: `GenieKey ${genie}`,
    },
    body: JSON.stringify({ message: 'Disk full', alias: 'disk' }),
  });
  await sendEvent(own.stack.url, path, { a: 1 }, { 'user-agent': 'Grafana' });
  await own.stack.api.intake.senders.flush();
  await page.reload();
  await section(page, 'Webhook URL').getByText('Grafana').waitFor();
  await page.getByRole('row').filter({ hasText: 'opsgenie-go-sdk' }).getByText('/v2/alerts').waitFor();
  await expectFitOnBoth(page);
  await page.getByRole('button', { name: 'Revoke' }).click();
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await section(page, `Imported token …${genie.slice(-4)}`).waitFor({ state: 'detached' });
});

test('integrations of another product are imported from a file, after their plan was shown', async () => {
  const page = await openPage('/integrations');
  await page.getByRole('link', { name: 'Import', exact: true }).click();
  const link = `https://oncall.example.com/integrations/v1/alertmanager/${randomUUID()}/`;
  const integrations = [
    { id: 'C1', name: 'Prometheus of the shop', type: 'alertmanager', link },
    {
      id: 'C2',
      name: 'Backups',
      type: 'webhook',
      link: 'https://oncall.example.com/integrations/v1/webhook/short/',
    },
    { id: 'C3', name: 'Mail', type: 'inbound_email', link: null },
  ];
  const choose = (name: string, text: string) =>
    page
      .getByLabel('Export file')
      .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
  await choose('photo.json', 'no JSON');
  await page.getByText('photo.json is not a JSON document.').waitFor();
  await choose('oncall.json', JSON.stringify({ count: 3, results: integrations }));
  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  await row('Backups').getByText('must be 20 to 128 letters').waitFor();
  await row('Mail').getByText('Skipped').waitFor();
  await expectFitOnBoth(page);
  await page.getByRole('button', { name: 'Import 1 integration' }).click();
  await row('Prometheus of the shop').getByText('Created').waitFor();
  await page.getByRole('link', { name: 'Prometheus of the shop' }).click();
  await page.getByRole('heading', { name: 'Prometheus of the shop' }).waitFor();
});
