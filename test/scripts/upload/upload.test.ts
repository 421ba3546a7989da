import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { runUpload } from '../../../scripts/upload/run.js';
import { type CuttingProxy, startCuttingProxy } from '../../support/cutting-proxy.js';
import { type Stack, startStack } from '../../support/stack.js';
import { until } from '../../support/until.js';

let stack: Stack;
let key: string;
let folder: string;
let file: string;
const proxies: CuttingProxy[] = [];

beforeAll(async () => {
  stack = await startStack({ env: { UPLOAD_MAX_BYTES: '3000000' } });
  key = await stack.key();
});
afterAll(() => stack.stop());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-upload-'));
  file = join(folder, 'team.csv');
});
afterEach(async () => {
  await Promise.all(proxies.splice(0).map((proxy) => proxy.stop()));
  rmSync(folder, { recursive: true });
  await stack.database('identities').delete();
  await stack.database('jobs').delete();
});

const header = 'email,integrationId,identity\n';
const good = (name: string) => `${name}@example.com,7,${name}\n`;
const rows = (count: number) => header + Array.from({ length: count }, (_, i) => good(`dev-${i}`)).join('');

interface RunOptions {
  env?: Record<string, string>;
  isTTY?: boolean;
  stop?: AbortController;
}

/** Runs the command line in this process, as if on the terminal. */
async function upload(args: string[], { env, isTTY = false, stop = new AbortController() }: RunOptions = {}) {
  let out = '';
  let screen = '';
  const code = await runUpload(args, {
    env: { MUSTER_URL: stack.url, MUSTER_API_KEY: key, DATA_DIR: folder, ...env },
    out: {
      write: (text) => {
        out += text;
      },
    },
    screen: {
      isTTY,
      columns: 80,
      write: (text) => {
        screen += text;
      },
    },
    stop: stop.signal,
  });
  return { code, out, screen };
}

async function proxy(): Promise<CuttingProxy> {
  const started = await startCuttingProxy(stack.port);
  proxies.push(started);
  return started;
}

const storedRows = () =>
  stack.database('identities').whereNotNull('email').orderBy('identity').pluck('identity');
const jobs = () => stack.database('jobs').orderBy('id');

test('a file is uploaded, followed and counted', async () => {
  writeFileSync(file, header + good('ann') + good('bob') + good('ann'));
  const { code, out, screen } = await upload([file]);
  expect(out).toBe(
    [
      'Done, no row refused:',
      '  total       3',
      '  created     2',
      '  updated     0',
      '  unchanged   1',
      '  superseded  0',
      '  rejected    0',
      'Warning: 1 row repeats the key of an earlier row; the last row of a key wins',
      '',
    ].join('\n'),
  );
  expect(screen).toMatch(
    /^Sending team\.csv \(95 bytes\) to http:\/\/127.*\nAccepted as job [\w-]{36} after 0:0\d\n$/,
  );
  expect(code).toBe(0);
  expect(await storedRows()).toEqual(['ann', 'bob']);
  expect(readdirSync(folder)).toEqual(['team.csv']);
});

test('a .gz is sent as it is; a file in another charset as the one that is named', async () => {
  writeFileSync(`${file}.gz`, gzipSync(header + good('ann')));
  expect((await upload([`${file}.gz`])).out).toContain('created     1');
  writeFileSync(file, Buffer.from(`${header}x@example.com,7,J\xfcrgen\n`, 'latin1'));
  expect((await upload([file, '--charset', 'iso-8859-1'])).code).toBe(0);
  expect(await storedRows()).toEqual(['Jürgen', 'ann']);
});

test('one bad row and nothing is written: exit code 1, faults shown, refused rows saved', async () => {
  writeFileSync(file, `${header}${good('ann')}bob@example.com,seven,bob\n`);
  const { code, out, screen } = await upload([file, '--wait']);
  expect(code).toBe(1);
  expect(out).toBe('');
  expect(screen).toContain('Failed: Invalid file format: 1 row is not right');
  expect(screen).toContain('\n  line 3  integrationId: not a whole number');
  const saved = join(folder, 'team.rejected.csv');
  expect(screen).toContain(`The refused rows are in ${saved}\n`);
  expect(readFileSync(saved, 'utf8')).toMatch(/^emailEscaped,.*\nbob@example.com,seven,bob,3,/);
  expect(await storedRows()).toEqual([]);
});

