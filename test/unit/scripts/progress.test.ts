import { expect, test } from '@jest/globals';
import { printable } from '../../../scripts/text/printable.js';
import { table } from '../../../scripts/text/table.js';
import { type Phase, phaseOf } from '../../../scripts/upload/phase.js';
import { barLine, Progress, plainLine, Rate } from '../../../scripts/upload/progress.js';
import { rejectedNames } from '../../../scripts/upload/rejected-file.js';
import { pauseMs, retryAfter } from '../../../scripts/upload/verdict.js';
import type { JobView } from '../../../scripts/upload/watch-job.js';

const sending = (done: number): Phase => ({ name: 'sending', done, total: 120_000_000, unit: 'bytes' });
const writing = (done: number): Phase => ({ name: 'writing', done, total: 300_000, unit: 'rows' });

test.each([
  [sending(45_000_000), 12_500_000, 'sending 37%, 45.0 MB of 120.0 MB, 12.5 MB/s, 0:06 left'],
  [sending(0), null, 'sending 0%, 0 bytes of 120.0 MB'],
  [writing(110_000), 25, 'writing 36%, 110,000 of 300,000 rows, 25 rows/s, 2:06:40 left'],
  [writing(300_000), 0, 'writing 100%, 300,000 of 300,000 rows'],
  [{ name: 'sending', done: 0, total: 0, unit: 'bytes' } as Phase, null, 'sending 100%, 0 bytes of 0 bytes'],
  [{ name: 'reading', done: 9e9, total: null, unit: 'bytes' } as Phase, 1e6, 'reading 9.0 GB, 1.0 MB/s'],
  [
    { name: 'waiting for a worker', done: 0, total: null, unit: 'rows' } as Phase,
    null,
    'waiting for a worker',
  ],
])('a plain line: %j at %s/s', (phase, rate, line) => {
  expect(plainLine(phase, rate)).toBe(line);
});

test('a bar fits the terminal, and is left out if there is not enough room', () => {
  expect(barLine(sending(60_000_000), 1e6, 100)).toBe(
    'sending  [==================>                   ]  50%  60.0 MB of 120.0 MB  1.0 MB/s  1:00 left',
  );
  for (let columns = 5; columns < 130; columns++) {
    expect(barLine(sending(60_000_000), 1e6, columns).length).toBeLessThan(columns);
  }
  expect(barLine(sending(60_000_000), 1e6, 60)).not.toContain('[');
});

test('without a terminal a line is printed every five seconds, without control characters', () => {
  let now = 0;
  let text = '';
  const write = (piece: string) => {
    text += piece;
  };
  const progress = new Progress({ write }, () => now);
  for (; now <= 12_000; now += 100) progress.show(writing(now * 10));
  progress.clear();
  expect(text).toBe(
    'writing 16%, 50,000 of 300,000 rows, 10,000 rows/s, 0:25 left\n' +
      'writing 33%, 100,000 of 300,000 rows, 10,000 rows/s, 0:20 left\n',
  );
});

test('the rate ignores old samples, and starts over when the number decreases', () => {
  const rate = new Rate();
  rate.note(0, 0);
  expect(rate.perSecond()).toBe(null);
  for (let second = 1; second <= 20; second++) rate.note(second * 1_000, second * 100);
  for (let second = 21; second <= 40; second++) rate.note(second * 1_000, 2_000 + (second - 20) * 10);
  expect(rate.perSecond()).toBeCloseTo(10);
  rate.note(41_000, 5);
  expect(rate.perSecond()).toBe(null);
});

test('the phase of a job is derived from its progress', () => {
  const phase = (state: string, progress: Partial<JobView['progress']>, dryRun = false) => {
    const none = { rowsRead: 0, rowsTotal: null, bytesRead: 0, bytesTotal: 100 };
    const { name, done, total } = phaseOf({ state, progress: { ...none, ...progress } } as JobView, dryRun);
    return [name, done, total];
  };
  expect(phase('queued', {})).toEqual(['waiting for a worker', 0, null]);
  expect(phase('running', { bytesRead: 40 })).toEqual(['reading', 40, 100]);
  expect(phase('running', { bytesRead: 400 })).toEqual(['reading', 400, null]);
  expect(phase('running', { bytesRead: 100, rowsRead: 3, rowsTotal: 9 })).toEqual(['writing', 3, 9]);
  expect(phase('running', { rowsRead: 3, rowsTotal: 9 }, true)).toEqual(['checking', 3, 9]);
});

test.each([
  ['devs.csv', 'devs.rejected.csv', 'devs.rejected-2.csv'],
  ['/a/devs.CSV.gz', '/a/devs.rejected.csv', '/a/devs.rejected-2.csv'],
  ['devs', 'devs.rejected.csv', 'devs.rejected-2.csv'],
  ['devs.2026.csv', 'devs.2026.rejected.csv', 'devs.2026.rejected-2.csv'],
  ['devs.rejected-7.csv', 'devs.rejected.csv', 'devs.rejected-2.csv'],
])('the rejected rows of %s are saved in %s, then in %s', (source, first, second) => {
  const names = rejectedNames(source);
  expect([names.next().value, names.next().value]).toEqual([first, second]);
});

test('pauses double up to their limit and are never shorter than requested', () => {
  expect([1, 2, 3, 4, 5, 50].map((failures) => pauseMs(failures, 0, 5_000))).toEqual([
    1_000, 2_000, 4_000, 5_000, 5_000, 5_000,
  ]);
  expect(pauseMs(1, 30_000, 5_000)).toBe(30_000);
  expect([retryAfter('2'), retryAfter(undefined), retryAfter('soon'), retryAfter('-1')]).toEqual([
    2_000, 0, 0, 0,
  ]);
  expect(retryAfter(new Date(Date.now() + 60_000).toUTCString())).toBeGreaterThan(50_000);
});

test('external text cannot control the terminal', () => {
  expect(printable('a\x1b[2J\u202eb\u0085 Jürgen 用户')).toBe('a\\x1B[2J\\u{202E}b\\x85 Jürgen 用户');
});

test('columns are aligned, with numbers to the right', () => {
  expect(
    table(
      [
        ['id', 'rows'],
        ['a', '1'],
        ['long', '1,000'],
      ],
      [1],
    ),
  ).toEqual(['id     rows', 'a         1', 'long  1,000']);
  expect(table([])).toEqual([]);
});
