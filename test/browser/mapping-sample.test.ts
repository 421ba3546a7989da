import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { sendEvent } from '../support/api/webhooks.js';
import { sharedBrowser } from '../support/browser/browser.js';
import { holdRequests } from '../support/browser/hold-requests.js';
import { settledBox } from '../support/browser/looked-at.js';
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

test('the tree can be navigated, collapsed and expanded by arrow keys, and searched', async () => {
  const { page, mapping } = await mappings.create();
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
  // The tree follows the search when the page has time.
  await until('two rows match', async () => (await rows.count()) === 2);
  expect(await rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-path')))).toEqual([
    'webhook.host',
    'webhook.host.region',
  ]);
});

test('numbers keep all their digits, and invalid JSON is reported with its position', async () => {
  const { page, mapping } = await mappings.create();
  await mapping.paste('{"id":12345678901234567890}');
  await mapping.drag(mapping.field('id'), mapping.row('Title'));
  await reads(mapping.result('Title'), '12345678901234567890');
  await page.getByLabel('Payload (JSON)').fill('{"id":\n 12 "x"}');
  await page.getByText(/^Line 2, column 5: /).waitFor();
  await reads(mapping.result('Title'), '12345678901234567890');
});

test('fields of the payload that was shown before cannot be picked while the new one is loading', async () => {
  const { page, mapping } = await mappings.create();
  const title = mapping.field('title');
  await until('the field can be dragged', async () => (await title.getAttribute('draggable')) === 'true');
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/preview', async (route) => {
    if (route.request().postData()?.includes('"payload":{"monitor"')) await released;
    await route.continue();
  });
  await mapping.paste('{"monitor":{"title":"Disk almost full"}}');
  await until(
    'the old field can no longer be dragged',
    async () => (await title.getAttribute('draggable')) !== 'true',
  );
  release();
  await mapping.drag(mapping.field('title'), mapping.row('Title'));
  await reads(mapping.template('Title'), 'monitor.title');
});

test('the preview has its place while it is loading', async () => {
  const { page } = await mappings.create({ template: 'datadog' });
  const release = await holdRequests(page, '**/preview');
  await page.reload();
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByText('Loading the preview…').waitFor();
  const before = await settledBox(preview);
  release();
  await preview.getByText('Loading the preview…').waitFor({ state: 'detached' });
  const after = await settledBox(preview);
  // Only a long text of the alert adds lines.
  expect((after?.height ?? 0) - (before?.height ?? 0)).toBeLessThan(150);
});

test('the editor stays while events cannot be loaded', async () => {
  const { page, mapping, tab } = await mappings.create();
  tab.expectError(/500/);
  await page.route(/\/v2\/events\?/, (route) => route.fulfill({ status: 500 }));
  await page.reload();
  const row = await mapping.row('Title').elementHandle();
  for (let refreshes = 0; refreshes < 2; refreshes++) await page.waitForResponse(/\/v2\/events\?/);
  expect(await row?.evaluate((element) => element.isConnected)).toBe(true);
});

test('a result that is not checked any more is not shown as correct', async () => {
  const { page, mapping, tab } = await mappings.create();
  tab.expectError(/ERR_FAILED|422/);
  const result = mapping.result('Title');
  const preview = page.getByRole('region', { name: 'Preview', exact: true });
  await mapping.drag(mapping.field('title'), mapping.row('Title'));
  await reads(result, 'High CPU on web-01');
  expect(await result.getAttribute('data-tone')).toBe('good');
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/preview', async (route) => {
    await released;
    await route.continue();
  });
  await mapping.write('Title', 'Now: {{webhook.title}}');
  await reads(result, 'Not checked since the last change: High CPU on web-01');
  expect(await result.getAttribute('data-tone')).toBe('plain');
  await preview.getByText('not checked', { exact: true }).waitFor();
  // The response for the earlier template says nothing about the later one.
  await mapping.write('Title', 'Soon: {{webhook.title}}');
  let releaseLater = () => {};
  const releasedLater = new Promise<void>((resolve) => {
    releaseLater = resolve;
  });
  await page.route('**/preview', async (route) => {
    await releasedLater;
    await route.continue();
  });
  release();
  await reads(result, 'Not checked since the last change: Now: High CPU on web-01');
  expect(await result.getAttribute('data-tone')).toBe('plain');
  releaseLater();
  await reads(result, 'Soon: High CPU on web-01');
  expect(await result.getAttribute('data-tone')).toBe('good');
  expect(await preview.getByText('not checked', { exact: true }).count()).toBe(0);
  await mapping.write('Source', '{{webhook.title');
  await reads(mapping.result('Source'), /the tag is not closed/);
  await page.route('**/preview', (route) => route.abort());
  await mapping.write('Title', 'Later: {{webhook.title}}');
  await reads(result, 'Not checked since the last change: Soon: High CPU on web-01');
  expect(await result.getAttribute('data-tone')).toBe('plain');
});

