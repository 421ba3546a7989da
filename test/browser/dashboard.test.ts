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

/** Opens the dashboard as people do who type the key into the browser's dialog. */
const open = (path: string, password = key) =>
  browser.open({
    url: stack.url,
    credentials: { username: 'admin', password },
    path: `/admin/queues${path}`,
  });

test('it shows the queues, from this server alone', async () => {
  const { page } = await open('');
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(request.url()));
  await page.reload();
  for (const queue of allQueues()) await page.getByText(queue, { exact: true }).first().waitFor();
  // What opens and moves brings styles of its own, and is loaded when it does.
  const buttons = page.locator('header').getByRole('button');
  for (let number = 0; number < (await buttons.count()); number++) {
    await buttons.nth(number).click();
    await page.reload({ waitUntil: 'networkidle' });
  }
  expect(asked.length).toBeGreaterThan(6);
  expect(asked.filter((url) => !url.startsWith(`${stack.url}/admin/queues`))).toEqual([]);
});

test('a batch is there by its ids, and nothing of what was sent', async () => {
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
  // What changes something is not offered.
  expect(
    await page.getByRole('button', { name: /retry|remove|clean|promote|update|duplicate/i }).count(),
  ).toBe(0);
});

test('a wrong key opens nothing', async () => {
  const tab = await open('', `${key}x`);
  tab.expectError(/401|favicon/);
  expect(await tab.page.locator('body').textContent()).toContain('malformed_api_key');
});

test.each([
  [['admin', 'alerts:read'] as const, 1],
  [['alerts:read'] as const, 0],
])('the health page links to it for those who may open it: %j', async (scopes, links) => {
  const tab = await browser.open({ url: stack.url, key: await stack.key(...scopes), path: '/health' });
  // Nobody takes jobs here, and so it is not ready.
  tab.expectError(/503/);
  const { page } = tab;
  await page.getByRole('heading', { name: 'Queues' }).waitFor();
  const link = page.getByRole('link', { name: 'Queue dashboard' });
  expect(await link.count()).toBe(links);
  if (links === 1) expect(await link.getAttribute('href')).toBe('/admin/queues');
});
