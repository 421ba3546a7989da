import { expect, test } from '@jest/globals';
import { revertState } from '../../../api/console/jobs/revert/revert-state.ts';

const JOB: Parameters<typeof revertState>[0] = {
  type: 'identity-import',
  state: 'completed',
  dryRun: false,
  finishedAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-08T00:00:00.000Z',
  counts: { total: 1, created: 1 },
  warnings: [],
  links: { changes: '/changes' },
};

test.each([
  ['possible', {}],
  ['possible', { type: 'identity-revert', counts: { total: 1, restored: 1 } }],
  // A job that failed may have written rows.
  ['possible', { state: 'failed', counts: null }],
  ['running', { finishedAt: null, counts: null, links: {} }],
  ['expired', { links: {} }],
  ['unrecorded', { links: {}, expiresAt: null }],
  ['none', { dryRun: true }],
  ['none', { type: 'identity-export' }],
  ['none', { counts: { total: 1, superseded: 1 } }],
  ['none', { state: 'failed', counts: null, links: {} }],
] as const)('revertState returns %s for %j', (state, job) => {
  expect(revertState({ ...JOB, ...job }, Date.parse('2026-01-09'))).toBe(state);
});
