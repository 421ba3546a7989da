import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { sharedBrowser } from '../support/browser/browser.js';
import { expectFit } from '../support/browser/looked-at.js';
import { MappingPages, reads } from '../support/browser/mapping-page.js';
import { type Stack, startStack } from '../support/servers/stack.js';
import { until } from '../support/until.js';

const browser = sharedBrowser();
let stack: Stack;
let mappings: MappingPages;
beforeAll(async () => {
  stack = await startStack();
  mappings = await MappingPages.of(stack, browser);
});
afterAll(() => stack.stop());

/** Accepts the first completion. The editor ignores Enter in the first 75 ms after it has changed the list. */
async function acceptCompletion(page: Page): Promise<void> {
  await until('the completion is accepted', async () => {
    await page.keyboard.press('Enter');
    return (await page.getByRole('option').count()) === 0;
  });
}

test('by mouse: a dropped field fills an empty template, is appended to text, or becomes a custom field', async () => {
  const { page, mapping } = await mappings.create();
  await mapping.field('title').hover();
  await page.mouse.down();
  await mapping.row('Title').hover();
  await mapping.row('Title').hover({ position: { x: 250, y: 30 } });
  await reads(
    mapping.row('Title').locator('[aria-hidden] span').first(),
    'Drop title here to insert {{webhook.title}}',
  );
  await page.mouse.up();
  await reads(mapping.template('Title'), 'title');
  await reads(mapping.result('Title'), 'High CPU on web-01');
  await mapping.drag(mapping.field('service').first(), mapping.row('Title'));
  await reads(mapping.template('Title'), 'title service');
  await reads(mapping.result('Title'), 'High CPU on web-01 checkout');
  await mapping.drag(mapping.field('region'), page.getByText('Drop a field here'));
  await reads(mapping.template('region'), 'host.region');
  await reads(mapping.result('region'), 'eu-west-1');
  await reads(mapping.state, 'No revision yet · 3 unsaved changes');
});

test('by keyboard: select a field, choose its target; each step is announced and Escape cancels', async () => {
  const { page, mapping } = await mappings.create();
  await mapping.field('description').waitFor();
  await page.getByLabel('Search fields').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await reads(mapping.announced, 'description selected. Choose an alert field');
  const focused = page.locator(':focus');
  expect(await focused.getAttribute('aria-label')).toBe('Insert description here, into Title');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  expect(await focused.getAttribute('aria-label')).toBe('Insert description here, into Description');
  await page.keyboard.press('Enter');
  await reads(mapping.announced, 'Inserted {{webhook.description}} into Description');
  await reads(mapping.template('Description'), 'description');
  expect(await focused.getAttribute('data-path')).toBe('webhook.description');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press(' ');
  await reads(mapping.announced, 'source selected. Choose an alert field');
  await page.keyboard.press('Escape');
  await reads(mapping.announced, 'Selection canceled');
  expect(await focused.getAttribute('data-path')).toBe('webhook.source');
  expect(await page.locator('[data-insert]').count()).toBe(0);
});

