import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Dropped, LogSink } from '../../../workers/process/log.js';
import { mountSmallDisk, type SmallDisk, whyNoDisk } from '../../support/faults/small-disk.js';
import { testUnless } from '../../support/test-unless.js';
import { until } from '../../support/until.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-log-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const line = (number: number): string => `${number} ${'x'.repeat(1_000)}\n`;

test('lines reach the file in order', async () => {
  const file = join(folder, 'plain.log');
  const descriptor = openSync(file, 'a');
  const sink = new LogSink(descriptor, () => {});
  const lines = Array.from({ length: 500 }, (_, number) => line(number));
  for (const one of lines) sink.write(one);
  await until('all lines are written', () => readFileSync(file, 'utf8') === lines.join(''));
  expect(sink.droppedLines).toBe(0);
  closeSync(descriptor);
});

test('lines not yet written are written when the process exits, none twice', async () => {
  const file = join(folder, 'exit.log');
  const descriptor = openSync(file, 'a');
  const sink = new LogSink(descriptor, () => {});
  for (let number = 0; number < 3; number++) sink.write(line(number));
  sink.flushOnExit();
  const written = () => readFileSync(file, 'utf8').split('\n').filter(Boolean).sort();
  await until('all lines are written', () => written().length >= 3);
  expect(written()).toEqual([0, 1, 2].map((number) => line(number).trimEnd()));
  closeSync(descriptor);
});

test('a full disk costs no time and at most 1 MiB of memory, and dropped lines are counted', () => {
  // Stays open: the sink retries as long as this process runs.
  const sink = new LogSink(openSync('/dev/full', 'w'), () => {});
  for (let number = 0; number < 5_000; number++) sink.write(line(number));
  expect(sink.droppedLines).toBeGreaterThan(3_000);
  expect(sink.droppedLines).toBeLessThan(5_000);
});

const disk = mountSmallDisk(4 * 1024);
afterAll(() => disk?.unmount());

testUnless(whyNoDisk(disk))(
  'once space returns, held lines are written whole and the dropped ones reported once',
  async () => {
    const { folder: on, fill, free } = disk as SmallDisk;
    const file = join(on, 'small.log');
    const descriptor = openSync(file, 'a');
    const reports: Dropped[] = [];
    const sink = new LogSink(descriptor, (dropped) => reports.push(dropped));
    fill();
    sink.write(line(0));
    await until('the first write fails', () => sink.isFailing);
    for (let number = 1; number < 2_000; number++) sink.write(line(number));
    const { droppedLines } = sink;
    free();
    await until('the dropped lines are reported', () => reports.length > 0);
    expect(reports).toEqual([{ lines: droppedLines, code: 'ENOSPC' }]);
    const held = Array.from({ length: 2_000 - droppedLines }, (_, number) => line(number));
    expect(readFileSync(file, 'utf8')).toBe(held.join(''));
    sink.write('the next\n');
    await until('the next line is written', () => readFileSync(file, 'utf8').endsWith('the next\n'));
    expect(reports).toHaveLength(1);
    closeSync(descriptor);
  },
);
