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

test('saved with a look at what changes; gone back to an older revision', async () => {
  const { page, mapping, webhook } = await mappings.draw({
    mapping: { fields: { team: { template: 'a', default: 'x' } } },
  });
  await mapping.write('Team', '{{webhook.team}}');
  await page.getByRole('button', { name: 'Review and save' }).click();
  const dialog = page.getByRole('dialog');
  await reads(dialog.getByLabel('What changes'), 'Team Template before a after {{webhook.team}}');
  await dialog.getByRole('button', { name: 'Save the mapping' }).click();
  await reads(mapping.state, 'revision 2');
  await reads(mapping.announced, 'Saved as revision 2');
  expect((await mappings.current(webhook.id)).mapping.fields).toEqual({
    team: { template: '{{webhook.team}}', default: 'x' },
  });
  await page.getByRole('button', { name: 'History' }).click();
  await page.getByRole('button', { name: 'Compare revision 1 with the current one' }).click();
  await reads(dialog.getByLabel('What changes'), 'Team Template before {{webhook.team}} after a');
  await dialog.getByRole('button', { name: 'Go back to this one' }).click();
  await reads(mapping.state, 'revision 3');
  await reads(mapping.template('Team'), 'a');
  expect((await mappings.current(webhook.id)).mapping.fields.team.template).toBe('a');
});

test('what somebody else has saved meanwhile is not overwritten unseen', async () => {
  const { page, mapping, webhook } = await mappings.draw({
    mapping: { fields: { team: { template: 'a' } } },
  });
  await mapping.write('Team', 'mine');
  await mappings.client.json('PUT', `/v2/webhooks/${webhook.id}/mapping`, {
    fields: { team: { template: 'theirs' } },
  });
  await page.getByRole('button', { name: 'Review and save' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Save the mapping' }).click();
  await dialog.getByText('Revision 2 was saved meanwhile').waitFor();
  await reads(dialog.getByLabel('What changes'), 'Team Template before theirs after mine');
  expect((await mappings.current(webhook.id)).revision).toBe(2);
  await dialog.getByRole('button', { name: 'Save the mapping' }).click();
  await reads(mapping.state, 'revision 3');
});

test('a draft outlives a reload, who leaves it is asked, and it is discarded', async () => {
  const { page, mapping } = await mappings.draw({ mapping: { fields: { team: { template: 'a' } } } });
  await mapping.write('Team', 'b');
  await reads(mapping.state, 'revision 1 · 1 unsaved change');
  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();
  await reads(mapping.template('Team'), 'b');
  await page.getByRole('link', { name: 'Events' }).first().click();
  await page.getByText('Leave without saving?').waitFor();
  await page.getByRole('button', { name: 'Stay' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await reads(mapping.template('Team'), 'a');
  await reads(mapping.state, 'revision 1');
});

test('a mistake is seen over the last events, corrected, and the incomplete alerts are remapped', async () => {
  const webhook = await makeWebhook(mappings.client, { template: null });
  const fields = {
    severity: { template: '{{webhook.sevrity}}' },
    description: { template: '{{webhook.text}}' },
    source: { template: 'test' },
  };
  await mappings.client.json('PUT', `/v2/webhooks/${webhook.id}/mapping`, { fields });
  for (const text of ['a', 'b', 'c']) {
    const answer = await sendEvent(stack.url, webhook.path, { severity: 'error', text });
    await receiptOf(mappings.client, ((await answer.json()) as { eventId: string }).eventId);
  }
  const { page } = await mappings.open(webhook.id, {}, '?sample=event');
  await page.getByText('0 of 3 alerts complete').waitFor();
  await page.getByText('3 earlier alerts are incomplete').waitFor();
  await page.getByRole('button', { name: 'Use it: webhook.severity in Severity' }).click();
  await page.getByText('3 of 3 alerts complete').waitFor();
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page
    .getByText('Of the last 3 events: 3 of 3 alerts would say something else; 3 become complete.')
    .waitFor();
  await page.getByRole('button', { name: 'Save the mapping' }).click();
  await page.getByRole('button', { name: 'Dry run: what would change?' }).click();
  await page.getByText('Of 3 events: 3 alerts would become complete. Nothing is written yet.').waitFor();
  await page.getByRole('button', { name: 'Remap 3 events' }).click();
  await reads(page.getByLabel('Earlier alerts'), /^Of 3 events: 3 alerts became complete. The job/);
  const alerts = (await mappings.client.get(`/v2/alerts?webhookId=${webhook.id}`)).body.data;
  expect(alerts.map(({ state, severity }: Record<string, string>) => [state, severity])).toEqual(
    Array(3).fill(['complete', 'error']),
  );
});

test('who may not change a mapping sees it, and is told what that needs', async () => {
  const webhook = await makeWebhook(mappings.client, { template: 'datadog' });
  const reader = await stack.key('webhooks:read');
  const { page, mapping } = await mappings.open(webhook.id, { key: reader });
  await page.getByText('You can look at this mapping').waitFor();
  await reads(mapping.template('Source'), 'Datadog');
  expect(await mapping.template('Source').getAttribute('contenteditable')).toBe('false');
  expect(await page.getByRole('button', { name: 'Review and save' }).count()).toBe(0);
});
