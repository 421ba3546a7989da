import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { sharedBrowser, type TabOptions } from '../support/browser.js';
import { Client } from '../support/client.js';
import { MappingPage } from '../support/mapping-page.js';
import { type Stack, startStack } from '../support/stack.js';
import { until } from '../support/until.js';
import { makeWebhook, receiptOf, sendEvent } from '../support/webhooks.js';

const browser = sharedBrowser();
let stack: Stack;
let key: string;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  key = await stack.key();
  client = new Client(stack.url, key);
});
afterAll(() => stack.stop());

/** Opens the mapping page of a new integration. */
async function draw(
  more: { template?: string | null; mapping?: object; tab?: Partial<TabOptions>; query?: string } = {},
) {
  const webhook = await makeWebhook(client, { template: more.template ?? null });
  if (more.mapping) await client.json('PUT', `/v2/webhooks/${webhook.id}/mapping`, more.mapping);
  return { webhook, ...(await openMapping(webhook.id, more.tab, more.query)) };
}

async function openMapping(id: string, options: Partial<TabOptions> = {}, query = '') {
  const path = `/integrations/${id}/mapping${query}`;
  const tab = await browser.open({ url: stack.url, key, path, ...options });
  const mapping = new MappingPage(tab.page);
  await tab.page.getByRole('heading', { name: 'Alert fields' }).waitFor();
  return { tab, page: tab.page, mapping };
}

/** Waits until a place reads so. */
async function reads(place: Locator, text: string | RegExp): Promise<void> {
  let is = '';
  const matches = async () => {
    is = (await place.allInnerTexts()).join('\n').replace(/\s+/g, ' ').trim();
    return typeof text === 'string' ? is === text : text.test(is);
  };
  await until(`it reads ${text}`, matches).catch((late) => {
    throw new Error(`${late.message}; it reads ${is}`);
  });
}

const current = async (id: string) => (await client.get(`/v2/webhooks/${id}/mapping`)).body.data;

test('by mouse: a field dragged onto an empty target is inserted, onto text appended, onto + Custom field named after it', async () => {
  const { page, mapping } = await draw();
  await mapping.field('title').hover();
  await page.mouse.down();
  await mapping.row('Title').hover();
  await mapping.row('Title').hover({ position: { x: 250, y: 30 } });
  await reads(
    mapping.row('Title').locator('[aria-hidden] span').first(),
    'Drop title here to insert {{webhook.title}}',
  );
  await page.mouse.up();
  await reads(mapping.template('Title'), '{{webhook.title}}');
  await reads(mapping.result('Title'), 'High CPU on web-01');
  await mapping.drag(mapping.field('service').first(), mapping.row('Title'));
  await reads(mapping.template('Title'), '{{webhook.title}} {{webhook.service}}');
  await reads(mapping.result('Title'), 'High CPU on web-01 checkout');
  await mapping.drag(mapping.field('region'), page.getByText('drop any field here'));
  await reads(mapping.template('region'), '{{webhook.host.region}}');
  await reads(mapping.result('region'), 'eu-west-1');
  await reads(mapping.state, 'no revision yet · 3 unsaved changes');
});

test('by keyboard: pick a field, pick its target, told at each step; Escape takes it back', async () => {
  const { page, mapping } = await draw();
  await mapping.field('description').waitFor();
  await page.getByLabel('Search fields').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await reads(mapping.announced, 'description picked. Choose an alert field');
  await page.keyboard.press('Tab');
  const focused = page.locator(':focus');
  expect(await focused.getAttribute('aria-label')).toBe('Insert description here, into Title');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  expect(await focused.getAttribute('aria-label')).toBe('Insert description here, into Description');
  await page.keyboard.press('Enter');
  await reads(mapping.announced, 'Inserted {{webhook.description}} into Description');
  await reads(mapping.template('Description'), '{{webhook.description}}');
  expect(await focused.getAttribute('data-path')).toBe('webhook.description');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press(' ');
  await reads(mapping.announced, 'source picked. Choose an alert field');
  await page.keyboard.press('Escape');
  await reads(mapping.announced, 'Nothing is picked');
  expect(await focused.getAttribute('data-path')).toBe('webhook.source');
  expect(await page.locator('[data-insert]').count()).toBe(0);
});

