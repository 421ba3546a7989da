import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeWebhook } from '../support/api/webhooks.js';
import { accessibilityViolations } from '../support/browser/accessibility.js';
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

const START = {
  fields: { title: { template: 't' }, team: { template: 'a' }, service: { template: 's' } },
};

/** Changes a mapping in a page, and saves it while somebody else has saved changes meanwhile. */
async function overtaken(mine: Record<string, string>, theirs: Record<string, string>) {
  const first = await mappings.create({ mapping: START });
  for (const [label, text] of Object.entries(mine)) await first.mapping.write(label, text);
  const changes = Object.entries(theirs).map(([field, template]) => [field, { template }]);
  const fields = { ...START.fields, ...Object.fromEntries(changes) };
  await mappings.client.json('PUT', `/v2/webhooks/${first.webhook.id}/mapping`, { fields });
  first.tab.expectError(/412/);
  await first.page.getByRole('button', { name: 'Review and save' }).click();
  const dialog = first.page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Save revision' }).click();
  await dialog.getByText(/has saved revision 2/).waitFor();
  return { ...first, dialog };
}

test('somebody else has saved other fields: both changes are saved', async () => {
  const { webhook, mapping, dialog } = await overtaken({ Team: 'mine' }, { service: 'theirs' });
  await dialog.getByText('Their changes to Service are now in your draft.').waitFor();
  await reads(dialog.getByLabel('Changes'), 'Team Template before a after mine');
  expect((await mappings.current(webhook.id)).revision).toBe(2);
  await dialog.getByRole('button', { name: 'Save revision' }).click();
  await reads(mapping.state, 'Revision 3');
  expect((await mappings.current(webhook.id)).mapping.fields).toEqual({
    title: { template: 't' },
    team: { template: 'mine' },
    service: { template: 'theirs' },
  });
});

test('somebody else has saved the same fields: each is chosen before anything is saved', async () => {
  const mine = { Title: 'my title', Team: 'my team' };
  const theirs = { title: 'their title', team: 'their team' };
  const { webhook, page, mapping, dialog } = await overtaken(mine, theirs);
  const save = dialog.getByRole('button', { name: 'Save revision' });
  expect(await save.isDisabled()).toBe(true);
  const conflict = dialog.getByLabel('Conflict: Team');
  await reads(conflict, 'Team Template Theirs their team Yours my team Take theirs Keep mine');
  expect(await accessibilityViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Take theirs: Team' }).click();
  await reads(mapping.announced, 'Took their Team');
  expect(await save.isDisabled()).toBe(true);
  await dialog.getByRole('button', { name: 'Keep mine: Title' }).click();
  await reads(dialog.getByLabel('Changes'), 'Title Template before their title after my title');
  await save.click();
  await reads(mapping.state, 'Revision 3');
  expect((await mappings.current(webhook.id)).mapping.fields).toMatchObject({
    title: { template: 'my title' },
    team: { template: 'their team' },
  });
});

test('all of their changes can be taken at once, and nothing is left to save', async () => {
  const { mapping, page, dialog } = await overtaken({ Title: 'x', Team: 'y' }, { title: 'p', team: 'q' });
  await dialog.getByRole('button', { name: 'Take all theirs' }).click();
  await dialog.getByText('No differences.').waitFor();
  await page.keyboard.press('Escape');
  await reads(mapping.state, 'Revision 2');
  await reads(mapping.template('Title'), 'p');
});

test('settings that somebody else has changed are shown before they are replaced', async () => {
  const { id } = await makeWebhook(mappings.client);
  const path = `/integrations/${id}/settings`;
  const key = await stack.key();
  const tab = await browser.open({ url: stack.url, key, path });
  tab.expectError(/412/);
  const name = tab.page.getByRole('region', { name: 'Name', exact: true });
  await name.getByLabel('Name').fill('mine');
  await mappings.client.json('PATCH', `/v2/webhooks/${id}`, { rateLimit: { eventsPerMinute: 5 } });
  await name.getByRole('button', { name: 'Save' }).click();
  await name.getByText('Saved', { exact: true }).waitFor();
  const nameNow = async () => (await mappings.client.get(`/v2/webhooks/${id}`)).body.data.name;
  expect(await nameNow()).toBe('mine');

  await name.getByLabel('Name').fill('mine again');
  await mappings.client.json('PATCH', `/v2/webhooks/${id}`, { name: 'theirs' });
  await name.getByRole('button', { name: 'Save' }).click();
  const conflict = name.getByRole('alert');
  await reads(conflict, /has changed this meanwhile Theirs theirs Yours mine again Take theirs Keep mine$/);
  expect(await accessibilityViolations(tab.page)).toEqual([]);
  expect(await nameNow()).toBe('theirs');
  await conflict.getByRole('button', { name: 'Keep mine' }).click();
  await name.getByText('Saved', { exact: true }).waitFor();
  expect(await nameNow()).toBe('mine again');
});

test('a signature that somebody else has changed is shown before it is replaced, without its secret', async () => {
  const mine = 'my secret of some length: 1111';
  const theirs = 'their secret of some length: 2222';
  const { id } = await makeWebhook(mappings.client, { signature: { scheme: 'github', secret: mine } });
  const patch = (signature: object) => mappings.client.json('PATCH', `/v2/webhooks/${id}`, { signature });
  const signatureNow = async () => (await mappings.client.get(`/v2/webhooks/${id}`)).body.data.signature;
  const key = await stack.key();
  const tab = await browser.open({ url: stack.url, key, path: `/integrations/${id}/settings` });
  tab.expectError(/412/);
  const section = tab.page.getByRole('region', { name: 'Signature', exact: true });
  await section.getByLabel('Observe only').press(' ');
  await patch({ secret: theirs });
  await section.getByRole('button', { name: 'Save' }).click();
  const conflict = section.getByRole('alert');
  await reads(
    conflict,
    /Theirs GitHub secret that ends with “2222” enforced Yours GitHub secret that ends with “1111” observe only Take/,
  );
  expect(await accessibilityViolations(tab.page)).toEqual([]);
  expect(await signatureNow()).toMatchObject({ secret: theirs, mode: 'enforce' });
  await conflict.getByRole('button', { name: 'Take theirs' }).click();
  await conflict.waitFor({ state: 'detached' });
  expect(await section.getByRole('textbox', { name: 'Secret', exact: true }).inputValue()).toBe(theirs);
  expect(await section.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);

  await section.getByLabel('Observe only').press(' ');
  await section.getByRole('button', { name: 'Save' }).click();
  await section.getByText('Saved', { exact: true }).waitFor();
  await section.getByRole('button', { name: 'Enforce' }).click();
  await section.getByRole('button', { name: 'Enforce' }).waitFor({ state: 'detached' });
  expect(await section.getByRole('alert').count()).toBe(0);
  expect(await signatureNow()).toMatchObject({ secret: theirs, mode: 'enforce' });
});