test('by mouse and keyboard: a field becomes the key of a lookup, as a template or in an expression, and the row that it finds is a source of fields', async () => {
  const rows = [{ service: 'checkout', team: 'web', tier: '1' }];
  const { body } = await mappings.client.json('PUT', '/v2/tables/services', rows);
  await mappings.client.jobEnd(body.jobId);
  const { tab, webhook, page, mapping } = await mappings.create();
  // As long as the key is blank.
  tab.expectError(/status of 422/);
  await page.getByRole('button', { name: 'Lookup', exact: true }).click();
  await mapping.drag(mapping.field('service').first(), mapping.template('service of lookup services'));
  const found = page.getByTestId('result of lookup services');
  await reads(found, /^service checkout · team web · tier 1 services, revision 1$/);
  await mapping.drag(page.locator('[data-path="lookup.services.team"]'), mapping.row('Team'));
  await reads(mapping.result('Team'), 'web');
  await mapping.write('service of lookup services', 'chekout');
  await reads(found, /^No row for key chekout\.$/);
  await expectFit(page);
  await mapping.write('service of lookup services', ' ');
  await mapping.field('service').first().focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Insert service here.* key of the lookup services$/ }).focus();
  await page.keyboard.press('Enter');
  await reads(mapping.announced, 'Inserted {{webhook.service}} into the key of the lookup services');
  await reads(found, /^service checkout/);
  await page.getByRole('button', { name: 'Expression, service of lookup services' }).click();
  const expression = page.getByLabel('service of lookup services expression');
  await expression.click();
  await page.keyboard.insertText('servce');
  const lookup = page.getByRole('group', { name: 'Lookup services' });
  await reads(lookup.locator('.cm-wrong'), 'servce');
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('string()');
  await page.keyboard.press('ArrowLeft');
  await mapping.drag(mapping.field('service').first(), expression);
  await reads(expression, 'string(webhook.service)');
  await reads(found, /^service checkout/);
  await expectFit(page);
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save revision' }).click();
  await reads(mapping.state, 'Revision 1');
  expect((await mappings.current(webhook.id)).mapping.lookups).toEqual({
    services: { table: 'services', key: { expression: 'string(webhook.service)' } },
  });
});

test('on a narrow page: one tap selects a field, another inserts it', async () => {
  const { page, mapping } = await mappings.create({ tab: { size: 'phone' } });
  await mapping.field('team').click();
  await page.getByText('is selected. Choose an alert field').waitFor();
  await page.getByRole('button', { name: 'Insert team here, into Team' }).click();
  await reads(mapping.result('Team'), 'payments');
  const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  expect(wide).toBe(0);
});

test('paths of the payload are completed after {{, and Enter inserts a line break in the description only', async () => {
  const { page, mapping, tab } = await mappings.create();
  // On a slow machine a preview may be requested while the tag is still open.
  tab.expectError(/422/);
  await mapping.result('Title').waitFor();
  await mapping.field('title').waitFor();
  await mapping.template('Severity').click();
  await page.keyboard.type('{{sev', { delay: 20 });
  await page.getByRole('option', { name: /webhook\.severity/ }).waitFor();
  await acceptCompletion(page);
  await reads(mapping.template('Severity'), '{{webhook.severity}}');
  await page.keyboard.press('Enter');
  await page.keyboard.type('!');
  await reads(mapping.result('Severity'), /^critical!/);
  await mapping.template('Description').click();
  await page.keyboard.type('one\ntwo');
  await until(
    'two lines',
    async () => (await mapping.template('Description').locator('.cm-line').count()) === 2,
  );
  await page.keyboard.press('Control+z');
  await reads(mapping.template('Severity'), 'severity!');
});

test('each path of a first-of is completed, and it is shown as chips with "or" without focus', async () => {
  const { page, mapping, tab } = await mappings.create();
  tab.expectError(/422/);
  await mapping.result('Title').waitFor();
  await mapping.field('title').waitFor();
  await mapping.template('Severity').click();
  await page.keyboard.type('{{webhook.none|sev', { delay: 20 });
  await page.getByRole('option', { name: /webhook\.severity/ }).waitFor();
  await acceptCompletion(page);
  await reads(mapping.template('Severity'), '{{webhook.none|webhook.severity}}');
  await reads(mapping.result('Severity'), /^critical/);
  await mapping.template('Title').click();
  await reads(mapping.template('Severity'), 'none or severity');
});

