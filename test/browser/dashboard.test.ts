import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { allQueues } from '../../workers/queues/index.js';
import { Client } from '../support/api/client.js';
import { ALERT, makeWebhook, sendEvent } from '../support/api/webhooks.js';
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

/** Opens the dashboard with the key entered in the browser's password dialog. */
const open = (path: string, password = key) =>
  browser.open({
    url: stack.url,
    credentials: { username: 'admin', password },
    path: `/admin/queues${path}`,
  });

test('the dashboard shows the queues and loads everything from this server', async () => {
  const { page } = await open('');
  const requested: string[] = [];
  page.on('request', (request) => void requested.push(request.url()));
  await page.reload();
  for (const queue of allQueues()) await page.getByText(queue, { exact: true }).first().waitFor();
  // Menus and dialogs load their styles when they open.
  const buttons = page.locator('header').getByRole('button');
  for (let number = 0; number < (await buttons.count()); number++) {
    await buttons.nth(number).click();
    await page.reload({ waitUntil: 'networkidle' });
  }
  expect(requested.length).toBeGreaterThan(6);
  expect(requested.filter((url) => !url.startsWith(`${stack.url}/admin/queues`))).toEqual([]);
});

test('a batch shows its event ids, but no payload', async () => {
  const client = new Client(stack.url, key);
  const { path } = await makeWebhook(client);
  const { eventId } = (await (await sendEvent(stack.url, path, ALERT)).json()) as { eventId: string };
  const [batch] = await stack.api.producer.queue('alert-intake').getJobs(['waiting']);
  const { page } = await open('/queue/alert-intake');
  await page.getByText(eventId).first().waitFor();
  await page.goto(`${stack.url}/admin/queues/queue/alert-intake/${batch?.id}`);
  await page.getByText(eventId).first().waitFor();
  for (const tab of ['Progress', 'Options', 'Logs', 'Error', 'Data']) {
    await page.getByRole('tab', { name: tab, exact: true }).click();
    const shown = await page.locator('body').textContent();
    for (const sent of [ALERT.alert.name, ALERT.alert.message, ALERT.metadata.service]) {
      expect(shown).not.toContain(sent);
    }
  }
  // The dashboard is read-only.
  expect(
    await page.getByRole('button', { name: /retry|remove|clean|promote|update|duplicate/i }).count(),
  ).toBe(0);
});

test('a wrong key is rejected', async () => {
  const tab = await open('', `${key}x`);
  tab.expectError(/401|favicon/);
  expect(await tab.page.locator('body').textContent()).toContain('malformed_api_key');
});

test.each([
  [['admin', 'alerts:read'] as const, 1],
  [['alerts:read'] as const, 0],
])('the health page links to the dashboard only for keys that may open it: %j', async (scopes, links) => {
  const tab = await browser.open({ url: stack.url, key: await stack.key(...scopes), path: '/health' });
  // No worker runs here, so /readyz returns 503.
  tab.expectError(/503/);
  const { page } = tab;
  await page.getByRole('heading', { name: 'Queues' }).waitFor();
  const link = page.getByRole('link', { name: 'Queue dashboard' });
  expect(await link.count()).toBe(links);
  if (links === 1) expect(await link.getAttribute('href')).toBe('/admin/queues');
});
