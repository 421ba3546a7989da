import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { accessibilityViolations } from '../support/browser/accessibility.js';
import { sharedBrowser } from '../support/browser/browser.js';
import { MappingPages, reads } from '../support/browser/mapping-page.js';
import { type Stack, startStack } from '../support/servers/stack.js';

const FIELDS = {
  title: { template: '{{webhook.title}}' },
  severity: { template: '{{webhook.level}}' },
  description: { template: 'd' },
  source: { template: 's' },
};

const browser = sharedBrowser();
let stack: Stack;
let mappings: MappingPages;
beforeAll(async () => {
  stack = await startStack();
  mappings = await MappingPages.of(stack, browser);
});
afterAll(() => stack.stop());

test('a field is switched to an expression, shows its errors and its result, and is saved', async () => {
  const { webhook, page, mapping, tab } = await mappings.create({ mapping: { fields: FIELDS } });
  tab.expectError(/422/);
  await mapping.paste('{"title": "t", "level": "low", "load": 97}');
  await page.getByRole('button', { name: 'Expression, Severity' }).click();
  const editor = page.getByLabel('Severity expression');
  await editor.click();
  await page.keyboard.insertText('webhok.load > 90.0 ? "critical" : "info"');
  const field = page.getByRole('group', { name: 'Severity' });
  await field.getByText(/line 1, column 1: "webhok" is not a variable/).waitFor();
  await reads(field.locator('.cm-wrong'), 'webhok');
  await editor.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText('webhook.load > 90.0 ? "critical" : "info"');
  await field.getByText('critical').last().waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save revision' }).click();
  await reads(mapping.state, 'Revision 2');
  expect((await mappings.current(webhook.id)).mapping.fields.severity).toEqual({
    expression: 'webhook.load > 90.0 ? "critical" : "info"',
  });
});

test('a dragged path goes to the cursor of an expression, and counts as used', async () => {
  const { page, mapping, tab } = await mappings.create({ mapping: { fields: FIELDS } });
  // The expression is previewed while it is incomplete.
  tab.expectError(/422/);
  await mapping.paste('{"title": "t", "level": "low", "tags": ["a"]}');
  await page.getByRole('button', { name: 'Expression, Service' }).click();
  const row = mapping.row('Service');
  await mapping.drag(mapping.field('title'), row);
  const editor = page.getByLabel('Service expression');
  await reads(editor, 'webhook.title');
  await editor.click();
  await page.keyboard.press('End');
  await page.keyboard.insertText(' + string(size())');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await mapping.drag(mapping.field('tags').first(), row);
  await reads(editor, 'webhook.title + string(size(webhook.tags))');
  await reads(mapping.result('Service'), 't1');
  expect(await mapping.field('tags').first().innerText()).toMatch(/, used$/);
});
