import { expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { parseWorklist } from '../../../api/console/identities/worklist/parse-worklist.ts';
import { listCounts } from '../../../api/console/jobs/job-counts.ts';
import { currentPhase } from '../../../api/console/jobs/job-phase.ts';
import { fileState } from '../../../api/console/jobs/outcome/file-state.ts';
import { summarizeOutcome } from '../../../api/console/jobs/outcome/summarize-outcome.ts';
import { worklistRow, worklistTable } from '../../../workers/jobs/identity-worklist.js';

const WORKLIST = { type: 'identity-worklist', state: 'completed', dryRun: false } as const;

test.each([true, false])('the first rows of a file are shown as they were sent, escaped: %s', (escaped) => {
  const table = worklistTable(escaped);
  const account = { identity: '=ada', name: '\'+Ada, "L"', email: '' };
  const candidates = [
    { email: '-ada@example.com', score: 94, reason: 'known alias in account system 8' },
    { email: 'b@example.com', score: 30, reason: 'one of the names' },
  ];
  const rows = [
    worklistRow({ account, decision: null, candidates }, 7),
    worklistRow({ account: { ...account, identity: 'bob' }, decision: null, candidates: [] }, 7),
  ];
  const text = table.header + table.lines(rows);
  const shown = parseWorklist(text, parse as never);
  const common = { integrationId: '7', displayName: '\'+Ada, "L"', accountEmail: '', decision: '' };
  expect(shown).toEqual([
    { ...common, identity: '=ada', candidates },
    { ...common, identity: 'bob', candidates: [] },
  ]);
  expect(parseWorklist(text.slice(0, -5), parse as never)).toEqual(shown.slice(0, 1));
});

test('a worklist is summarized, and its file can be downloaded', () => {
  const text = (withCandidates: number, withoutCandidates: number) =>
    summarizeOutcome({ ...WORKLIST, counts: { withCandidates, withoutCandidates } }).text;
  expect(text(2, 1_000)).toBe('1,002 accounts have no owner, and 2 of them have candidates.');
  expect(text(1, 0)).toBe('1 account has no owner, and 1 of them has candidates.');
  expect(text(0, 0)).toBe('Every account of the list has an owner.');
  const links = { file: '/v2/jobs/x/file' };
  expect(fileState({ ...WORKLIST, links, expiresAt: null }, 0)).toBe('ready');
  const none = { bot: 0, left: 0, later: 0 };
  const counts = { total: 3, owned: 1, withCandidates: 1, withoutCandidates: 1, ...none, repeated: 0 };
  const meanings = listCounts({ ...WORKLIST, counts }).map(({ meaning }) => meaning);
  expect(meanings).toHaveLength(3);
  expect(meanings).not.toContain('');
});

test('the phases of a worklist', () => {
  const progress = { rowsRead: 0, rowsTotal: null, bytesRead: 0, bytesTotal: null, percent: null };
  const phase = (changes: object) =>
    currentPhase({ ...WORKLIST, state: 'running', progress: { ...progress, ...changes } });
  expect(phase({}).name).toBe('Reading the list');
  expect(phase({ rowsRead: 50, rowsTotal: 100 })).toMatchObject({
    name: 'Comparing with stored identities',
    share: 0.5,
  });
});
