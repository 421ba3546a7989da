import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { Client } from '../api/client.js';
import { receiptOf, sendEvent } from '../api/webhooks.js';
import { type Stack, startStack } from '../servers/stack.js';
import { sharedBrowser, type TabOptions } from './browser.js';

/** Requesting a receipt before it is stored is a 404, which browsers log. */
export const NOT_STORED_YET = /404.*\/v2\/events\//;
/** Rejected events, which browsers log too. */
const REJECTED_EVENT = /status of (400|401|404|429|503).*\/api\/v1\/webhook\//;

/** Starts a stack whose integration URLs lead to it, so that the commands that the console shows can be run. */
export async function startConsoleStack(options: Parameters<typeof startStack>[0] = {}) {
  const stack: Stack = await startStack(options);
  stack.api.settings.publicUrl = stack.url;
  const key = await stack.key();
  return { stack, key, client: new Client(stack.url, key) };
}

export type ConsoleStack = Awaited<ReturnType<typeof startConsoleStack>>;

/** Opens pages of the console signed in. Rejected events, events not stored yet, and `expectedErrors` do not fail the test. */
export function consolePages(own: () => ConsoleStack) {
  const browser = sharedBrowser(() => lastWarnings(own().stack.lines));
  return async (
    path: string,
    { expectedErrors = [], ...options }: Partial<TabOptions> & { expectedErrors?: RegExp[] } = {},
  ): Promise<Page> => {
    const { stack, key } = own();
    const tab = await browser.open({ url: stack.url, key, path, ...options });
    tab.page.setDefaultTimeout(30_000);
    for (const pattern of [NOT_STORED_YET, REJECTED_EVENT, ...expectedErrors]) tab.expectError(pattern);
    return tab.page;
  };
}

/** Returns the last lines of a log from level `warn` on. */
const lastWarnings = (lines: readonly string[]): string =>
  [
    'The last warnings of the server:',
    ...lines.filter((line) => JSON.parse(line).level >= 40).slice(-10),
  ].join('\n');

const run = promisify(execFile);

/** Runs a command from the console in bash and returns the API's response. */
export async function runInBash(
  command: string,
): Promise<{ status: string; eventId: string; code?: string }> {
  // curl exits with an error if the event is rejected, after it has printed the response.
  const { stdout } = await run('bash', ['--noprofile', '--norc', '-c', command]).catch((error) => error);
  return JSON.parse(stdout);
}

/** Clicks the copy button of that name and returns the text on the clipboard. */
export async function copied(page: Page, what: string): Promise<string> {
  await page.getByRole('button', { name: `Copy ${what}` }).click();
  await page.getByTestId('announcer').getByText(`Copied ${what}`).waitFor({ state: 'attached' });
  return page.evaluate('navigator.clipboard.readText()') as Promise<string>;
}

/** Sends an event and waits for its receipt. */
export async function storeEvent({ stack, client }: ConsoleStack, path: string, body: unknown) {
  const response = await sendEvent(stack.url, path, body);
  const { eventId } = (await response.json()) as { eventId: string };
  return receiptOf(client, eventId);
}
