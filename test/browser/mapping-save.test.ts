import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeWebhook, receiptOf, sendEvent } from '../support/api/webhooks.js';
import { sharedBrowser } from '../support/browser/browser.js';
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

test('a revision is reviewed and saved, the history shows whose it is, and an older one is restored', async () => {
  const { page, mapping, webhook } = await mappings.create({
    mapping: { fields: { team: { template: 'a', default: 'x' } } },
  });
  await mapping.write('Team', '{{webhook.team}}');
  await page.getByRole('button', { name: 'Review and save' }).click();
  const dialog = page.getByRole('dialog');
  await reads(dialog.getByLabel('Changes'), 'Team Template before a after {{webhook.team}}');
  await dialog.getByRole('button', { name: 'Save revision' }).click();
  await reads(mapping.state, 'Revision 2');
  await reads(mapping.announced, 'Saved as revision 2');
  await page.getByText('Revision 2 saved.').waitFor();
  expect(await page.getByRole('link', { name: 'Send a test' }).getAttribute('href')).toBe(
    `/integrations/${webhook.id}/test`,
  );
  await page.locator('main:focus').waitFor();
  expect((await mappings.current(webhook.id)).mapping.fields).toEqual({
    team: { template: '{{webhook.team}}', default: 'x' },
  });
  await page.getByRole('button', { name: 'History' }).click();
  const { savedBy } = await mappings.current(webhook.id);
  await dialog.getByText(`by ${savedBy.name}`).first().waitFor();
  await page.getByRole('button', { name: 'Compare revision 1 with the current revision' }).click();
  await reads(dialog.getByLabel('Changes'), 'Team Template before {{webhook.team}} after a');
  await dialog.getByRole('button', { name: 'Restore this revision' }).click();
  await reads(mapping.state, 'Revision 3');
  await reads(mapping.template('Team'), 'a');
  expect((await mappings.current(webhook.id)).mapping.fields.team.template).toBe('a');
});

test('Ctrl+S in a template reviews the changes, and Escape leads back to the template', async () => {
  const { page, mapping } = await mappings.create();
  await mapping.write('Title', 'a');
  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Review and save').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await mapping.template('Title').and(page.locator(':focus')).waitFor();
  await page.keyboard.insertText('b');
  await reads(mapping.template('Title'), 'ab');
});

test('a severity that Muster does not know is reported, and all seen values are mapped at once', async () => {
  const webhook = await makeWebhook(mappings.client, { template: null });
  const fields = { severity: { template: '{{webhook.level}}' } };
  await mappings.client.json('PUT', `/v2/webhooks/${webhook.id}/mapping`, { fields });
  for (const level of ['SEV3', 'page', 'SEV3', 'error']) {
    const response = await sendEvent(stack.url, webhook.path, { level });
    await receiptOf(mappings.client, ((await response.json()) as { eventId: string }).eventId);
  }
  const { page, mapping } = await mappings.open(webhook.id, {}, '?sample=paste');
  await mapping.paste('{"level":"SEV3"}');
  await page.getByText('SEV3, page are unknown severities').waitFor();
  await reads(mapping.result('Severity'), /^SEV3 is not one of critical, error, warning, info/);
  await page.getByRole('button', { name: 'Map these 2 seen values' }).click();
  expect(await page.getByRole('combobox', { name: 'Alert value 1' }).inputValue()).toBe('warning');
  expect(await page.getByRole('combobox', { name: 'Alert value 2' }).inputValue()).toBe('critical');
  await page.getByRole('button', { name: 'Apply' }).click();
  await reads(mapping.result('Severity'), 'warning mapped from SEV3');
  await page.keyboard.press('Control+z');
  await reads(mapping.state, 'Revision 1');
  await page.getByRole('link', { name: 'Events' }).last().click();
  await page.getByText('Alerts have 2 unknown severities').waitFor();
});