test('a missing path suggests the closest one, which one click applies', async () => {
  const { page, mapping } = await mappings.create({
    template: 'generic-alert',
    mapping: {
      fields: {
        severity: { template: '{{webhook.alert.sevrity}}' },
        source: { template: 'by {{webhook.gone}}' },
      },
    },
  });
  await reads(
    mapping.result('Severity'),
    /webhook\.alert\.sevrity is missing\. Did you mean webhook\.alert\.severity\? ?Use it$/,
  );
  expect(await mapping.result('Severity').getAttribute('data-tone')).toBe('bad');
  await page.getByRole('button', { name: 'Use it: webhook.alert.severity in Severity' }).click();
  await reads(mapping.template('Severity'), 'alert.severity');
  await reads(mapping.result('Severity'), 'error');
  expect(await mapping.result('Severity').getAttribute('data-tone')).toBe('good');
  await mapping.drag(mapping.field('severity'), mapping.row('Source'));
  await reads(mapping.template('Source'), 'by alert.severity');
});

test('an invalid template shows its error at its field, leaves the others alone and cannot be saved', async () => {
  const { page, mapping, tab } = await mappings.create();
  tab.expectError(/422/);
  await mapping.write('Team', '{{webhook.team}}');
  await mapping.write('Title', 'a {{webhook.title');
  await reads(mapping.result('Title'), 'line 1, column 3: the tag is not closed; add }}');
  await reads(mapping.result('Team'), 'payments');
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.getByText('Some fields have errors').waitFor();
  expect(await page.getByRole('button', { name: 'Save revision' }).isDisabled()).toBe(true);
});

test('an unmapped value can be mapped in place, and a default can be set', async () => {
  const { page, mapping } = await mappings.create({
    mapping: { fields: { severity: { template: '{{webhook.p}}', values: { P1: 'critical' } } } },
  });
  await mapping.paste('{"p":"SEV3"}');
  await reads(mapping.result('Severity'), 'SEV3 SEV3 is not in the value map Map value');
  await mapping.result('Severity').getByText('Map value').click();
  expect(await page.getByRole('combobox', { name: 'Payload value 2' }).inputValue()).toBe('SEV3');
  expect(await page.getByRole('combobox', { name: 'Alert value 2' }).inputValue()).toBe('warning');
  await page.getByRole('button', { name: 'Apply' }).click();
  await reads(mapping.result('Severity'), 'warning mapped from SEV3');
  await mapping.row('Team').getByText('Set default').click();
  await page.getByLabel('Default for Team').last().fill('platform');
  await page.keyboard.press('Enter');
  await reads(mapping.result('Team'), 'platform default');
  expect(await mapping.result('Team').getAttribute('data-tone')).toBe('warn');
});

test('a list is split by a click: tags are rewritten, items are offered, and the split can be removed', async () => {
  const { page, mapping } = await mappings.create();
  await mapping.paste('{"alerts":[{"name":"one"},{"name":"two"}],"team":"a"}');
  await mapping.write('Title', '{{webhook.alerts[0].name}}');
  await reads(mapping.result('Title'), 'one');
  await page.getByRole('button', { name: 'Split into alerts' }).click();
  await reads(mapping.template('Title'), 'item.name');
  await page.getByText('Alert 1 of 2').waitFor();
  await page.getByRole('button', { name: 'Next alert' }).click();
  await reads(mapping.result('Title'), 'two');
  await mapping.drag(page.locator('[data-path="item.name"]'), mapping.row('Team'));
  await reads(mapping.result('Team'), 'two');
  await page.getByRole('button', { name: 'Remove split' }).click();
  await reads(mapping.template('Team'), 'alerts[0].name');
  await page.getByText('Alert 2 of 2').waitFor({ state: 'detached' });
});

test('custom fields can be added, renamed and removed', async () => {
  const { page, mapping } = await mappings.create();
  await page.getByRole('button', { name: 'Custom field', exact: true }).click();
  const name = page.getByLabel('Name of custom field field');
  await name.fill('1zone');
  await page.getByText('Start with a letter').waitFor();
  await name.fill('zone');
  await name.press('Enter');
  await mapping.write('zone', '{{webhook.host.region}}');
  await reads(mapping.result('zone'), 'eu-west-1');
  await page.getByRole('button', { name: 'Remove custom field zone' }).click();
  await reads(mapping.state, 'No revision yet');
});
