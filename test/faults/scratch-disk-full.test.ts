import { readdirSync } from 'node:fs';
import { afterAll, expect } from '@jest/globals';
import { emptyResult, writeManifest } from '../../workers/identities/spool/spool-manifest.js';
import { waiting } from '../../workers/run/retry-while-unavailable.js';
import { Client } from '../support/api/client.js';
import { countRows } from '../support/api/old-rows.js';
import { balanceOfCounts, Fault } from '../support/faults/fault.js';
import { mountSmallDisk, type SmallDisk, whyNoDisk } from '../support/faults/small-disk.js';
import { startStack } from '../support/servers/stack.js';
import { testUnless } from '../support/test-unless.js';
import { until } from '../support/until.js';

/** More rows than a worker keeps in memory. */
const ROWS = 150_000;
const disk = mountSmallDisk(64 * 1024);
afterAll(() => disk?.unmount());

testUnless(whyNoDisk(disk))('an import waits while the disk for its temporary files is full', async () => {
  const { folder, fill, free } = disk as SmallDisk;
  const stack = await startStack({ env: { DATA_DIR: folder } });
  const client = await Client.of(stack);
  const rows = Array.from({ length: ROWS }, (_, i) => `dev${i}@example.com,1,octo-${i}\n`).join('');
  fill();
  const { body } = await client.upload(`email,integrationId,identity\n${rows}`, '', {
    prefer: 'respond-async',
  });
  await until('the import waits', () => waiting.store === 1);
  expect((await client.get(`/v2/jobs/${body.jobId}`)).body.data).toMatchObject({
    state: 'running',
    attempts: 1,
  });
  free();
  const fault = new Fault('full disk of temporary files', 'rows');
  const { data } = (await fault.recovery(() => client.jobEnd(body.jobId))).body;
  fault.add(balanceOfCounts(ROWS, await countRows(stack.database, 'identities')));
  fault.report();
  expect(data).toMatchObject({ state: 'completed', attempts: 1, counts: { created: ROWS } });
  expect(waiting.store).toBe(0);
  // The worker deletes its temporary files after it has stored the outcome of the job.
  const isLeft = (name: string) => /\.(run|partial)$/.test(name);
  const filesIn = () => readdirSync(folder, { recursive: true, encoding: 'utf8' });
  await until('the temporary files are deleted', () => !filesIn().some(isLeft));
  await stack.stop();
});

testUnless(whyNoDisk(disk))('a manifest that cannot be written to a full disk leaves no files', () => {
  const { folder, fill, free } = disk as SmallDisk;
  fill();
  const manifest = {
    origin: 'x'.repeat(8_192),
    runs: [],
    validation: { result: emptyResult(), next: null, rejectedKey: null },
  };
  expect(() => writeManifest(folder, manifest)).toThrow(/ENOSPC/);
  free();
  expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([]);
});