test('continue writes the good rows, says loudly what it refused, and its file can be corrected and sent', async () => {
  const bad = Array.from({ length: 12 }, (_, i) => `bad-${i}@example.com,x${i},bad-${i}\n`).join('');
  writeFileSync(file, header + good('ann') + bad);
  const { code, out } = await upload([file, '--on-error', 'continue']);
  expect(code).toBe(0);
  expect(out).toContain('Done, 12 ROWS REFUSED, the others written:');
  expect(out).toMatch(/rejected +12\n/);
  expect(out).toMatch(/\n {2}line 3 +integrationId: /);
  expect(out).toMatch(/\n {2}line 12 +integrationId: .*\n {2}\.\.\. and 2 more rows\n/);
  expect(await storedRows()).toEqual(['ann']);

  const rejected = join(folder, 'team.rejected.csv');
  const half = readFileSync(rejected, 'utf8').replaceAll(/,x([0-5]),/g, ',1$1,');
  writeFileSync(rejected, half);
  const second = await upload([rejected, '--on-error=continue']);
  expect(second.out).toContain('Done, 6 ROWS REFUSED');
  expect(readdirSync(folder).sort()).toEqual(['team.csv', 'team.rejected-2.csv', 'team.rejected.csv']);
  expect(readFileSync(rejected, 'utf8')).toBe(half);
  expect(await storedRows()).toHaveLength(7);
});

test('a dry run tells the same and writes nothing', async () => {
  writeFileSync(file, header + good('ann'));
  const { code, out } = await upload([file, '--dry-run']);
  expect(code).toBe(0);
  expect(out).toContain('Dry run, no row refused. Nothing was written; the upload would do this:\n');
  expect(out).toContain('created     1');
  expect(await storedRows()).toEqual([]);
});

test('a file that is no CSV is refused with its reason', async () => {
  writeFileSync(file, 'name\nann\n');
  const { code, screen } = await upload([file]);
  expect(code).toBe(1);
  expect(screen).toMatch(/Failed: Invalid file format: .*email/);
  expect(readdirSync(folder)).toEqual(['team.csv']);
});

test('without waiting it leaves the id on standard output and a command to look at the job', async () => {
  writeFileSync(file, header + good('ann'));
  const { code, out, screen } = await upload([file, '--no-wait']);
  expect(code).toBe(0);
  const [job] = await jobs();
  expect(out).toBe(`${job.id}\n`);
  expect(screen).toContain(`curl -H "authorization: ApiKey $MUSTER_API_KEY" ${stack.url}/v2/jobs/${job.id}`);
  expect(screen).not.toContain(key);
  await until('the job has ended', async () => (await jobs())[0].finished_at !== null);
});

test('a connection lost while the file is sent is taken up again, and there is one job', async () => {
  writeFileSync(file, rows(50_000));
  const broken = await proxy();
  broken.cutAfterBytes(1, 300_000);
  const { code, out, screen } = await upload([file], { env: { MUSTER_URL: broken.url } });
  expect(screen).toMatch(/broke the connection \(\w+\); trying again in 1 s\n/);
  expect(out).toMatch(/created +50,000/);
  expect(code).toBe(0);
  expect(await jobs()).toHaveLength(1);
});

test('an upload whose answer was lost is not done twice', async () => {
  writeFileSync(file, header + good('ann'));
  const broken = await proxy();
  broken.cutAnswer(1);
  const { code, out } = await upload([file], { env: { MUSTER_URL: broken.url } });
  expect(code).toBe(0);
  expect(out).toContain('created     1');
  const all = await jobs();
  expect(all).toHaveLength(1);
  expect(all[0].attempts).toBe(1);
});

