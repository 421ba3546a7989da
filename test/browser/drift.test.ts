import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { checkDrift } from '../../workers/upkeep/check-drift.js';
import { runTurn } from '../../workers/upkeep/run-turn.js';
import { workerServices } from '../support/api/run-job.js';
import { makeWebhook, receiptOf, type TestWebhook } from '../support/api/webhooks.js';
import { type ConsoleStack, consolePages, startConsoleStack } from '../support/browser/console-pages.js';
import { expectFit } from '../support/browser/looked-at.js';

let own: ConsoleStack;
let webhook: TestWebhook;
const openPage = consolePages(() => own);
beforeAll(async () => {
  own = await startConsoleStack();
  webhook = await makeWebhook(own.client, { name: 'Boiler', template: null });
  await own.client.json('PUT', `/v2/webhooks/${webhook.id}/mapping`, {
    fields: {
      title: { template: '{{webhook.name}}' },
      severity: { template: '{{webhook.level}}', default: 'info' },
      description: { template: '{{webhook.text}}' },
      source: { template: 'boiler' },
      team: { expression: 'webhook.owner.team' },
    },
  });
  const old = { name: 'Hot', text: 'It is hot.', level: 'critical', owner: { team: 'heating' } };
  const { level, owner, ...others } = old;
  const renamed = { ...others, severity_level: level, owner: { squad: owner.team } };
  let last = '';
  for (const payload of [...Array(6).fill(old), ...Array(20).fill(renamed)])
    last = (await own.client.json('POST', webhook.path, payload)).body.eventId;
  await receiptOf(own.client, last);
  await runTurn([checkDrift], workerServices(own.stack));
});
afterAll(() => own.stack.stop());

const notice = (page: Page) =>
  page.getByRole('alert').filter({ hasText: 'New events do not fit this mapping' });

test('from the alert about drift to the mapping with the proposal, saved and remapped', async () => {
  const page = await openPage(`/alerts?webhookId=${webhook.id}`);
  await page.getByRole('link', { name: 'webhook.level is missing from the events of Boiler' }).click();
  await page.getByText('It may be webhook.severity_level now.').first().waitFor();
  await expectFit(page);
  await page.getByRole('link', { name: 'Open mapping' }).click();
  await notice(page).getByText('Events no longer contain webhook.level, which Severity reads.').waitFor();
  await notice(page).getByText('Events no longer contain webhook.owner.team, which Team reads.').waitFor();
  await expectFit(page);
  await notice(page).getByRole('button', { name: 'Use webhook.severity_level' }).click();
  await notice(page).getByRole('button', { name: 'Use webhook.owner.squad' }).click();
  await notice(page).waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Review and save' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Last events').getByText('critical').first().waitFor();
  await expectFit(page);
  await dialog.getByRole('button', { name: 'Save revision' }).click();
  const remap = page.getByLabel('Remap alerts');
  await remap.getByText('Events were mapped without a value that this revision finds.').waitFor();
  await remap.getByRole('button', { name: 'Start dry run' }).click();
  await remap.getByRole('button', { name: 'Remap 21 events' }).click();
  await remap.getByText('21 events: 21 alerts changed. View job').waitFor();
  await expectFit(page);
  const { data } = (await own.client.get(`/v2/alerts?webhookId=${webhook.id}&source=boiler&pageSize=100`))
    .body;
  const found = data.map(({ severity, team }: { severity: string; team: string }) => `${severity} ${team}`);
  expect(new Set(found.slice(0, 20))).toEqual(new Set(['critical heating']));
});

test('the comparison is turned off in the settings', async () => {
  const page = await openPage(`/integrations/${webhook.id}/settings`);
  const form = page.locator('section', { has: page.getByRole('heading', { name: 'Drift' }) });
  await form.getByLabel('Severity of the alert').first().waitFor();
  await expectFit(page);
  await form.getByRole('switch', { name: 'Compare events with the mapping' }).click();
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Saved').waitFor();
  const { data } = (await own.client.get(`/v2/webhooks/${webhook.id}`)).body;
  expect(data.driftSeverity).toBeNull();
});
