import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findSource } from '../../workers/mapping/catalogue/index.js';
import { makeWebhook, receiptOf, sendEvent } from '../support/api/webhooks.js';
import { accessibilityViolations } from '../support/browser/accessibility.js';
import { sharedBrowser, visit } from '../support/browser/browser.js';
import { MappingPages, reads } from '../support/browser/mapping-page.js';
import { type Stack, startStack } from '../support/servers/stack.js';

const browser = sharedBrowser();
let stack: Stack;
let mappings: MappingPages;
beforeAll(async () => {
  stack = await startStack();
  mappings = await MappingPages.of(stack, browser);
});
afterAll(() => stack.stop());

const GRAFANA = findSource('grafana');

test('a pasted payload is recognized, and its template is taken, checked and saved', async () => {
  const { page, mapping, webhook } = await mappings.create();
  await mapping.paste('{"unknown":1}');
  await mapping.field('unknown').waitFor();
  expect(await page.getByText('This looks like').count()).toBe(0);
  await mapping.paste(JSON.stringify(GRAFANA?.sample));
  await page.getByText(/^This looks like Grafana Alerting \((\d+) of \1 paths\)$/).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Use this template' }).click();
  await reads(mapping.template('Source'), 'Grafana');
  expect(await page.getByText('This looks like').count()).toBe(0);
  expect((await mappings.client.get(`/v2/webhooks/${webhook.id}`)).body.data.mappingRevision).toBe(0);
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.getByRole('button', { name: 'Save revision' }).click();
  await reads(mapping.state, 'Revision 1');
  expect((await mappings.current(webhook.id)).mapping).toMatchObject({
    fields: { source: { template: 'Grafana' } },
    custom: GRAFANA?.mapping.custom,
  });
});

test('a received payload is recognized', async () => {
  const webhook = await makeWebhook(mappings.client, { template: null });
  const sent = await sendEvent(stack.url, webhook.path, findSource('pagerduty')?.sample);
  await receiptOf(mappings.client, ((await sent.json()) as { eventId: string }).eventId);
  const { page } = await mappings.open(webhook.id, {}, '?sample=event');
  await page.getByText(/^This looks like PagerDuty/).waitFor();
});

test('a mapping is saved as a template, used for an integration, edited and deleted', async () => {
  const { tab, page, mapping } = await mappings.create({
    mapping: { fields: { title: { template: '{{webhook.note}}' }, team: { template: 'lab' } } },
  });
  await mapping.paste('{"note":"too hot","probe":{"room":"lab"}}');
  await page.getByRole('button', { name: 'Save as template' }).click();
  const dialog = page.getByRole('dialog');
  tab.expectError(/409/);
  await dialog.getByLabel('Title').fill('Röom probe');
  expect(await dialog.getByLabel('Name').inputValue()).toBe('ro-om-probe');
  await dialog.getByLabel('Name').fill('grafana');
  await dialog.getByLabel('Description').fill('Sensors of the lab');
  expect(await accessibilityViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save template' }).click();
  await dialog.getByText('A template named "grafana" exists already.').waitFor();
  await dialog.getByLabel('Name').fill('room-probe');
  await dialog.getByRole('button', { name: 'Save template' }).click();
  await reads(mapping.announced, 'Saved the template Röom probe');

  await visit(page, '/integrations/new');
  await page.getByRole('heading', { name: 'Yours' }).waitFor();
  await page.getByRole('radio', { name: 'Röom probe' }).check();
  const summary = page.getByRole('region', { name: 'Template' });
  await summary.getByText('Sensors of the lab').waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await summary.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByLabel('Title').fill('Room probe');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('radio', { name: 'Room probe' }).waitFor();
  await page.getByRole('button', { name: 'Create integration' }).click();
  await page.getByRole('heading', { name: 'Room probe is ready' }).waitFor();
  await page.getByRole('link', { name: 'Edit mapping' }).click();
  await reads(page.getByLabel('Team template', { exact: true }), 'lab');

  await visit(page, '/integrations/new?template=room-probe');
  await summary.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'Yours' }).waitFor({ state: 'detached' });
  expect((await mappings.client.get('/v2/webhook-templates/room-probe')).status).toBe(404);
});