test('connections lost while it asks for the job are taken up again', async () => {
  writeFileSync(file, header + good('ann'));
  const broken = await proxy();
  for (const connection of [2, 3]) broken.cutAnswer(connection);
  const { code, screen } = await upload([file], { env: { MUSTER_URL: broken.url } });
  expect(code).toBe(0);
  expect(screen.match(/broke the connection/g)).toHaveLength(2);
  expect(broken.connections()).toBeGreaterThanOrEqual(4);
});

test('the refused rows are fetched again when the connection breaks over them', async () => {
  writeFileSync(file, `${header}${good('ann')}bob@example.com,seven,bob\n`);
  const broken = await proxy();
  const stop = new AbortController();
  const first = await upload([file, '--no-wait'], { env: { MUSTER_URL: broken.url } });
  await until('the job has ended', async () => (await jobs())[0].finished_at !== null);
  expect(first.code).toBe(0);
  // The same upload again: its job is looked at twice at most, so one of these is the download.
  const before = broken.connections();
  broken.cutAnswer(before + 3);
  const { code } = await upload([file], { env: { MUSTER_URL: broken.url }, stop });
  expect(code).toBe(1);
  expect(readFileSync(join(folder, 'team.rejected.csv'), 'utf8')).toContain('seven');
});

test('503 is waited for as long as it asks', async () => {
  writeFileSync(file, header + good('ann'));
  const limited = await startStack({ worker: true });
  await limited.api.redis.disconnect();
  const limitedKey = await limited.key();
  const running = upload([file], { env: { MUSTER_URL: limited.url, MUSTER_API_KEY: limitedKey } });
  setTimeout(() => void limited.api.redis.connect(), 1_000);
  const { code, screen } = await running;
  await limited.stop();
  expect(screen).toMatch(/answered 503: The queue cannot be reached.*; trying again in 2 s/);
  expect(code).toBe(0);
});

test('a time-out ends the waiting, not the job', async () => {
  const idle = await startStack({ worker: false });
  writeFileSync(file, header + good('ann'));
  const env = { MUSTER_URL: idle.url, MUSTER_API_KEY: await idle.key() };
  const { code, screen } = await upload([file, '--timeout', '0.3'], { env });
  expect(code).toBe(1);
  expect(screen).toMatch(/The job has not ended within 0.3 s\.\nTo look at job [\w-]+:\n {2}curl /);
  expect((await idle.database('jobs').first()).state).toBe('queued');
  await idle.stop();
});

test('Ctrl-C leaves the job running and says so', async () => {
  const idle = await startStack({ worker: false });
  writeFileSync(file, header + good('ann'));
  const stop = new AbortController();
  const env = { MUSTER_URL: idle.url, MUSTER_API_KEY: await idle.key() };
  const running = upload([file], { env, stop });
  await until('the upload is accepted', async () => (await idle.database('jobs')).length === 1);
  setTimeout(() => stop.abort(130), 300);
  const { code, screen } = await running;
  const job = await idle.database('jobs').first();
  expect(code).toBe(130);
  expect(screen).toContain(`Stopped watching; the job goes on by itself.\nTo look at job ${job.id}:`);
  expect(job.state).toBe('queued');
  await idle.stop();
});

const wrongKey = 'mstr_00000000000000000000000000000000000000';
test.each([
  ['a mistyped key', { MUSTER_API_KEY: wrongKey }, /^The API key was not accepted \(401\): .+/],
  [
    'nobody there',
    { MUSTER_URL: 'http://127.0.0.1:9' },
    /cannot be reached \(ECONNREFUSED\): is Muster running/,
  ],
  ['an unknown host', { MUSTER_URL: 'http://no-such-host.invalid' }, /cannot be reached \(\w+\): is Muster/],
])('one line says what is wrong: %s', async (_, env, message) => {
  writeFileSync(file, rows(40_000));
  const { code, out, screen } = await upload([file], { env });
  expect([code, out]).toEqual([1, '']);
  const [, second, ...rest] = screen.split('\n');
  expect(second).toMatch(message);
  expect(rest).toEqual(['']);
});

