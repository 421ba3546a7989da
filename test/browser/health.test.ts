import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { BEAT_EVERY_MS, beat } from '../../workers/queues/heartbeat.js';
import { Client } from '../support/api/client.js';
import { ALERT, makeWebhook, receiptOf, sendEvent } from '../support/api/webhooks.js';
import { sharedBrowser } from '../support/browser/browser.js';
import { expectFit, expectFitOnBoth, settledBox } from '../support/browser/looked-at.js';
import { type Stack, startStack } from '../support/servers/stack.js';

const browser = sharedBrowser();

/** Runs a test with a stack of its own. The test closes its page: an open one reports that the stack is gone. */
async function withStack(worker: boolean, use: (stack: Stack, key: string) => Promise<void>): Promise<void> {
  const stack = await startStack({ worker });
  // The stack's worker sends one heartbeat when it starts; a real one repeats it.
  const sendHeartbeat = () => beat(stack.api.redis, stack.prefix, 'test').catch(() => {});
  const beating = setInterval(() => void (worker && sendHeartbeat()), BEAT_EVERY_MS);
  try {
    await use(stack, await stack.key());
  } finally {
    clearInterval(beating);
    await stack.stop();
  }
}

/** Expects that the page says how old it is while no request gets a response, and that nothing moves. */
async function expectAgeWhileTheApiHangs(page: Page): Promise<void> {
  await page.clock.install();
  await page.reload();
  await page.getByText('ready', { exact: true }).waitFor();
  const queues = page.getByRole('heading', { name: 'Queues' });
  const place = (await settledBox(queues))?.y;
  await page.route(/\/v2\/health|\/readyz/, () => {});
  await page.clock.fastForward(15_000);
  await page.getByText(/These figures are from \d+ s ago/).waitFor();
  await page.getByText('unknown', { exact: true }).waitFor();
  expect((await queues.boundingBox())?.y).toBe(place);
  expect(await page.getByText('ready', { exact: true }).count()).toBe(0);
  await page.reload();
  await page.getByText('checking', { exact: true }).waitFor();
}

test('the chart and the table show the events of the last hour, on a desk and on a phone', async () => {
  await withStack(true, async (stack, key) => {
    const client = new Client(stack.url, key);
    const { path } = await makeWebhook(client);
    const events = [ALERT, { other: 1 }, 7];
    for (const event of events) {
      const { eventId } = (await (await sendEvent(stack.url, path, event)).json()) as { eventId: string };
      await receiptOf(client, eventId);
    }
    const { page } = await browser.open({ url: stack.url, key, path: '/health' });
    await page.getByText('ready', { exact: true }).waitFor();
    await page.getByRole('img', { name: /In the last hour: 3 events accepted, 3 stored/ }).waitFor();
    await page.getByText('Show as a table').click();
    const minutes = page.getByRole('region', { name: 'Events per minute' }).locator('tbody tr');
    const accepted = await minutes.locator('td:nth-child(2)').allTextContents();
    expect(accepted.reduce((sum, count) => sum + Number(count), 0)).toBe(3);
    await page.getByRole('region', { name: 'Workers' }).getByText('test').first().waitFor();
    await expectFitOnBoth(page);
    // The page updates without a reload.
    await sendEvent(stack.url, path, ALERT);
    await page.getByRole('img', { name: /In the last hour: 4 events accepted, 4 stored/ }).waitFor();
    await expectAgeWhileTheApiHangs(page);
    await page.close();
  });
});

test('without a worker the page shows the consequence, the remedy and the age of waiting jobs', async () => {
  await withStack(false, async (stack, key) => {
    const client = new Client(stack.url, key);
    await client.upload('email,integrationId,identity\n', '', { prefer: 'respond-async' });
    const tab = await browser.open({ url: stack.url, key, path: '/health', size: 'phone' });
    tab.expectError(/503|404/);
    await tab.page.getByText('No worker is running').waitFor();
    await tab.page.getByText(/nothing is stored, imported or exported until a worker runs/).waitFor();
    const cells = tab.page.getByRole('row', { name: /^identity-import Uploads up to/ }).getByRole('cell');
    expect((await cells.allTextContents()).slice(1, 4)).toEqual(['1', '0', '0']);
    expect(await cells.nth(4).textContent()).toMatch(/ago|now/);
    await expectFit(tab.page);
    await tab.page.route('**/readyz', (route) => route.fulfill({ status: 404 }));
    await tab.page.getByRole('alert').getByText('The API responded with status 404').waitFor();
    await tab.page.close();
  });
});
