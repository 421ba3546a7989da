import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { RunWriter } from '../../../workers/identities/spool/run-writer.js';
import { newRunMemory, SortedRun } from '../../../workers/identities/spool/sorted-run.js';
import { StoredRun } from '../../../workers/identities/spool/stored-run.js';
import { runWriter } from '../../support/run-writer.js';
import { scratchParent } from '../../support/scratch.js';
import { rowsIn } from './sorted-rows.js';

const folder = mkdtempSync(join(scratchParent(), 'muster-runs-'));
const writer = new RunWriter(runWriter);
afterAll(async () => {
  await writer.close();
  rmSync(folder, { recursive: true });
});

function runOf(...identities: string[]): SortedRun {
  const run = new SortedRun(newRunMemory(10));
  for (const [at, identity] of identities.entries()) run.add(7, identity, `${identity}@example.com`, at);
  return run;
}

function identitiesIn(record: StoredRun['record']): string[] {
  const stored = StoredRun.reopen(folder, record);
  const rows = rowsIn(stored.reader());
  stored.close();
  return rows.map(({ identity }) => identity);
}

test('a thread sorts a run and writes it, and its memory serves the next run', async () => {
  const first = await writer.write(folder, runOf('b', 'é', 'a'));
  expect(first.run.rows).toBe(0);
  first.run.add(7, 'c', null, 3);
  const second = await writer.write(folder, first.run);
  expect([first, second].map(({ record }) => identitiesIn(record))).toEqual([['a', 'b', 'é'], ['c']]);
});

test('an error has the code of the system, and the thread goes on', async () => {
  const missing = join(folder, 'missing');
  await expect(writer.write(missing, runOf('a'))).rejects.toMatchObject({ code: 'ENOENT' });
  expect(identitiesIn((await writer.write(folder, runOf('a'))).record)).toEqual(['a']);
});

test('a thread that ends, or cannot start, is an error instead of a wait', async () => {
  const ending = new RunWriter(runWriter);
  const write = ending.write(folder, runOf('a'));
  const outcome = expect(write).rejects.toThrow('the thread that writes runs has ended');
  await ending.close();
  await outcome;
  await expect(ending.write(folder, runOf('a'))).rejects.toThrow('has ended');
  const broken = new RunWriter(new URL('missing-thread.js', import.meta.url));
  await expect(broken.write(folder, runOf('a'))).rejects.toThrow('missing-thread.js');
});
