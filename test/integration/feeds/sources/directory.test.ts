import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { FetchContext } from '../../../../workers/feeds/sources/source.js';
import { failureOf, fetchBy, readBy } from '../../../support/feeds/fetch-source.js';
import { testUnless } from '../../../support/test-unless.js';
import { until } from '../../../support/until.js';

const CSV = 'email\nada@example.com\n';
let parent: string;
let directory: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'muster-feeds-'));
  directory = join(parent, 'feeds');
  mkdirSync(join(directory, 'out'), { recursive: true });
});
afterEach(() => rmSync(parent, { recursive: true }));

const write = (path: string, text = CSV, time = 1_000) => {
  writeFileSync(join(directory, path), text);
  utimesSync(join(directory, path), time, time);
};
/** Linux tells which files a process has open. */
const openFiles = () => (existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0);
const from = (path: string) => ({ kind: 'directory', path });
const read = (path: string, changes: Partial<FetchContext> = {}) =>
  readBy(from(path), { directory, ...changes });
const fail = (path: string, changes: Partial<FetchContext> = {}) =>
  failureOf(from(path), { directory, ...changes });

test('returns a file with its name and time, and knows it again', async () => {
  write('out/people.csv');
  const file = await read('out/people.csv');
  expect(file).toMatchObject({
    name: 'people.csv',
    modifiedAt: new Date(1_000_000),
    contentType: null,
    text: CSV,
  });
  expect(await fetchBy(from('out/people.csv'), { directory, known: file.version })).toBe('unchanged');
  write('out/people.csv', CSV, 1_001);
  expect((await read('out/people.csv', { known: file.version })).text).toBe(CSV);
  write('out/people.csv', `${CSV}x`, 1_000);
  expect((await read('out/people.csv', { known: file.version })).text).toBe(`${CSV}x`);
});

test('without FEED_DIRECTORY, or if it does not exist, there is none', async () => {
  expect(await fail('people.csv', { directory: null })).toMatchObject({
    code: 'not_allowed',
    message: expect.stringContaining('FEED_DIRECTORY'),
  });
  expect(await fail('people.csv', { directory: join(parent, 'absent') })).toMatchObject({
    code: 'not_allowed',
  });
});

test.each([
  '../people.csv',
  '/etc/passwd',
  'out/../../people.csv',
  'out/..',
  'a\\b',
  '',
  'out/',
  '*/a.csv',
  '*-*.csv',
  'a\nb',
])('the settings reject the path %p', async (path) => {
  await expect(fetchBy(from(path), { directory })).rejects.toThrow(/must/);
});

test('takes the newest of the matching files', async () => {
  write('out/hr-2.csv', 'old', 1_000);
  write('out/hr-1.csv', 'newest', 2_000);
  write('out/hr-3.txt', 'other', 3_000);
  write('out/.hr-4.csv', 'hidden', 4_000);
  mkdirSync(join(directory, 'out/hr-5.csv'));
  symlinkSync('absent', join(directory, 'out/hr-6.csv'));
  const file = await read('out/hr-*.csv');
  expect(file).toMatchObject({ name: 'hr-1.csv', text: 'newest' });
  expect((await read('out/*.csv')).name).toBe('hr-1.csv');
  expect(await fetchBy(from('out/hr-*.csv'), { directory, known: file.version })).toBe('unchanged');
  write('out/hr-0.csv', 'newest', 2_000);
  expect(await fetchBy(from('out/hr-*.csv'), { directory, known: file.version })).toBe('unchanged');
  write('out/hr-7.csv', 'newest', 2_000);
  expect((await read('out/hr-*.csv', { known: file.version })).name).toBe('hr-7.csv');
  expect(await fail('out/people-*.csv')).toMatchObject({ code: 'not_found', isTemporary: false });
});