test('on a narrow page: a tap picks, a tap inserts', async () => {
  const { page, mapping } = await draw({ tab: { size: 'phone' } });
  await mapping.field('team').click();
  await page.getByText('is picked. Choose an alert field').waitFor();
  await page.getByRole('button', { name: 'Insert team here, into Team' }).click();
  await reads(mapping.result('Team'), 'payments');
  const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  expect(wide).toBe(0);
});

test('the tree is walked, closed and opened by arrow keys, and searched', async () => {
  const { page, mapping } = await draw();
  await mapping.field('host').focus();
  const rows = page.getByRole('treeitem');
  const before = await rows.count();
  await page.keyboard.press('ArrowLeft');
  expect(await rows.count()).toBe(before - 2);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  expect(await page.locator(':focus').getAttribute('data-path')).toBe('webhook.title');
  await page.getByLabel('Search fields').fill('eu-west');
  expect(await rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-path')))).toEqual([
    'webhook.host',
    'webhook.host.region',
  ]);
});

test('real paths are completed behind {{, and Enter makes no line but in the description', async () => {
  const { page, mapping } = await draw();
  await mapping.result('Title').waitFor();
  await mapping.field('title').waitFor();
  await mapping.template('Severity').click();
  await page.keyboard.type('{{sev', { delay: 20 });
  await page.getByRole('option', { name: /webhook\.severity/ }).waitFor();
  await page.waitForTimeout(100);
  await page.keyboard.press('Enter');
  await reads(mapping.template('Severity'), '{{webhook.severity}}');
  await page.keyboard.press('Enter');
  await page.keyboard.type('!');
  await reads(mapping.result('Severity'), 'critical!');
  await mapping.template('Description').click();
  await page.keyboard.type('one\ntwo');
  await until(
    'two lines',
    async () => (await mapping.template('Description').locator('.cm-line').count()) === 2,
  );
  await page.keyboard.press('Control+z');
  await reads(mapping.template('Severity'), '{{webhook.severity}}!');
});

test('a path that is missing names the nearest, which one click uses', async () => {
  const { page, mapping } = await draw({
    template: 'generic-alert',
    mapping: { fields: { severity: { template: '{{webhook.alert.sevrity}}' }, source: { template: 'x' } } },
  });
  await reads(
    mapping.result('Severity'),
    /webhook\.alert\.sevrity is missing; nearest: webhook\.alert\.severity Use it$/,
  );
  expect(await mapping.result('Severity').getAttribute('data-tone')).toBe('bad');
  await page.getByRole('button', { name: 'Use it: webhook.alert.severity in Severity' }).click();
  await reads(mapping.template('Severity'), '{{webhook.alert.severity}}');
  await reads(mapping.result('Severity'), 'error');
  expect(await mapping.result('Severity').getAttribute('data-tone')).toBe('good');
});

test('a wrong template is told at its field with its place, the others stay as they are, and it is not saved', async () => {
  const { page, mapping, tab } = await draw();
  tab.expectFault(/422/);
  await mapping.write('Team', '{{webhook.team}}');
  await mapping.write('Title', 'a {{webhook.title');
  await reads(mapping.result('Title'), 'line 1, column 3: the tag is not closed by }}');
  await reads(mapping.result('Team'), 'payments');
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.getByText('Not everything is right yet').waitFor();
  expect(await page.getByRole('button', { name: 'Save the mapping' }).isDisabled()).toBe(true);
});

test('a value that the map does not know is mapped in place; a default is set', async () => {
  const { page, mapping } = await draw({
    mapping: { fields: { severity: { template: '{{webhook.p}}', values: { P1: 'critical' } } } },
  });
  await mapping.paste('{"p":"SEV3"}');
  await reads(mapping.result('Severity'), 'SEV3 SEV3 is not in the value map Map it');
  await mapping.result('Severity').getByText('Map it').click();
  expect(await page.getByLabel('Value 2 of the payload').inputValue()).toBe('SEV3');
  await page.keyboard.type('warn');
  await page.getByRole('option', { name: 'warning' }).click();
  await page.getByRole('button', { name: 'Use these' }).click();
  await reads(mapping.result('Severity'), 'warning SEV3 in the value map');
  await mapping.row('Team').getByText('set default').click();
  await page.getByLabel('Default of Team').last().fill('platform');
  await page.keyboard.press('Enter');
  await reads(mapping.result('Team'), 'platform default');
  expect(await mapping.result('Team').getAttribute('data-tone')).toBe('warn');
});

