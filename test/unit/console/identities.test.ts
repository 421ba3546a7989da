import { expect, test } from '@jest/globals';
import { fileNameOf } from '../../../api/console/http/file-name.ts';
import { describeWrite } from '../../../api/console/identities/record/write-outcome.ts';

const NONE = { total: 1, created: 0, updated: 0, unchanged: 0, superseded: 0, rejected: 0 };

test.each([
  [{ ...NONE, created: 1 }, /^Added\. .* ada@example\.com\.$/, false],
  [{ ...NONE, updated: 1 }, /^Changed\. .* now belongs to ada@example\.com\.$/, false],
  [{ ...NONE, unchanged: 1 }, /^Nothing to change/, false],
  [{ ...NONE, superseded: 1 }, /^Nothing was changed: a later upload/, true],
  [{ total: 1, removed: 1, notFound: 0, superseded: 0 }, /^Removed/, false],
  [{ total: 1, removed: 0, notFound: 1, superseded: 0 }, /has no owner/, true],
  [undefined, /^Accepted/, true],
])('describeWrite describes a change with the counts %j', (counts, words, isWarning) => {
  const outcome = describeWrite(counts, 'ada@example.com');
  expect(outcome.text).toMatch(words);
  expect(outcome.isWarning).toBe(isWarning);
});

test.each([
  [null, 'muster.csv'],
  ['attachment', 'muster.csv'],
  ['attachment; filename="rejected-1.csv"', 'rejected-1.csv'],
  ['attachment; filename=a.csv', 'a.csv'],
  [`attachment; filename="?.csv"; filename*=UTF-8''%C3%A9.csv`, 'é.csv'],
  [`attachment; filename="a.csv"; filename*=UTF-8''%`, 'a.csv'],
  ['attachment; filename="../../etc/passwd"', 'passwd'],
])('fileNameOf reads the file name of %s', (disposition, name) => {
  expect(fileNameOf(disposition, 'muster.csv')).toBe(name);
});
