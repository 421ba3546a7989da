import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { theRow } from '../../../support/the-row.js';
import { until } from '../../../support/until.js';
import { desk, good, header, jobs, storedRows, upload, useDesk } from './desk.js';

useDesk();

test('a file is uploaded, its progress is shown, and its rows are counted', async () => {
  writeFileSync(desk.file, header + good('ann') + good('bob') + good('ann'));
  const { code, out, screen } = await upload([desk.file]);
  const { id } = await theRow(jobs());
  const curl = (more: string, path: string) =>
    `  curl ${more}-H "authorization: ApiKey $MUSTER_API_KEY" ${desk.stack.url}/v2/jobs/${id}/${path}`;
  expect(out).toBe(
    [
      'Done, no rows rejected:',
      '  total       3',
      '  created     2',
      '  updated     0',
      '  unchanged   1',
      '  superseded  0',
      '  rejected    0',
      'Columns: email from "email", integrationId from "integrationId", identity from "identity"',
      'Warning: 1 row repeats the key of an earlier row; the last row of a key wins',
      'To download what changed:',
      curl('', 'changes'),
      'To take it back, within 7 days:',
      curl('-X POST ', 'revert'),
      '',
    ].join('\n'),
  );
  expect(screen).toMatch(
    /^Sending team\.csv \(95 bytes\) to http:\/\/127.*\nAccepted as job [\w-]{36} after 0:0\d\n$/,
  );
  expect(code).toBe(0);
  expect(await storedRows()).toEqual(['ann', 'bob']);
  expect(readdirSync(desk.folder)).toEqual(['team.csv']);
});

test('a .gz file is sent unchanged; a file in another charset is sent with that charset', async () => {
  writeFileSync(`${desk.file}.gz`, gzipSync(header + good('ann')));
  expect((await upload([`${desk.file}.gz`])).out).toContain('created     1');
  writeFileSync(desk.file, Buffer.from(`${header}x@example.com,7,J\xfcrgen\n`, 'latin1'));
  expect((await upload([desk.file, '--charset', 'iso-8859-1'])).code).toBe(0);
  expect(await storedRows()).toEqual(['Jürgen', 'ann']);
});

test('with one invalid row nothing is written: exit code 1, errors shown, rejected rows saved', async () => {
  writeFileSync(desk.file, `${header}${good('ann')}bob@example.com,seven,bob\n`);
  const { code, out, screen } = await upload([desk.file, '--wait']);
  expect(code).toBe(1);
  expect(out).toBe('');
  expect(screen).toContain('Failed: Invalid file format: 1 of 2 rows is invalid');
  expect(screen).toContain('\n  line 3  integrationId: must be an integer in plain digits');
  const saved = join(desk.folder, 'team.rejected.csv');
  expect(screen).toContain(`The rejected rows are in ${saved}\n`);
  expect(readFileSync(saved, 'utf8')).toMatch(/^\uFEFFemailEscaped,.*\nbob@example.com,seven,bob,3,/);
  expect(await storedRows()).toEqual([]);
});

test('continue writes the valid rows, clearly reports the rejected ones, and their file can be corrected and uploaded', async () => {
  const bad = Array.from({ length: 12 }, (_, i) => `bad-${i}@example.com,x${i},bad-${i}\n`).join('');
  writeFileSync(desk.file, header + good('ann') + bad);
  const { code, out } = await upload([desk.file, '--on-error', 'continue']);
  expect(code).toBe(0);
  expect(out).toContain('Done, 12 ROWS REJECTED, the others written:');
  expect(out).toMatch(/rejected +12\n/);
  expect(out).toMatch(/\n {2}line 3 +integrationId: /);
  expect(out).toMatch(/\n {2}line 12 +integrationId: .*\n {2}\.\.\. and 2 more rows\n/);
  expect(await storedRows()).toEqual(['ann']);

  const rejected = join(desk.folder, 'team.rejected.csv');
  const half = readFileSync(rejected, 'utf8').replaceAll(/,x([0-5]),/g, ',1$1,');
  writeFileSync(rejected, half);
  const second = await upload([rejected, '--on-error=continue']);
  expect(second.out).toContain('Done, 6 ROWS REJECTED');
  expect(readdirSync(desk.folder).sort()).toEqual(['team.csv', 'team.rejected-2.csv', 'team.rejected.csv']);
  expect(readFileSync(rejected, 'utf8')).toBe(half);
  expect(await storedRows()).toHaveLength(7);
});

test('a dry run reports the same and writes nothing', async () => {
  writeFileSync(desk.file, header + good('ann'));
  const { code, out } = await upload([desk.file, '--dry-run']);
  expect(code).toBe(0);
  expect(out).toContain('Dry run, no rows rejected. Nothing was written. The upload would do this:\n');
  expect(out).toContain('created     1');
  expect(out).toMatch(
    /To download what would change:\n {2}curl .*\/changes\nTo write exactly that, .*:\n {2}curl -X POST .*\/apply\n$/,
  );
  expect(await storedRows()).toEqual([]);
});

test('a file that is not CSV is rejected with a reason', async () => {
  writeFileSync(desk.file, 'name\nann\n');
  const { code, screen } = await upload([desk.file]);
  expect(code).toBe(1);
  expect(screen).toMatch(/Failed: Invalid file format: .*email/);
  expect(readdirSync(desk.folder)).toEqual(['team.csv']);
});

test('without waiting it prints the id on standard output and a command to view the job', async () => {
  writeFileSync(desk.file, header + good('ann'));
  const { code, out, screen } = await upload([desk.file, '--no-wait']);
  expect(code).toBe(0);
  const job = await theRow(jobs());
  expect(out).toBe(`${job.id}\n`);
  expect(screen).toContain(
    `curl -H "authorization: ApiKey $MUSTER_API_KEY" ${desk.stack.url}/v2/jobs/${job.id}`,
  );
  expect(screen).not.toContain(desk.key);
  await until('the job has ended', async () => (await theRow(jobs())).finished_at !== null);
});
