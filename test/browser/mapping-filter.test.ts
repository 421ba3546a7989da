import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { storePayloads } from '../support/api/stored-events.js';
import { accessibilityViolations } from '../support/browser/accessibility.js';
import { sharedBrowser } from '../support/browser/browser.js';
import { type MappingPage, MappingPages, reads } from '../support/browser/mapping-page.js';
import { type Stack, startStack } from '../support/servers/stack.js';
import { until } from '../support/until.js';

const FIELDS = {
  title: { template: '{{webhook.name}}' },
  severity: { template: '{{webhook.severity}}' },
  description: { template: 'd' },
  source: { template: 's' },
};
const NO_INFO = 'webhook.severity != "info"';

const browser = sharedBrowser();
let stack: Stack;
let mappings: MappingPages;
beforeAll(async () => {
  stack = await startStack();
  mappings = await MappingPages.of(stack, browser);
});
afterAll(() => stack.stop());

/** Opens the mapping page of an integration with stored events. The newest is the sample. */
async function opened(payloads: object[], mapping: object = { fields: FIELDS }) {
  const webhook = await mappings.integrate({ mapping });
  const ids = await storePayloads(stack.database, webhook.id, payloads);
  return { webhook, ids, ...(await mappings.open(webhook.id, {}, '?sample=event')) };
}

async function writeFilter(mapping: MappingPage, text: string): Promise<void> {
  await mapping.page.getByLabel('Filter expression').click();
  await mapping.page.keyboard.press('Control+a');
  await mapping.page.keyboard.press('Delete');
  await mapping.page.keyboard.insertText(text);
}

test('a filter shows what it does with the sample and the last events, and is saved', async () => {
  const { page, mapping, webhook } = await opened([
    { name: 'a', severity: 'error' },
    { name: 'b' },
    { name: 'c', severity: 'info' },
  ]);
  await writeFilter(mapping, NO_INFO);
  await reads(
    page.getByTestId('sample decision'),
    `This payload is filtered: ${NO_INFO} is false, webhook.severity is info.`,
  );
  await reads(page.getByTestId('dropped events'), 'Would drop 1 of the last 3 events.');
  await reads(
    page.getByRole('list', { name: 'Reasons' }),
    `1 event: ${NO_INFO} is false, for example webhook.severity is info 1 event kept: filter: webhook.severity is missing, so it dropped nothing`,
  );
  await page.getByText('The filter drops this payload, so it creates no alert.').waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Review and save' }).click();
  const dialog = page.getByRole('dialog');
  await reads(dialog.getByLabel('Changes'), `Filter Expression after ${NO_INFO}`);
  await dialog.getByRole('button', { name: 'Save revision' }).click();
  await reads(mapping.state, 'Revision 2');
  expect((await mappings.current(webhook.id)).mapping.filter).toBe(NO_INFO);
});

test('the paths of the payload are completed as an expression writes them, and an error is underlined', async () => {
  const { page, mapping, tab } = await opened([
    { 'k8s-app': { in: 'prod' }, tags: [{ name: 'env', value: 'prod' }], severity: 'info' },
  ]);
  // While an expression is being typed, previews are rejected.
  tab.expectError(/422/);
  await mapping.field('severity').waitFor();
  await page.getByLabel('Filter expression').click();
  await page.keyboard.type('webhook.k8');
  await page
    .getByRole('option', { name: /k8s-app/ })
    .first()
    .waitFor();
  const options = await page.getByRole('option').allInnerTexts();
  expect(options.some((text) => text.startsWith('webhook["k8s-app"]["in"]'))).toBe(true);
  expect(options.some((text) => text.startsWith('webhook.tags.env'))).toBe(false);
  await page.keyboard.press('Escape');
  await writeFilter(mapping, 'webhook.severity == sevrity');
  await page.getByText(/line 1, column 21: "sevrity" is not a variable/).waitFor();
  await reads(page.locator('.cm-wrong'), 'sevrity');
  expect(await page.getByTestId('dropped events').count()).toBe(0);
});

test('a filter that drops all stored events is saved only after a question', async () => {
  const { page, mapping, webhook, tab } = await opened([{ severity: 'info' }, { severity: 'info' }]);
  tab.expectError(/409/);
  await writeFilter(mapping, NO_INFO);
  await reads(page.getByTestId('dropped events'), 'Would drop 2 of the last 2 events.');
  await page.getByRole('button', { name: 'Review and save' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Save revision' }).click();
  await dialog.getByText('The filter would drop all of the last 2 events.').waitFor();
  expect((await mappings.current(webhook.id)).revision).toBe(1);
  await dialog.getByRole('button', { name: 'Save anyway' }).click();
  await reads(mapping.state, 'Revision 2');
});

test('a saved filter stays when another field is changed and saved', async () => {
  const { page, mapping, webhook } = await opened([{ severity: 'error' }], {
    filter: NO_INFO,
    fields: FIELDS,
  });
  await reads(page.getByTestId('sample decision'), 'This payload is kept.');
  await mapping.write('Team', 'x');
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save revision' }).click();
  await reads(mapping.state, 'Revision 2');
  expect((await mappings.current(webhook.id)).mapping).toMatchObject({
    filter: NO_INFO,
    fields: { team: {} },
  });
});

test('filtered events are listed with their reason, and the event shows the clause and the values', async () => {
  const { page, ids } = await opened([{ severity: 'error' }, { severity: 'info' }], {
    filter: NO_INFO,
    fields: FIELDS,
  });
  await page.getByRole('link', { name: 'Events' }).first().click();
  await page.getByRole('button', { name: 'State' }).click();
  await page.getByRole('option', { name: 'filtered' }).click();
  await page.keyboard.press('Escape');
  const row = page.getByRole('row', { name: /filtered/ });
  await row.getByText(`False: ${NO_INFO}`).waitFor();
  expect(new URL(page.url()).search).toBe('?state=filtered');
  await row.getByRole('link').first().click();
  await until('the event is open', async () => new URL(page.url()).pathname === `/events/${ids[1]}`);
  await reads(page.getByLabel('False clause'), NO_INFO);
  await reads(page.getByRole('table', { name: 'Values that the clause read' }), 'webhook.severity info');
  await page.getByText('The filter of the mapping dropped it, so it has no alert.').waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
});
