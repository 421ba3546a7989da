import { expect, test } from '@jest/globals';
import { isGrowing, type Reading } from '../../support/soak/growth.js';
import { Samples } from '../../support/soak/samples.js';
import { until } from '../../support/until.js';

test('measures that still grow at the end, or that cannot be read, are named', async () => {
  let reads = 0;
  const samples = new Samples({
    flat: { read: () => 100 + (++reads % 2), slack: 4 },
    growing: { read: () => 10 * reads, slack: 5 },
    'growing by nature': { read: () => 10 * reads, slack: null },
    unreadable: { read: () => Number.NaN, slack: 5 },
  });
  expect(samples.growing()).toContain('flat');
  samples.start(1);
  await until('enough samples are taken', () => reads >= 9);
  await samples.stop();
  expect(samples.growing()).toEqual(['growing', 'unreadable']);
});

test('an error while a measure is read is thrown at the end', async () => {
  let reads = 0;
  const read = () => {
    reads += 1;
    throw new Error('the process has ended');
  };
  const samples = new Samples({ gone: { read, slack: 1 } });
  samples.start(1);
  await until('a sample is taken', () => reads > 0);
  await expect(samples.stop()).rejects.toThrow('the process has ended');
});

/** Returns the readings of a number of minutes, one every 4 s. */
const readings = (minutes: number, valueAt: (minute: number) => number): Reading[] =>
  Array.from({ length: minutes * 15 }, (_, at) => [at / 900, valueAt(at / 15)]);

/** Returns a number from -1 to 1 that looks random, always the same for a minute. */
const noise = (minute: number): number => Math.sin((minute * 15 + 1) ** 2 * 12.9898);

const SLACK = 15;

test.each<[string, Reading[]]>([
  ['is flat', readings(20, () => 200)],
  ['is flat for a day', readings(24 * 60, () => 200)],
  ['is noisy', readings(20, (minute) => 200 + 20 * noise(minute))],
  ['is a saw tooth', readings(20, (minute) => 190 + 40 * ((minute / 4) % 1))],
  ['is a slow saw tooth', readings(20, (minute) => 190 + 40 * ((minute / 5) % 1))],
  ['has outliers', readings(20, (minute) => (noise(minute) > 0.7 ? 900 : 200))],
  ['falls', readings(20, (minute) => 300 - minute)],
  ['warms up for a minute of three', readings(3, (minute) => Math.min(202, 191 + 11 * minute))],
  [
    'warms up for a third of the time',
    readings(20, (minute) => 200 - 60 * Math.exp(-minute / 2) + 4 * noise(minute)),
  ],
])('a measure that %s does not grow', (_, values) => {
  expect(isGrowing(values, SLACK)).toBe(false);
});

test.each<[string, Reading[]]>([
  ['by 2 MB a minute, with noise', readings(20, (minute) => 200 + 2 * minute + 5 * noise(minute))],
  ['by 2 MB a minute, under a saw tooth', readings(20, (minute) => 200 + 2 * minute + 10 * (minute % 1))],
  ['by 45 MB an hour, for a long time', readings(60, (minute) => 200 + 0.75 * minute + 5 * noise(minute))],
  ['only at the end', readings(20, (minute) => 200 + Math.max(0, 4 * (minute - 10)))],
])('a measure that rises %s grows', (_, values) => {
  expect(isGrowing(values, SLACK)).toBe(true);
});