test('a draft survives a reload, leaving asks for confirmation, and it can be discarded', async () => {
  const { page, mapping } = await mappings.create({ mapping: { fields: { team: { template: 'a' } } } });
  await mapping.write('Team', 'b');
  await reads(mapping.state, 'Revision 1 · 1 unsaved change');
  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();
  await reads(mapping.template('Team'), 'b');
  await page.getByRole('link', { name: 'Events' }).first().click();
  await page.getByText('Leave without saving?').waitFor();
  await page.getByRole('button', { name: 'Stay' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await reads(mapping.template('Team'), 'a');
  await reads(mapping.state, 'Revision 1');
});

test('a mistake shows in the last events, is fixed, and the incomplete alerts are remapped', async () => {
  const webhook = await makeWebhook(mappings.client, { template: null });
  const fields = {
    severity: { template: '{{webhook.sevrity}}' },
    description: { template: '{{webhook.text}}' },
    source: { template: 'test' },
  };
  await mappings.client.json('PUT', `/v2/webhooks/${webhook.id}/mapping`, { fields });
  for (const text of ['a', 'b', 'c']) {
    const response = await sendEvent(stack.url, webhook.path, { severity: 'error', text });
    await receiptOf(mappings.client, ((await response.json()) as { eventId: string }).eventId);
  }
  const { page } = await mappings.open(webhook.id, {}, '?sample=event');
  await page.getByText('0 of 3 alerts complete').waitFor();
  await page.getByText('3 earlier alerts are incomplete').waitFor();
  await page.getByRole('button', { name: 'Use it: webhook.severity in Severity' }).click();
  await page.getByText('3 of 3 alerts complete').waitFor();
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page
    .getByText('Last 3 events: 3 of 3 alerts would have different values; 3 would become complete.')
    .waitFor();
  await page.getByRole('button', { name: 'Save revision' }).click();
  await page.getByRole('button', { name: 'Remap 3 alerts' }).click();
  await page.locator('button:focus', { hasText: 'Start dry run' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('3 events: 3 alerts would become complete. Nothing has been written yet.').waitFor();
  await page.getByRole('button', { name: 'Remap 3 events' }).click();
  await reads(page.getByLabel('Remap alerts'), /^3 events: 3 alerts became complete. View job/);
  const alerts = (await mappings.client.get(`/v2/alerts?webhookId=${webhook.id}`)).body.data;
  expect(alerts.map(({ state, severity }: Record<string, string>) => [state, severity])).toEqual(
    Array(3).fill(['complete', 'error']),
  );
});

test('all events are remapped where a remap of the incomplete alerts would change which events are one alert', async () => {
  const webhook = await makeWebhook(mappings.client, { template: null });
  const fields = {
    severity: { template: '{{webhook.level}}' },
    description: { template: 'd' },
    source: { template: 's' },
  };
  await mappings.client.json('PUT', `/v2/webhooks/${webhook.id}/mapping`, { fields });
  for (const level of ['high', null, 'low']) {
    const response = await sendEvent(stack.url, webhook.path, { host: 'db', level });
    await receiptOf(mappings.client, ((await response.json()) as { eventId: string }).eventId);
  }
  const keyed = { fields: { ...fields, dedupKey: { template: '{{webhook.host}}' } } };
  await mappings.client.json('PUT', `/v2/webhooks/${webhook.id}/mapping`, keyed);
  const { page, tab } = await mappings.open(webhook.id, {}, '?sample=event');
  tab.expectError(/409/);
  await page.getByRole('button', { name: 'Start dry run' }).click();
  await page.getByText('All events are needed, not only those of incomplete alerts').waitFor();
  await page.getByRole('button', { name: 'Start dry run with all events' }).click();
  await page.getByRole('button', { name: 'Remap 3 events' }).click();
  await page.getByText('View job').waitFor();
  const alerts = (await mappings.client.get(`/v2/alerts?webhookId=${webhook.id}`)).body.data;
  expect(alerts).toMatchObject([{ dedupKey: 'db', status: 'firing', eventCount: 3, severity: 'low' }]);
});

test('a key without alerts:read previews pasted payloads, and sees why stored events are missing', async () => {
  const webhook = await makeWebhook(mappings.client, { template: 'datadog' });
  const sent = await sendEvent(stack.url, webhook.path, { title: 'stored' });
  const { eventId } = (await sent.json()) as { eventId: string };
  await receiptOf(mappings.client, eventId);
  const writer = await stack.key('webhooks:write');
  const { page, mapping } = await mappings.open(webhook.id, { key: writer }, `?event=${eventId}`);
  await page.getByText('Previews of stored events need a key with the scope alerts:read.').waitFor();
  await page.getByText('Stored events need a key with the scope alerts:read.').first().waitFor();
  await mapping.paste('{"title":"pasted"}');
  await mapping.field('title').waitFor();
});

test('a key without webhooks:write sees the mapping read-only, with the reason', async () => {
  const webhook = await makeWebhook(mappings.client, { template: 'datadog' });
  const reader = await stack.key('webhooks:read');
  const { page, mapping } = await mappings.open(webhook.id, { key: reader });
  await page.getByText('This mapping is read-only').waitFor();
  await reads(mapping.template('Source'), 'Datadog');
  expect(await mapping.template('Source').getAttribute('contenteditable')).toBe('false');
  expect(await page.getByRole('button', { name: 'Review and save' }).count()).toBe(0);
});