test('a list is split by a click: tags go along, items are offered, and it is taken back', async () => {
  const { page, mapping } = await draw();
  await mapping.paste('{"alerts":[{"name":"one"},{"name":"two"}],"team":"a"}');
  await mapping.write('Title', '{{webhook.alerts[0].name}}');
  await reads(mapping.result('Title'), 'one');
  await page.getByRole('button', { name: 'split into one alert each?' }).click();
  await reads(mapping.template('Title'), '{{item.name}}');
  await page.getByText('Alert 1 of 2').waitFor();
  await page.getByRole('button', { name: 'The next alert' }).click();
  await reads(mapping.result('Title'), 'two');
  await mapping.drag(page.locator('[data-path="item.name"]'), mapping.row('Team'));
  await reads(mapping.result('Team'), 'two');
  await page.getByRole('button', { name: 'Do not split' }).click();
  await reads(mapping.template('Team'), '{{webhook.alerts[0].name}}');
  await page.getByText('Alert 2 of 2').waitFor({ state: 'detached' });
});

test('custom fields are added, named and removed', async () => {
  const { page, mapping } = await draw();
  await page.getByRole('button', { name: 'Custom field', exact: true }).click();
  const name = page.getByLabel('Name of the custom field field');
  await name.fill('1zone');
  await page.getByText('Begin with a letter').waitFor();
  await name.fill('zone');
  await name.press('Enter');
  await mapping.write('zone', '{{webhook.host.region}}');
  await reads(mapping.result('zone'), 'eu-west-1');
  await page.getByRole('button', { name: 'Remove the custom field zone' }).click();
  await reads(mapping.state, 'no revision yet');
});

test('saved with a look at what changes; gone back to an older revision', async () => {
  const { page, mapping, webhook } = await draw({
    mapping: { fields: { team: { template: 'a', default: 'x' } } },
  });
  await mapping.write('Team', '{{webhook.team}}');
  await page.getByRole('button', { name: 'Review and save' }).click();
  const dialog = page.getByRole('dialog');
  await reads(dialog.getByLabel('What changes'), 'Team Template before a after {{webhook.team}}');
  await dialog.getByRole('button', { name: 'Save the mapping' }).click();
  await reads(mapping.state, 'revision 2');
  await reads(mapping.announced, 'Saved as revision 2');
  expect((await current(webhook.id)).mapping.fields).toEqual({
    team: { template: '{{webhook.team}}', default: 'x' },
  });
  await page.getByRole('button', { name: 'History' }).click();
  await page.getByRole('button', { name: 'Compare revision 1 with the current one' }).click();
  await reads(dialog.getByLabel('What changes'), 'Team Template before {{webhook.team}} after a');
  await dialog.getByRole('button', { name: 'Go back to this one' }).click();
  await reads(mapping.state, 'revision 3');
  await reads(mapping.template('Team'), 'a');
  expect((await current(webhook.id)).mapping.fields.team.template).toBe('a');
});

