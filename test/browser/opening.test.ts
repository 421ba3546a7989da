import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { accessibilityViolations, violationsInBothModes } from '../support/browser/accessibility.js';
import { sharedBrowser } from '../support/browser/browser.js';
import { type Stack, startStack } from '../support/servers/stack.js';

const browser = sharedBrowser();
let stack: Stack;
let key: string;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  key = await stack.key();
});
afterAll(() => stack.stop());

test.each([
  ['desk', 'dark'],
  ['phone', 'light'],
] as const)('the link that npm start prints opens the built console: %s, %s', async (size, colorScheme) => {
  const { page } = await browser.open({ url: stack.url, key, size, colorScheme });
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/integrations');
  expect(await accessibilityViolations(page)).toEqual([]);
});

test('an unknown address has the page of the console for it, with status 404', async () => {
  const tab = await browser.open({ url: stack.url, key });
  tab.expectError(/404/);
  const response = await tab.page.goto(`${stack.url}/nonsense`);
  expect(response?.status()).toBe(404);
  await tab.page.getByText('Page not found').waitFor();
});

test('without a key the console asks for one; with reduced motion, everything changes its colors at once', async () => {
  const { page } = await browser.open({ url: stack.url, path: '/alerts' });
  await page.getByLabel('API key').waitFor();
  expect(await violationsInBothModes(page)).toEqual([]);
  const transitions = await page.locator('html').evaluate((html) => {
    html.setAttribute('data-mantine-color-scheme', 'dark');
    return html.getAnimations({ subtree: true }).length;
  });
  expect(transitions).toBe(0);
});
