import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect } from '@jest/globals';
import { fullDisk } from '../../../scripts/start/disk-space.js';
import { mountSmallDisk, whyNoDisk } from '../../support/faults/small-disk.js';
import { testUnless } from '../../support/test-unless.js';

const disk = mountSmallDisk(32 * 1024);
afterAll(() => disk?.unmount());

testUnless(whyNoDisk(disk))('a disk without room for files is full, whatever its free bytes', () => {
  const { folder } = disk as NonNullable<typeof disk>;
  expect(fullDisk(folder)).toBe('');
  execFileSync('mount', ['-o', 'remount,nr_inodes=80', folder]);
  expect(fullDisk(folder)).toBe('');
  const names = Array.from({ length: 40 }, (_, i) => join(folder, `file-${i}`));
  for (const name of names) writeFileSync(name, '');
  expect(fullDisk(folder)).toMatch(/can hold \d+ more files \(inodes\), and 64 are needed$/);
  for (const name of names) rmSync(name);
  expect(fullDisk(folder)).toBe('');
});
