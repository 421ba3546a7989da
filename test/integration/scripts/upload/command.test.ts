import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { theRow } from '../../../support/the-row.js';
import { until } from '../../../support/until.js';
import { desk, good, greetingKey, header, jobs, rows, upload, useDesk } from './desk.js';

useDesk();

const wrongKey = 'mstr_00000000000000000000000000000000000000';
test.each([
  ['a mistyped key', { MUSTER_API_KEY: wrongKey }, /^The API key was not accepted \(401\): .+/],
  [
    'nobody there',
    { MUSTER_URL: 'http://127.0.0.1:9' },
    /cannot be reached \(ECONNREFUSED\)\. Is Muster running/,
  ],
  ['an unknown host', { MUSTER_URL: 'http://no-such-host.invalid' }, /cannot be reached \(\w+\)\. Is Muster/],
])('an error is reported in one line: %s', async (_, env, message) => {
  writeFileSync(desk.file, rows(40_000));
  const { code, out, screen } = await upload([desk.file], { env });
  expect([code, out]).toEqual([1, '']);
  const [, second, ...rest] = screen.split('\n');
  expect(second).toMatch(message);
  expect(rest).toEqual(['']);
});

test('a missing scope and a file over the limit are reported with the message of the service', async () => {
  writeFileSync(desk.file, rows(10));
  const reader = await desk.stack.key('developer_records:read');
  const forbidden = await upload([desk.file, '--key', reader]);
  expect([forbidden.code, forbidden.screen]).toEqual([
    1,
    expect.stringMatching(/not allowed.*\(403\).*records:write/),
  ]);
  writeFileSync(desk.file, rows(200_000));
  const large = await upload([desk.file]);
  expect([large.code, large.screen]).toEqual([
    1,
    expect.stringMatching(/too large \(413\): .*3000000 bytes/),
  ]);
});

test.each([
  ['no file', [], /^Name the CSV file/],
  ['two files', ['a.csv', 'b.csv'], /^One file at a time/],
  ['an unknown option', ['a.csv', '--force'], /^Unknown option '--force'/],
  [
    'another way of errors',
    ['a.csv', '--on-error', 'ignore'],
    /^--on-error must be abort or continue, not ignore/,
  ],
  ['waiting and not', ['a.csv', '--wait', '--no-wait'], /cannot be combined/],
  ['no number', ['a.csv', '--timeout', 'soon'], /seconds, not soon/],
  ['an address that is none', ['a.csv', '--url', 'localhost:3000'], /^localhost:3000 is not a valid address/],
])('an invalid command line exits with 2: %s', async (_, args, message) => {
  const { code, out, screen } = await upload(args);
  expect([code, out]).toEqual([2, '']);
  expect(screen).toMatch(message);
  expect(screen).toContain('--help');
});

test('a missing file, or a folder instead of a file, is reported by name', async () => {
  expect(await upload([desk.file])).toMatchObject({
    code: 1,
    screen: `${desk.file} cannot be read: the file does not exist.\n`,
  });
  expect(await upload([desk.folder])).toMatchObject({ code: 1, screen: `${desk.folder} is not a file.\n` });
});

test('the key of a local start is found, and is never sent to another host', async () => {
  writeFileSync(desk.file, header + good('ann'));
  const env = { MUSTER_API_KEY: '' };
  expect((await upload([desk.file], { env })).screen).toMatch(/^No API key \(.*api-key has none either\)/);
  writeFileSync(join(desk.folder, 'api-key'), `${desk.key}\n`);
  expect((await upload([desk.file], { env })).screen).toMatch(/^Muster in .* cannot prove its identity: /);
  mkdirSync(join(desk.folder, 'run'));
  writeFileSync(join(desk.folder, 'run', 'greeting-key'), `${greetingKey}\n`);
  const { code, screen } = await upload([desk.file, '--no-wait'], { env });
  expect(code).toBe(0);
  expect(screen).toContain(`ApiKey $(cat '${desk.folder}/api-key')`);
  const elsewhere = await upload([desk.file, '--url', 'http://muster.example.com'], { env });
  expect([elsewhere.code, elsewhere.screen]).toEqual([
    2,
    expect.stringMatching(/^No API key: set MUSTER_API_KEY/),
  ]);
  await until('the job has ended', async () => (await theRow(jobs())).finished_at !== null);
});

test('a path is relative to the folder in which npm was called', async () => {
  mkdirSync(join(desk.folder, 'below'));
  writeFileSync(join(desk.folder, 'below', 'team.csv'), header + good('ann'));
  const env = { INIT_CWD: join(desk.folder, 'below'), npm_lifecycle_event: 'upload' };
  expect((await upload(['team.csv'], { env })).code).toBe(0);
});

test('on a terminal one line is updated in place and removed at the end', async () => {
  writeFileSync(desk.file, rows(50_000));
  const { screen } = await upload([desk.file], { isTTY: true });
  expect(screen).toMatch(/\rsending {2}\[[=> ]+\] {2}\d+% {2}.* of 1\.\d MB/);
  for (const drawn of screen.split(/[\r\n]/)) expect(drawn.replace('\x1b[K', '').length).toBeLessThan(80);
  expect(screen.endsWith('\x1b[K')).toBe(true);
});

test('as a separate process it writes plain lines, and exits by itself', async () => {
  writeFileSync(desk.file, `${header}${good('ann')}x\n`);
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', 'scripts/upload.ts', desk.file, '--on-error', 'continue', '--url', desk.stack.url],
    {
      env: { ...process.env, NODE_OPTIONS: '', MUSTER_API_KEY: desk.key },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output += text;
    });
  }
  const [code] = await once(child, 'close');
  expect(output).toMatch(/Done, 1 ROW REJECTED, the others written:\n/);
  for (const steering of ['\r', '\x1b']) expect(output).not.toContain(steering);
  expect(code).toBe(0);
  expect(existsSync(join(desk.folder, 'team.rejected.csv'))).toBe(true);
});

test('help describes the command', async () => {
  const { code, out } = await upload(['--help']);
  expect(code).toBe(0);
  expect(out).toContain('--on-error continue');
  for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(120);
});