test('what somebody else has saved meanwhile is not overwritten unseen', async () => {
  const { page, mapping, webhook } = await draw({ mapping: { fields: { team: { template: 'a' } } } });
  await mapping.write('Team', 'mine');
  await client.json('PUT', `/v2/webhooks/${webhook.id}/mapping`, {
    fields: { team: { template: 'theirs' } },
  });
  await page.getByRole('button', { name: 'Review and save' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Save the mapping' }).click();
  await dialog.getByText('Revision 2 was saved meanwhile').waitFor();
  await reads(dialog.getByLabel('What changes'), 'Team Template before theirs after mine');
  expect((await current(webhook.id)).revision).toBe(2);
  await dialog.getByRole('button', { name: 'Save the mapping' }).click();
  await reads(mapping.state, 'revision 3');
});

test('a draft outlives a reload, who leaves it is asked, and it is discarded', async () => {
  const { page, mapping } = await draw({ mapping: { fields: { team: { template: 'a' } } } });
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

test('numbers keep all their digits, and what is no JSON is told with its place', async () => {
  const { page, mapping } = await draw();
  await mapping.paste('{"id":12345678901234567890}');
  await mapping.drag(mapping.field('id'), mapping.row('Title'));
  await reads(mapping.result('Title'), '12345678901234567890');
  await page.getByLabel('A payload, as JSON').fill('{"id":\n 12 "x"}');
  await page.getByText(/^Line 2, column 5: /).waitFor();
  await reads(mapping.result('Title'), '12345678901234567890');
});

test('the next real event is waited for and used; a link leads to any event', async () => {
  const { page, mapping, webhook } = await draw();
  await page.getByText('Latest event', { exact: true }).click();
  await page.getByText('No event has come yet').waitFor();
  await page.getByRole('button', { name: 'Wait for the next event' }).click();
  await page.getByText(/Waiting for the next event, \d+ s/).waitFor();
  const answer = await sendEvent(stack.url, webhook.path, { fresh: 'water' });
  const { eventId } = (await answer.json()) as { eventId: string };
  await mapping.field('fresh').waitFor();
  expect(await page.getByText('Waiting for the next event').count()).toBe(0);
  await page.getByRole('button', { name: 'Wait for the next event' }).click();
  await page.getByRole('button', { name: 'Stop' }).click();
  const linked = await openMapping(webhook.id, {}, `?event=${eventId}`);
  await linked.mapping.field('fresh').waitFor();
  await linked.page.getByRole('link', { name: eventId }).waitFor();
});

test('a mistake is seen over the last events, corrected, and the incomplete alerts are remapped', async () => {
  const webhook = await makeWebhook(client, { template: null });
  const fields = {
    severity: { template: '{{webhook.sevrity}}' },
    description: { template: '{{webhook.text}}' },
    source: { template: 'test' },
  };
  await client.json('PUT', `/v2/webhooks/${webhook.id}/mapping`, { fields });
  for (const text of ['a', 'b', 'c']) {
    const answer = await sendEvent(stack.url, webhook.path, { severity: 'error', text });
    await receiptOf(client, ((await answer.json()) as { eventId: string }).eventId);
  }
  const { page } = await openMapping(webhook.id, {}, '?sample=event');
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
  const alerts = (await client.get(`/v2/alerts?webhookId=${webhook.id}`)).body.data;
  expect(alerts.map(({ state, severity }: Record<string, string>) => [state, severity])).toEqual(
    Array(3).fill(['complete', 'error']),
  );
});

test('a hostile payload is text everywhere', async () => {
  const { page, mapping } = await draw();
  const evil = '<img src=x onerror="document.title=1">';
  const payload = `{${JSON.stringify(evil)}:${JSON.stringify(evil)},"{{#x}}":"{{/x}}","__proto__":"p","constructor":"c"}`;
  await mapping.paste(payload);
  for (const [at, [name, value]] of [
    [evil, evil],
    ['{{#x}}', '{{/x}}'],
    ['__proto__', 'p'],
    ['constructor', 'c'],
  ].entries()) {
    const row = page.getByRole('treeitem').nth(at);
    await reads(row, `str ${name} ${value}`);
    await mapping.drag(row, mapping.row('Title'));
  }
  await reads(
    mapping.result('Title'),
    new RegExp(`^${evil.replace(/[.*+?()[\]{}]/g, '\\$&')} \\{\\{/x\\}\\} p c`),
  );
  await mapping.drag(page.getByRole('treeitem').nth(0), page.getByText('drop any field here'));
  await reads(mapping.result('img_src_x_onerror_document_title_1'), evil);
  await mapping.template('Team').click();
  await page.keyboard.type('{{', { delay: 20 });
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Escape');
  await mapping.write('Team', evil);
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.getByRole('dialog').getByText(evil).first().waitFor();
  expect(await page.locator('img').count()).toBe(0);
  expect(await page.title()).toContain('Muster');
});

test('who may not change a mapping sees it, and is told what that needs', async () => {
  const webhook = await makeWebhook(client, { template: 'datadog' });
  const reader = await stack.key('webhooks:read');
  const { page, mapping } = await openMapping(webhook.id, { key: reader });
  await page.getByText('You can look at this mapping').waitFor();
  await reads(mapping.template('Source'), 'Datadog');
  expect(await mapping.template('Source').getAttribute('contenteditable')).toBe('false');
  expect(await page.getByRole('button', { name: 'Review and save' }).count()).toBe(0);
});
