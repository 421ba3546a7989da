import { expect, test } from '@jest/globals';
import { fileNameOf } from '../../../api/console/http/file-name.ts';
import { describeWrite } from '../../../api/console/identities/record/write-outcome.ts';
import {
  readUploadState,
  uploadQuery,
  withJob,
  withOptions,
} from '../../../api/console/identities/upload/upload-state.ts';

const NONE = { total: 1, created: 0, updated: 0, unchanged: 0, superseded: 0, rejected: 0 };

test.each([
  [{ ...NONE, created: 1 }, /^Added\. .* ada@example\.com\.$/, false],
  [{ ...NONE, updated: 1 }, /^Changed\. .* ada@example\.com now\.$/, false],
  [{ ...NONE, unchanged: 1 }, /^Nothing to change/, false],
  [{ ...NONE, superseded: 1 }, /^Nothing was changed: an upload that was accepted later/, true],
  [{ total: 1, removed: 1, notFound: 0, superseded: 0 }, /^Removed/, false],
  [{ total: 1, removed: 0, notFound: 1, superseded: 0 }, /nobody already/, true],
  [undefined, /^Accepted/, true],
])('what became of a change with the counts %j', (counts, words, isWarning) => {
  const outcome = describeWrite(counts, 'ada@example.com');
  expect(outcome.text).toMatch(words);
  expect(outcome.isWarning).toBe(isWarning);
});

test('a check that is made anew ends what was imported before; other options end both', () => {
  const before = new URLSearchParams('check=1&import=2&onError=continue');
  expect(withJob(before, 'import', '3').toString()).toBe('check=1&import=3&onError=continue');
  expect(withJob(before, 'check', '3').toString()).toBe('check=3&onError=continue');
  expect(withOptions(before, { charset: 'big5' }).toString()).toBe('onError=continue&charset=big5');
  expect(withOptions(before, { onError: 'abort' }).toString()).toBe('');
});

test('only the check is a dry run', () => {
  const { options } = readUploadState(new URLSearchParams('onError=continue&charset=big5'));
  expect(uploadQuery(options, 'check')).toEqual({ onError: 'continue', charset: 'big5', dryRun: true });
  expect(uploadQuery(options, 'import').dryRun).toBeUndefined();
});

test.each([
  [null, 'muster.csv'],
  ['attachment', 'muster.csv'],
  ['attachment; filename="rejected-1.csv"', 'rejected-1.csv'],
  ['attachment; filename=a.csv', 'a.csv'],
  [`attachment; filename="?.csv"; filename*=UTF-8''%C3%A9.csv`, 'é.csv'],
  [`attachment; filename="a.csv"; filename*=UTF-8''%`, 'a.csv'],
  ['attachment; filename="../../etc/passwd"', 'passwd'],
])('the name of a file by %s', (disposition, name) => {
  expect(fileNameOf(disposition, 'muster.csv')).toBe(name);
});
