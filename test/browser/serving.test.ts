import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { accessibilityViolations } from '../support/browser/accessibility.js';
import { sharedBrowser } from '../support/browser/browser.js';
import { standInConsole } from '../support/browser/console.js';
import { type Stack, startStack } from '../support/servers/stack.js';
import { isAlive, until } from '../support/until.js';

/** A page with a script that does, on a click, one of the things that the console must never do. */
const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Stand-in</title>
<link rel="icon" href="data:,"></head><body>
<h1>Stand-in</h1><button id="go">Go</button><p id="said"></p>
<script type="module" src="/console/assets/main.js"></script></body></html>`;
const SCRIPT = `
const harm = {
  'inline script': () => { document.body.append(Object.assign(document.createElement('script'), { textContent: 'document.title = "harmed"' })); },
  'inline handler': () => { document.body.insertAdjacentHTML('beforeend', '<img src="data:," alt="" onerror="document.title = \\'harmed\\'">'); },
  'eval': () => { try { document.title = eval('"harmed"'); } catch {} },
  'inline style': () => { document.body.insertAdjacentHTML('beforeend', '<p style="color: red">red</p>'); },
  'elsewhere': () => { fetch('https://elsewhere.test/').catch(() => {}); },
  'exception': () => { throw new Error('thrown on purpose'); },
  'console': () => { console.error('logged on purpose'); },
  'bad image': () => { document.body.insertAdjacentHTML('beforeend', '<img src="data:,">'); },
};
history.replaceState(null, '', location.pathname);
const said = document.getElementById('said');
document.getElementById('go').addEventListener('click', () => {
  said.textContent = 'done';
  harm[decodeURIComponent(location.pathname.slice('/keys/'.length))]?.();
});
`;

const browser = sharedBrowser();
let folder: string;
let stack: Stack;
beforeAll(async () => {
  folder = standInConsole({ 'index.html': PAGE, 'assets/main.js': SCRIPT });
  stack = await startStack({ worker: false, consoleFolder: folder });
});
afterAll(async () => {
  await stack.stop();
  rmSync(folder, { recursive: true });
});

/** Opens the page and makes it do one of these things. */
async function doing(what: string) {
  const tab = await browser.open({ url: stack.url, path: `/keys/${encodeURIComponent(what)}` });
  await tab.page.locator('#go').click();
  await tab.page.getByText('done').waitFor();
  return tab;
}

test('a correct page causes no errors, at any size, light and dark, signed in', async () => {
  for (const size of ['desk', 'phone'] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, errors } = await browser.open({ url: stack.url, key: 'mstr_1', size, colorScheme });
      expect(new URL(page.url()).hash).toBe('');
      await page.locator('#go').click();
      await page.getByText('done').waitFor();
      expect(await accessibilityViolations(page)).toEqual([]);
      expect(errors).toEqual([]);
    }
  }
});

test.each([
  ['inline script', /^policy: script-src-elem refused inline/],
  ['inline handler', /^policy: script-src-attr refused inline/],
  ['eval', /^policy: script-src refused eval/],
  ['inline style', /^policy: style-src-attr refused inline/],
  ['elsewhere', /^policy: connect-src refused https:\/\/elsewhere\.test/],
])('the content security policy blocks %s, and the test support reports it', async (what, error) => {
  const tab = await doing(what);
  tab.expectError(error);
  tab.expectError(/^console: .*Content Security Policy/);
  await until('the error was reported', () => tab.errors.some((one) => error.test(one)));
  expect(await tab.page.title()).toBe('Stand-in');
});

test.each([
  ['exception', /^exception: Error: thrown on purpose/],
  ['console', /^console: logged on purpose/],
])('the test support reports an error: %s', async (what, error) => {
  const tab = await doing(what);
  tab.expectError(error);
  await until('the error was reported', () => tab.errors.some((one) => error.test(one)));
});

test('accessibility violations are found and named', async () => {
  const { page } = await doing('bad image');
  expect(await accessibilityViolations(page)).toEqual([
    expect.stringMatching(/^critical: image-alt .* at img: /),
  ]);
});

test('a screenshot has the requested size', async () => {
  const pictures = mkdtempSync(join(tmpdir(), 'muster-pictures-'));
  const tab = await browser.open({ url: stack.url, size: 'phone' });
  await tab.screenshot(join(pictures, 'new', 'page.png'));
  const png = readFileSync(join(pictures, 'new', 'page.png'));
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([390, 844]);
  rmSync(pictures, { recursive: true });
});

test('Chromium exits with the process that started it, even if that is killed', async () => {
  const profiles = mkdtempSync(join(tmpdir(), 'muster-profiles-'));
  const holder = spawn(process.execPath, ['--import', 'tsx', 'test/support/servers/hold-chromium.ts'], {
    env: { ...process.env, NODE_OPTIONS: '', TMPDIR: profiles },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [pids] = await once(holder.stdout, 'data');
  const processes: number[] = JSON.parse(pids);
  expect(processes.length).toBeGreaterThan(1);
  expect(processes.every(isAlive)).toBe(true);
  holder.kill('SIGKILL');
  await until('Chromium is gone', () => !processes.some(isAlive));
  rmSync(profiles, { recursive: true });
});