test('a key without the right, and a file over the limit, are told in the words of the service', async () => {
  writeFileSync(file, rows(10));
  const reader = await stack.key('developer_records:read');
  const forbidden = await upload([file, '--key', reader]);
  expect([forbidden.code, forbidden.screen]).toEqual([
    1,
    expect.stringMatching(/not allowed.*\(403\).*records:write/),
  ]);
  writeFileSync(file, rows(200_000));
  const large = await upload([file]);
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
    /^--on-error is abort or continue, not ignore/,
  ],
  ['waiting and not', ['a.csv', '--wait', '--no-wait'], /exclude each other/],
  ['no number', ['a.csv', '--timeout', 'soon'], /seconds, not soon/],
  ['an address that is none', ['a.csv', '--url', 'localhost:3000'], /^localhost:3000 is no address/],
])('a wrong command line is exit code 2: %s', async (_, args, message) => {
  const { code, out, screen } = await upload(args);
  expect([code, out]).toEqual([2, '']);
  expect(screen).toMatch(message);
  expect(screen).toContain('--help');
});

test('a file that is not there, or is a folder, is told by name', async () => {
  expect(await upload([file])).toMatchObject({
    code: 1,
    screen: `${file} cannot be read: there is no such file.\n`,
  });
  expect(await upload([folder])).toMatchObject({ code: 1, screen: `${folder} is not a file.\n` });
});

test('the key of a local start is found, and never sent to another host', async () => {
  writeFileSync(file, header + good('ann'));
  const env = { MUSTER_API_KEY: '' };
  expect((await upload([file], { env })).screen).toMatch(/^No API key \(and there is none in .*api-key\)/);
  writeFileSync(join(folder, 'api-key'), `${key}\n`);
  const { code, screen } = await upload([file, '--no-wait'], { env });
  expect(code).toBe(0);
  expect(screen).toContain(`ApiKey $(cat '${folder}/api-key')`);
  const elsewhere = await upload([file, '--url', 'http://muster.example.com'], { env });
  expect([elsewhere.code, elsewhere.screen]).toEqual([2, expect.stringMatching(/^No API key: give one/)]);
  await until('the job has ended', async () => (await jobs())[0].finished_at !== null);
});

test('a path is meant from where npm was called', async () => {
  mkdirSync(join(folder, 'below'));
  writeFileSync(join(folder, 'below', 'team.csv'), header + good('ann'));
  const env = { INIT_CWD: join(folder, 'below'), npm_lifecycle_event: 'upload' };
  expect((await upload(['team.csv'], { env })).code).toBe(0);
});

test('on a terminal one line is drawn over and taken away in the end', async () => {
  writeFileSync(file, rows(50_000));
  const { screen } = await upload([file], { isTTY: true });
  expect(screen).toMatch(/\rsending {2}\[[=> ]+\] {2}\d+% {2}.* of 1\.\d MB/);
  for (const drawn of screen.split(/[\r\n]/)) expect(drawn.replace('\x1b[K', '').length).toBeLessThan(80);
  expect(screen.endsWith('\x1b[K')).toBe(true);
});

test('as a process of its own it writes plain lines, and ends by itself', async () => {
  writeFileSync(file, `${header}${good('ann')}x\n`);
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', 'scripts/upload.ts', file, '--on-error', 'continue', '--url', stack.url],
    { env: { ...process.env, NODE_OPTIONS: '', MUSTER_API_KEY: key }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output += text;
    });
  }
  const [code] = await once(child, 'close');
  expect(output).toMatch(/Done, 1 ROW REFUSED, the others written:\n/);
  expect(output).not.toMatch(/[\r\x1b]/);
  expect(code).toBe(0);
  expect(existsSync(join(folder, 'team.rejected.csv'))).toBe(true);
});

test('help explains itself', async () => {
  const { code, out } = await upload(['--help']);
  expect(code).toBe(0);
  expect(out).toContain('--on-error continue');
  for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(120);
});