test('the next event can be awaited and becomes the sample; a link selects any event', async () => {
  const { page, mapping, webhook } = await mappings.create();
  await page.getByText('Latest event', { exact: true }).click();
  await page.getByText('No events yet. Send one to the URL').waitFor();
  await page.getByRole('button', { name: 'Wait for the next event' }).click();
  await page.getByText(/Waiting for the next event, \d+ s/).waitFor();
  const response = await sendEvent(stack.url, webhook.path, { fresh: 'water' });
  const { eventId } = (await response.json()) as { eventId: string };
  await mapping.field('fresh').waitFor();
  await page.getByRole('heading', { name: 'Last event', exact: true }).waitFor();
  expect(await page.getByText('Waiting for the next event').count()).toBe(0);
  await page.getByRole('button', { name: 'Wait for the next event' }).click();
  await page.getByRole('button', { name: 'Stop' }).click();
  const linked = await mappings.open(webhook.id, {}, `?event=${eventId}`);
  await linked.mapping.field('fresh').waitFor();
  await linked.page.getByRole('link', { name: eventId }).waitFor();
});

test('a hostile payload is shown as text everywhere', async () => {
  const { tab, page, mapping } = await mappings.create();
  // A tag is invalid for a moment while it is being typed.
  tab.expectError(/422/);
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
    await reads(row, `str ${name} , text, ${value}`);
    await mapping.drag(row, mapping.row('Title'));
  }
  await reads(
    mapping.result('Title'),
    new RegExp(`^${evil.replace(/[.*+?()[\]{}]/g, '\\$&')} \\{\\{/x\\}\\} p c`),
  );
  await mapping.drag(page.getByRole('treeitem').nth(0), page.getByText('Drop a field here'));
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

test('of a large payload only the beginning and the rows in view are in the page; all fields can be searched and reached', async () => {
  const { page, mapping } = await mappings.create();
  const fields = Array.from({ length: 9_000 }, (_, number) => [`k${number}`, { value: `v${number}` }]);
  await page.getByText('Paste', { exact: true }).click();
  const input = page.getByLabel('Payload (JSON)');
  await pasteText(input, JSON.stringify(Object.fromEntries(fields)).slice(0, -1).concat(',"last":"needle"}'));
  await mapping.field('k0').waitFor();
  expect((await input.inputValue()).length).toBeLessThan(5_000);
  const rows = page.getByRole('treeitem');
  expect(await rows.count()).toBeLessThan(120);
  await mapping.field('k0').focus();
  await page.keyboard.press('End');
  const focused = page.locator(':focus');
  expect(await focused.getAttribute('data-path')).toBe('webhook.last');
  expect(await focused.isVisible()).toBe(true);
  await page.keyboard.press('Home');
  expect(await focused.getAttribute('data-path')).toBe('webhook.k0');
  await page.getByLabel('Search fields').fill('needle');
  await mapping.field('last').click();
  await page.getByRole('button', { name: 'Insert last here, into Title' }).click();
  await reads(mapping.result('Title'), 'needle');
  await page.getByLabel('Search fields').fill('');
  await pasteText(input, '{"short":1}');
  await mapping.field('short').waitFor();
  expect(await input.inputValue()).toBe('{"short":1}');
});

/** Pastes as a user does. */
async function pasteText(input: Locator, text: string): Promise<void> {
  await input.page().evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  await input.focus();
  await input.press('Control+a');
  await input.press('Control+v');
}
