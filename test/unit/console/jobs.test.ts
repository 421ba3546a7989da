import { expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { describeCounts, listCounts } from '../../../api/console/jobs/job-counts.ts';
import { jobTitle } from '../../../api/console/jobs/job-names.ts';
import { currentPhase } from '../../../api/console/jobs/job-phase.ts';
import { fileState } from '../../../api/console/jobs/outcome/file-state.ts';
import { parseRejectedRows } from '../../../api/console/jobs/outcome/parse-rejected-rows.ts';
import { summarizeOutcome } from '../../../api/console/jobs/outcome/summarize-outcome.ts';

const IMPORT = { type: 'identity-import', dryRun: false } as const;
const NOTHING = { created: 0, updated: 0, unchanged: 0, superseded: 0, rejected: 0 };
const PROGRESS = { rowsRead: 0, rowsTotal: null, bytesRead: 0, bytesTotal: null, percent: null };

test('describeCounts lists the counts of an import in one line, without zeros', () => {
  const counts = { ...NOTHING, total: 100_000, created: 99_998, updated: 2 };
  expect(describeCounts({ ...IMPORT, counts })).toBe('100,000 rows: 99,998 created, 2 updated');
  expect(describeCounts({ ...IMPORT, counts: { ...NOTHING, total: 1 } })).toBe('1 row: no changes');
  expect(describeCounts({ type: 'identity-export', dryRun: false, counts: { rows: 1 } })).toBe('1 row');
});

test('a job is named after its file, unless the API is of an earlier release and has no file names', () => {
  const title = jobTitle({ ...IMPORT, fileName: 'people.csv' });
  expect(title).toBe('Identity import of people.csv');
  const early = { ...IMPORT } as Parameters<typeof jobTitle>[0];
  expect(jobTitle(early)).toBe('Identity import');
});

test('rare counts are shown only if they are not 0', () => {
  const names = (counts: Record<string, number>) => listCounts({ ...IMPORT, counts }).map(({ name }) => name);
  expect(names({ total: 1, ...NOTHING })).toEqual(['created', 'updated', 'unchanged']);
  expect(names({ total: 1, ...NOTHING, rejected: 1 })).toContain('rejected');
  expect(names({ total: 1, ...NOTHING, removed: 0 })).toContain('removed');
  expect(names({ total: 1, removed: 0, notFound: 1, superseded: 0 })).toEqual(['removed', 'not found']);
});

test('each count of a remap has an explanation; an unknown count has an empty one', () => {
  const counts = listCounts({ type: 'alert-remap', dryRun: true, counts: { events: 3, brandNew: 4 } });
  expect(counts[0]).toEqual({ name: 'events', count: 3, meaning: 'mapped again' });
  expect(counts[1]).toEqual({ name: 'brand new', count: 4, meaning: '' });
});

test.each([
  ['queued', PROGRESS, { name: 'Waiting for a worker', share: null, amount: '' }],
  [
    'running',
    { ...PROGRESS, bytesRead: 1e6, bytesTotal: 4e6 },
    { name: 'Step 1 of 2: validating the file', share: 0.25, amount: '1.0 MB of 4.0 MB' },
  ],
  [
    'running',
    // A compressed file: more bytes were read than the upload has.
    { ...PROGRESS, bytesRead: 9e6, bytesTotal: 4e6 },
    { name: 'Step 1 of 2: validating the file', share: null, amount: '9.0 MB' },
  ],
  [
    'running',
    { ...PROGRESS, rowsRead: 100, rowsTotal: 100 },
    { name: 'Step 2 of 2: writing rows', share: 0.99, amount: '100 of 100 rows' },
  ],
] as const)('the phase of an import that is %s, %j', (state, progress, phase) => {
  expect(currentPhase({ ...IMPORT, state, progress })).toEqual(phase);
});

test('an export of unknown size shows the number of rows written so far', () => {
  const progress = { ...PROGRESS, rowsRead: 1_234 };
  const job = { type: 'identity-export', dryRun: false, state: 'running', progress } as const;
  expect(currentPhase(job)).toEqual({ name: 'Writing the file', share: null, amount: '1,234 rows' });
});

test('the outcome of a dry run says that nothing was written', () => {
  const counts = { ...NOTHING, total: 3, created: 2, rejected: 1 };
  for (const state of ['completed', 'completed_with_errors', 'canceled'] as const) {
    const { title, text } = summarizeOutcome({ type: IMPORT.type, dryRun: true, state, counts });
    expect(`${title} ${text}`).toMatch(/nothing was written/i);
  }
});

test('the outcome of an import with rejected rows gives their number and the next step', () => {
  const counts = { ...NOTHING, total: 3, created: 2, rejected: 1 };
  const { tone, title, text } = summarizeOutcome({ ...IMPORT, state: 'completed_with_errors', counts });
  expect([tone, title]).toEqual(['warn', 'Completed with 1 rejected row']);
  expect(text).toMatch(/fix them and upload/);
});

test('the file of an export is ready until it expires', () => {
  const expiresAt = '2026-01-02T00:00:00.000Z';
  const at = Date.parse(expiresAt);
  const job = { type: 'identity-export', state: 'completed', links: { file: '/f' }, expiresAt } as const;
  expect(fileState(job, at - 1)).toBe('ready');
  expect(fileState(job, at)).toBe('expired');
  expect(fileState({ ...job, links: {} }, at - 1)).toBe('expired');
  expect(fileState({ ...job, state: 'running' }, at - 1)).toBe('none');
  expect(fileState({ ...job, type: 'identity-import' }, at - 1)).toBe('none');
});

test('parseRejectedRows returns the rows of a rejected-rows file as errors', () => {
  const head = 'emailEscaped,integrationId,identityEscaped,line,code,message\n';
  const rows =
    'a b,1,x,2,email_invalid,"email: is not an address"\n' + 'a@b.c,1,"x\ny",4,wrong_cells,"two; things"\n';
  expect(parseRejectedRows(head + rows, parse)).toEqual([
    { line: 2, code: 'email_invalid', field: 'email', message: 'is not an address' },
    { line: 4, code: 'wrong_cells', field: null, message: 'two; things' },
  ]);
});

test('parseRejectedRows returns the rows before an incomplete one', () => {
  const head = 'emailEscaped,integrationId,identityEscaped,line,code,message\n';
  expect(parseRejectedRows(`${head}a,1,x,2,c,m\na,1,"x`, parse)).toHaveLength(1);
});