test('a symbolic link may lead to another file below the directory, and not out of it', async () => {
  write('out/people-28.csv');
  symlinkSync('people-28.csv', join(directory, 'out/current.csv'));
  expect((await read('out/current.csv')).text).toBe(CSV);
  writeFileSync(join(parent, 'secret.csv'), 'secret');
  mkdirSync(join(parent, 'feeds-of-others'));
  writeFileSync(join(parent, 'feeds-of-others/a.csv'), 'secret');
  symlinkSync('../../secret.csv', join(directory, 'out/file.csv'));
  symlinkSync(join(parent, 'feeds-of-others'), join(directory, 'folder'));
  for (const path of ['out/file.csv', 'folder/a.csv', 'folder/*.csv', 'out/fi*.csv'])
    expect(await fail(path)).toMatchObject({
      code: 'not_allowed',
      message: expect.stringContaining('symbolic link'),
    });
});

test('a link that is changed back and forth never leads out', async () => {
  write('inside.csv', 'inside');
  writeFileSync(join(parent, 'secret.csv'), 'secret');
  symlinkSync('inside.csv', join(directory, 'in'));
  symlinkSync('../secret.csv', join(directory, 'out-of-it'));
  symlinkSync('inside.csv', join(directory, 'link.csv'));
  const openBefore = openFiles();
  let isOut = false;
  const changing = setInterval(() => {
    isOut = !isOut;
    rmSync(join(directory, 'next'), { force: true });
    symlinkSync(isOut ? '../secret.csv' : 'inside.csv', join(directory, 'next'));
    renameSync(join(directory, 'next'), join(directory, 'link.csv'));
  }, 0);
  const seen = new Set<string>();
  try {
    for (let times = 0; times < 500; times++)
      await read('link.csv').then(
        ({ text }) => seen.add(text),
        (error) => seen.add(error.code),
      );
  } finally {
    clearInterval(changing);
  }
  expect([...seen].sort()).toEqual(['inside', 'not_allowed']);
  await until('all files are closed', () => openFiles() <= openBefore);
});

test.each(['a FIFO', 'a directory'])('rejects %s, and does not hang', async (what) => {
  const path = join(directory, 'people.csv');
  if (what === 'a FIFO') execFileSync('mkfifo', [path]);
  else mkdirSync(path);
  expect(await fail('people.csv')).toMatchObject({
    code: 'not_allowed',
    message: 'people.csv is not a regular file.',
  });
});

test('says what is missing', async () => {
  expect(await fail('out/people.csv')).toMatchObject({ code: 'not_found' });
  write('file');
  expect(await fail('file/people.csv')).toMatchObject({ code: 'not_found' });
  symlinkSync('loop.csv', join(directory, 'loop.csv'));
  expect(await fail('loop.csv')).toMatchObject({ code: 'not_found' });
});

const asRoot = process.getuid?.() === 0 ? 'root may read every file' : null;
testUnless(asRoot)('says that the worker may not read a file', async () => {
  write('people.csv');
  execFileSync('chmod', ['000', join(directory, 'people.csv')]);
  expect(await fail('people.csv')).toMatchObject({ code: 'auth' });
});

test.each(['grows', 'is cut', 'is rewritten'])('a file that %s while it is read is an error', async (how) => {
  const path = join(directory, 'people.csv');
  write('people.csv', 'x'.repeat(900_000));
  const file = await fetchBy(from('people.csv'), { directory });
  if (file === 'unchanged') throw new Error('unchanged');
  const reading = (async () => {
    let isFirst = true;
    for await (const _ of file.content) {
      if (isFirst && how === 'grows') appendFileSync(path, 'x');
      if (isFirst && how === 'is cut') truncateSync(path, 500_000);
      if (isFirst && how === 'is rewritten') writeFileSync(path, 'y'.repeat(900_000));
      isFirst = false;
    }
  })();
  await expect(reading).rejects.toMatchObject({ code: 'changed', isTemporary: true });
});

test('rejects what is too large, and ends at a stop', async () => {
  write('people.csv', 'x'.repeat(1_001));
  expect(await fail('people.csv', { maxBytes: 1_000 })).toMatchObject({ code: 'too_large' });
  const stop = new AbortController();
  const file = await fetchBy(from('people.csv'), { directory, stopped: stop.signal });
  if (file === 'unchanged') throw new Error('unchanged');
  const reason = new Error('stopped');
  stop.abort(reason);
  await expect(file.content.toArray()).rejects.toBe(reason);
  await expect(read('people.csv', { stopped: stop.signal })).rejects.toBe(reason);
});
