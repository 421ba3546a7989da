import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import type { WorkerServices } from '../../../workers/run/services.js';
import { removeOrphanedFiles } from '../../../workers/upkeep/remove-orphaned-files.js';
import { runTurn } from '../../../workers/upkeep/run-turn.js';
import { ageOrphans } from '../../support/api/age-orphans.js';
import { startS3, type TestS3 } from '../../support/servers/s3.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

const id = uuidv7();
const OWN = [
  `uploads/${id}`,
  `uploads/${id}.${uuidv7()}.partial`,
  `results/${id}.${uuidv7().slice(-8)}`,
  `results/${id}.rejected`,
];
const FOREIGN = [
  'backups/x.tar.gz',
  `backups/${id}`,
  'uploads/holiday pictures.zip',
  'uploads/notes.txt',
  `uploads/${id}.tar.gz`,
  `results/older/${id}`,
  'Ünicode',
];

let s3: TestS3;
const removed = { 'remove-orphaned-files': OWN.length };

/** Runs a pass that finds the files, and one two days later. Returns the result of the second. */
async function runTwice({ worker }: Stack) {
  await runTurn([removeOrphanedFiles], worker as WorkerServices);
  await ageOrphans(worker as WorkerServices);
  return runTurn([removeOrphanedFiles], worker as WorkerServices);
}

beforeAll(async () => {
  s3 = await startS3();
});
afterAll(() => s3.stop());

test('upkeep of a folder deletes only old files whose names Muster made', async () => {
  const stack = await startStack();
  const root = join(stack.folder, 'files');
  for (const name of [...OWN, ...FOREIGN]) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), 'x');
  }
  expect(await runTwice(stack)).toEqual(removed);
  const left = readdirSync(root, { recursive: true, encoding: 'utf8' });
  expect(left).toEqual(expect.arrayContaining(FOREIGN));
  expect(left.filter((name) => OWN.includes(name))).toEqual([]);
  await stack.stop();
});

test('a turn that ends early is continued by the next one, and a pass that is done waits', async () => {
  const stack = await startStack();
  const services = stack.worker as WorkerServices;
  const folder = join(stack.folder, 'files', 'uploads');
  mkdirSync(folder, { recursive: true });
  const write = () => writeFileSync(join(folder, uuidv7()), 'x');
  for (let file = 0; file < 250; file++) write();
  await runTurn([removeOrphanedFiles], services);
  await ageOrphans(services);
  for (let file = 0; file < 250; file++) write();
  const left = () => readdirSync(folder).length;
  const afterTurns: number[] = [];
  // A turn has time for one step: 200 files, or one of 16 parts.
  for (let turn = 0; turn < 20 && left() > 250; turn++) {
    await runTurn([removeOrphanedFiles], services, { sliceMs: 0.01, gentleMs: 0, turnMs: 0 });
    afterTurns.push(left());
  }
  expect(afterTurns.length).toBeGreaterThan(2);
  expect(afterTurns.at(-1)).toBe(250);
  await runTurn([removeOrphanedFiles], services);
  write();
  expect(await runTurn([removeOrphanedFiles], services)).toEqual({ 'remove-orphaned-files': 0 });
  await stack.stop();
});

test('upkeep of a bucket deletes only such files, and only under its prefix', async () => {
  const stack: Stack = await startStack({ env: { STORAGE_URL: s3.url('muster') } });
  const others = ['muster/', 'elsewhere/'].flatMap((prefix) => FOREIGN.map((name) => prefix + name));
  const kept = [...others, ...OWN.map((name) => `elsewhere/${name}`)].map((key) => `muster/${key}`);
  const orphans = OWN.map((name) => `muster/muster/${name}`);
  for (const key of [...kept, ...orphans]) {
    s3.server.objects.set(key, { body: Buffer.from('x'), modifiedAt: new Date() });
  }
  expect(await runTwice(stack)).toEqual(removed);
  expect([...s3.server.objects.keys()].sort()).toEqual(kept.sort());
  await stack.stop();
});
