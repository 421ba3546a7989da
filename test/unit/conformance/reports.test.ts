import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { previewCsv } from '../../../workers/identities/preview/preview-csv.js';
import { outcomeOf, read } from '../identities/reading.js';

/** Files in the shape that reports about other products describe. */
const DATA = join(import.meta.dirname, '../../../../shared/data/reports/identities');
const load = (name: string) => readFileSync(join(DATA, name));

function when(name: string, tests: () => void): void {
  if (existsSync(DATA)) describe(name, tests);
  else describe.skip(`${name} (skipped: ../shared/data/reports is not there)`, tests);
}

when('files of accounts', () => {
  test('values that a spreadsheet lost', async () => {
    const { records, rejected, warnings } = await read(load('17-spreadsheet-errors.csv'));
    expect(records.map(({ identity }) => identity)).toEqual(['nan', 'NULL', 'undefined', '[object Object]']);
    expect(rejected.map(({ cells }) => cells[2])).toEqual([
      '#N/A',
      '#NAME?',
      '1.23457E+11',
      '#REF!',
      '########',
    ]);
    expect(warnings).toMatchObject([{ code: 'suspicious_values', count: 4 }]);
    expect((await read(load('17b-two-na.csv'))).rejected).toHaveLength(4);
  });

  test.each([
    ['08-empty-row-and-column-first.csv', 'line 2 looks like the header; delete line 1'],
    ['08b-title-line.csv', 'line 2 looks like the header; delete line 1'],
    ['08c-report-title.csv', 'line 3 looks like the header; delete lines 1 and 2'],
    ['08d-entra.csv', 'line 2 looks like the header; delete line 1'],
    ['08e-google-workspace.csv', '"Email Address [Required]" (email?)'],
  ])('%s is rejected: %s', async (file, message) => {
    expect(await outcomeOf(load(file))).toMatchObject({
      fileError: { message: expect.stringContaining(message) },
    });
  });

  test.each([
    ['01-collation.csv', 10],
    ['05-padded-header.csv', 1],
    ['09-nbsp.csv', 1],
    ['09b-nbsp-header.csv', 1],
    ['09d-zero-width-header.csv', 1],
    ['16-multi-member.csv.gz', 2],
  ])('%s is accepted', async (file, count) => {
    const { records, rejected } = await read(load(file));
    expect([records.length, rejected]).toEqual([count, []]);
  });

  test('the second half of joined files, and invisible characters', async () => {
    const joined = await read(load('09c-two-files-joined.csv'));
    expect([joined.records.length, joined.rejected.length]).toEqual([2, 1]);
    expect((await read(load('09e-invisible.csv'))).records).toEqual([]);
  });

  test('the columns of placeholder users have sensible candidates', async () => {
    const { columns } = await previewCsv(load('28-gitlab-placeholder.csv'), { choice: {}, isComplete: true });
    const candidateOf = (name: string) => columns.find((column) => column.name === name)?.candidate;
    expect(
      ['Source username', 'GitLab username', 'GitLab public email', 'Import type'].map(candidateOf),
    ).toEqual(['identity', 'identity', 'email', null]);
  });
});
