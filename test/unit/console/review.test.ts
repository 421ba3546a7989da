import { expect, test } from '@jest/globals';
import {
  type AccountState,
  changesBetween,
  countProgress,
  isDone,
  OPEN,
  statesOf,
  withDecision,
} from '../../../api/console/identities/worklist/review/account-state.ts';
import { precisionText } from '../../../api/console/identities/worklist/review/precision-text.ts';
import { reviewCommand } from '../../../api/console/identities/worklist/review/review-keys.ts';

const candidate = (email: string) => ({ email, score: 66, reason: 'initials and last name' });
const row = {
  ...{ integrationId: '7', identity: 'ada', displayName: '', accountEmail: '', decision: '' },
  candidates: [candidate('a@x.example'), candidate('b@x.example')],
};
const bare = { ...row, identity: 'bare', candidates: [] };

/** What the API makes of changes, see `db/identities/write-worklist-decisions.ts`. */
function applied(state: AccountState, changes: ReturnType<typeof changesBetween>): AccountState {
  let next = state;
  for (const { decision, email } of changes) {
    if (decision === null && email === undefined) next = { ...OPEN, rejected: next.rejected };
    else if (decision === null) next = { ...next, rejected: next.rejected.filter((one) => one !== email) };
    else if (decision === 'owner' || decision === 'not_this_person')
      next = withDecision(next, { decision, email: email ?? '' });
    else next = withDecision(next, { decision });
  }
  return next;
}

test('the changes between any two states lead from one to the other, and back', () => {
  const rejections = [[], ['a@x.example'], ['a@x.example', 'b@x.example']];
  const states: AccountState[] = rejections.flatMap((rejected) => [
    { ...OPEN, rejected },
    { decision: 'bot' as const, email: null, rejected },
    { decision: 'later' as const, email: null, rejected },
    ...['a@x.example', 'c@x.example']
      .filter((email) => !rejected.includes(email))
      .map((email) => ({ decision: 'owner' as const, email, rejected })),
  ]);
  expect(states.length).toBeGreaterThan(12);
  for (const before of states)
    for (const after of states) expect(applied(before, changesBetween(before, after, row))).toEqual(after);
  const [sent] = changesBetween(OPEN, withDecision(OPEN, { decision: 'owner', email: 'b@x.example' }), row);
  expect(sent).toEqual({
    ...{ identity: 'ada', decision: 'owner', email: 'b@x.example' },
    suggested: candidate('a@x.example'),
  });
  expect(changesBetween(OPEN, OPEN, row)).toEqual([]);
});

test('an account is done once it is decided, or none of its candidates is the owner', () => {
  const one = withDecision(OPEN, { decision: 'not_this_person', email: 'a@x.example' });
  const both = withDecision(one, { decision: 'not_this_person', email: 'b@x.example' });
  const bot = withDecision(OPEN, { decision: 'bot' });
  expect([OPEN, one, both, bot].map((state) => isDone(row, state))).toEqual([false, false, true, true]);
  expect(isDone(bare, OPEN)).toBe(false);
  const states = new Map([['ada', both]]);
  expect(countProgress([row, bare], (identity) => states.get(identity) ?? OPEN)).toEqual({
    ...{ total: 2, done: 1, owner: 0, bot: 0, left: 0, later: 0, rejected: 1 },
  });
});

test('a later from before the worklist is over, unless the worklist has it', () => {
  const later = {
    ...{ identity: 'ada', decision: 'later' as const, email: null, suggested: null },
    ...{ decidedBy: { id: 'x', name: 'x' }, decidedAt: '2026-01-01T00:00:00.000Z' },
  };
  const found = (madeAt: string, decision: string) =>
    statesOf([later], new Map([['ada', { ...row, decision }]]), madeAt).get('ada')?.decision;
  expect(found('2026-02-02T00:00:00.000Z', '')).toBeUndefined();
  expect(found('2026-02-02T00:00:00.000Z', 'later')).toBe('later');
  expect(found('2025-12-31T00:00:00.000Z', '')).toBe('later');
});

test('keys decide once, step as often as they repeat, and obey the setting', () => {
  const press = (key: string, more = {}, hasSingleKeys = true) =>
    reviewCommand(
      { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat: false, ...more },
      hasSingleKeys,
    );
  expect(['1', 'Enter', '2', '5', 'j', 'u', 'o', 'x'].map((key) => press(key))).toEqual([
    ...['owner', 'owner', 'not_this_person', 'later', 'next', 'undo', 'other', null],
  ]);
  expect(press('b')).toEqual({ candidate: 1 });
  expect([press('j', { repeat: true }), press('1', { repeat: true })]).toEqual(['next', null]);
  expect([press('1', {}, false), press('Enter', {}, false), press('z', { ctrlKey: true }, false)]).toEqual([
    ...[null, null, 'undo'],
  ]);
  expect(press('1', { ctrlKey: true })).toBeNull();
});

test('the precision of a rule says when it is too few to tell', () => {
  const text = (right: number, decided: number) =>
    precisionText('initials and last name; one of the names', [
      { rule: 'initials_and_last_name', words: '', right, decided },
    ]);
  expect(text(41, 44)).toBe('right 41 of 44');
  expect(text(2, 3)).toBe('right 2 of 3, too few to tell');
  expect(precisionText('known alias in account system 8', [])).toBe('nobody has decided about this rule yet');
  expect(precisionText('decided', [])).toBe('');
});
