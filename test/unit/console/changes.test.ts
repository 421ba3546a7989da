import { expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { planOf } from '../../../api/console/jobs/apply/plan.ts';
import { type ChangesJob, changesState, listOutcomes } from '../../../api/console/jobs/changes/outcomes.ts';
import { findChanges } from '../../../api/console/jobs/changes/parse-changes.ts';

const LINES = [
  'integrationId,identity,before,after,outcome,line',
  '7,ada,,ada@a.example,created,2',
  '7,"b,removed,b",old@a.example,new@a.example,updated,3',
  '7,"c ""x""",old@a.example,,removed,',
  '8,dan,,dan@a.example,created,5',
];

const find = (outcome: string | null, skip = 1, count = 10) =>
  findChanges(LINES, { outcome, skip, count }, parse).map(({ change, line }) => [line, change.identity]);

test('findChanges returns the changes with an outcome and their lines', () => {
  expect(find(null)).toHaveLength(4);
  expect(find('created')).toEqual([
    [1, 'ada'],
    [4, 'dan'],
  ]);
  // The identity in line 2 contains the outcome.
  expect(find('removed')).toEqual([[3, 'c "x"']]);
  expect(find('created', 2, 1)).toEqual([[4, 'dan']]);
  expect(findChanges(LINES, { outcome: 'removed', skip: 1, count: 1 }, parse)[0]?.change).toEqual({
    integrationId: '7',
    identity: 'c "x"',
    before: 'old@a.example',
    after: null,
    outcome: 'removed',
    place: null,
  });
});

const JOB: ChangesJob = {
  type: 'identity-import',
  state: 'completed',
  counts: { total: 9, created: 5, updated: 0, unchanged: 1, notFound: 3 },
  warnings: [],
  links: { changes: '/changes' },
  expiresAt: '2026-01-08T00:00:00.000Z',
};
const outcomes = (job: Partial<ChangesJob>) =>
  listOutcomes({ ...JOB, ...job }).map(({ name, count, path }) => [name, count, path]);

test('listOutcomes returns the outcomes that a job has, with their numbers', () => {
  expect(outcomes({})).toEqual([
    ['all', 8, '/changes'],
    ['created', 5, '/changes'],
    ['not found', 3, '/changes'],
  ]);
  const links = { changes: '/changes', skipped: '/skipped' };
  expect(outcomes({ counts: { total: 3, restored: 2, skipped: 1 }, links })).toEqual([
    ['restored', 2, '/changes'],
    ['skipped', 1, '/skipped'],
  ]);
  expect(outcomes({ counts: { total: 1, restored: 0, skipped: 1 }, links })).toEqual([
    ['skipped', 1, '/skipped'],
  ]);
  const planned = { total: 3, restored: 3, skipped: 0, removed: 2 };
  expect(outcomes({ type: 'identity-revert', counts: planned })).toEqual([['restored', 3, '/changes']]);
});

test('planOf returns how many changes a dry run has planned, each once', () => {
  const at = Date.parse('2026-01-02');
  const plan = (job: Partial<ChangesJob>, now = at) => planOf({ ...JOB, ...job, dryRun: true }, now);
  expect(plan({ counts: { total: 4, created: 1, updated: 1, removed: 1, unchanged: 1 } })).toBe(3);
  expect(plan({ type: 'identity-revert', counts: { total: 3, restored: 3, removed: 2 } })).toBe(3);
  expect(plan({ warnings: [{ code: 'repeated_keys', message: 'x' }] })).toBe('unknown');
  expect(plan({ counts: { total: 1, unchanged: 1 }, links: {} })).toBe('empty');
  expect(plan({}, Date.parse('2026-01-09'))).toBe('expired');
  expect([plan({ type: 'identity-export' }), plan({ state: 'failed' }), plan({ links: {} })]).toEqual([
    'none',
    'none',
    'none',
  ]);
  expect(planOf({ ...JOB, dryRun: false }, at)).toBe('none');
});

test('listOutcomes returns no numbers if they would be of rows', () => {
  expect(outcomes({ warnings: [{ code: 'repeated_keys', message: 'x' }] })[0]).toEqual([
    'all',
    null,
    '/changes',
  ]);
  expect(listOutcomes({ ...JOB, state: 'canceled', counts: null })).toEqual([
    { outcome: null, name: 'all', count: null, most: Number.POSITIVE_INFINITY, path: '/changes' },
  ]);
});

test.each([
  ['ready', {}],
  ['none', { type: 'alert-remap' }],
  ['none', { counts: null, links: {} }],
  ['expired', { links: {} }],
  ['unrecorded', { links: {}, expiresAt: null }],
  ['empty', { links: {}, expiresAt: null, counts: { total: 1, unchanged: 1 } }],
] as const)('changesState returns %s for %j', (state, job) => {
  expect(changesState({ ...JOB, ...job }, Date.parse('2026-01-09'))).toBe(state);
});
