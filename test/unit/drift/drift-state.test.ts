import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type DriftState,
  MAX_PROBLEMS,
  NEW_STATE,
  type Problem,
  parseDriftState,
  type SeenEvent,
  type Sign,
  seeEvent,
  withMapping,
} from '../../../workers/drift/drift-state.js';
import { cases, enoughTime } from '../../support/effort.js';

const event = (at: number, more: Partial<SeenEvent> = {}): SeenEvent => ({
  id: `event ${at}`,
  at,
  paths: [],
  words: [],
  type: null,
  ...more,
});

const pathEvent = (at: number, found: boolean, more: Partial<SeenEvent> = {}) =>
  event(at, {
    paths: [{ field: 'severity', path: 'webhook.level', found, nearest: () => 'webhook.severity' }],
    ...more,
  });

const wordEvent = (at: number, field: string, ...unknown: string[]) =>
  event(at, { words: [{ field, unknown }] });

/** Sees events one after the other. Each state is stored and read again. */
function see(events: readonly SeenEvent[], start: DriftState = NEW_STATE) {
  let state = start;
  const signs: Sign[] = [];
  for (const one of events) {
    const seen = seeEvent(parseDriftState(JSON.stringify(state)), one);
    state = seen.state;
    signs.push(...seen.signs);
  }
  return { state, signs };
}

const times = (count: number, make: (index: number) => SeenEvent): SeenEvent[] =>
  Array.from({ length: count }, (_, index) => make(index));

const shownOf = (signs: readonly Sign[]) =>
  signs.map(({ problem, over }) => ({
    kind: problem.kind,
    at: over?.at ?? problem.at,
    isOver: over !== null,
  }));

test(
  'a path is missing exactly where its definition says so, and back with the first event that contains it',
  () => {
    /** For each event, counts in all events before it. */
    const expected = (found: readonly boolean[]) => {
      const signs: { at: number; isOver: boolean }[] = [];
      let isOpen = false;
      for (const [at, isFound] of found.entries()) {
        const before = found.slice(0, at + 1);
        const last = before.lastIndexOf(true);
        const gaps = before
          .slice(before.indexOf(true), last + 1)
          .map(Number)
          .join('')
          .split('1')
          .map((gap) => gap.length);
        const isGone =
          before.filter(Boolean).length >= 5 && at - last >= 20 && at - last >= 3 * Math.max(0, ...gaps);
        if (isOpen && isFound) signs.push({ at, isOver: true });
        if (!isOpen && isGone) signs.push({ at, isOver: false });
        isOpen = isOpen ? !isFound : isGone;
      }
      return signs;
    };
    const runs = fc.array(fc.record({ found: fc.boolean(), length: fc.integer({ min: 1, max: 40 }) }), {
      minLength: 1,
      maxLength: 12,
    });
    let raised = 0;
    fc.assert(
      fc.property(runs, (all) => {
        const found = all.flatMap(({ found, length }) => Array<boolean>(length).fill(found));
        const { signs } = see(found.map((isFound, at) => pathEvent(at, isFound)));
        raised += signs.length;
        expect(shownOf(signs)).toEqual(expected(found).map((sign) => ({ kind: 'path', ...sign })));
      }),
      { numRuns: cases(200) },
    );
    expect(raised).toBeGreaterThan(cases(20));
  },
  enoughTime(20_000),
);

test('a problem has the first event that shows it, the last one without it, and what was probably meant', () => {
  const { signs, state } = see([
    ...times(6, (at) => pathEvent(at, true)),
    ...times(30, (at) => pathEvent(6 + at, false)),
  ]);
  const problem = {
    kind: 'path',
    id: 'event 25',
    at: 25,
    field: 'severity',
    path: 'webhook.level',
    proposed: 'webhook.severity',
    last: { id: 'event 5', at: 5 },
    missing: 20,
  };
  expect(signs).toEqual([{ problem, over: null }]);
  expect(state.problems).toEqual([problem]);
});

test('events of another type say nothing about a path', () => {
  const opened = (at: number, found: boolean) => pathEvent(at, found, { type: 'event=opened' });
  const ping = (at: number) => pathEvent(at, false, { type: 'event=ping' });
  const start = times(10, (at) => (at === 3 ? ping(at) : opened(at, true)));
  const others = times(100, (at) => ping(10 + at));
  const { signs, state } = see([...start, ...others]);
  expect(signs.filter(({ problem }) => problem.kind === 'path')).toEqual([]);
  const after = see(
    times(20, (at) => opened(200 + at, false)),
    state,
  );
  expect(shownOf(after.signs)).toEqual([{ kind: 'path', at: 219, isOver: false }]);
  // A type that came only when the path was gone may be the renamed one.
  const renamed = times(20, (at) => pathEvent(300 + at, false, { type: 'event=open' }));
  expect(shownOf(see(renamed, see(start).state).signs)).toEqual([{ kind: 'path', at: 319, isOver: false }]);
});

test('an unknown severity or status is a problem at once, and only once', () => {
  const { signs } = see([
    wordEvent(1, 'severity', 'P9', 'P8'),
    wordEvent(2, 'severity', 'P9'),
    wordEvent(3, 'status', 'P9'),
  ]);
  expect(signs.map(({ problem }) => problem)).toEqual([
    { kind: 'word', id: 'event 1', at: 1, field: 'severity', word: 'P9' },
    { kind: 'word', id: 'event 1', at: 1, field: 'severity', word: 'P8' },
    { kind: 'word', id: 'event 3', at: 3, field: 'status', word: 'P9' },
  ]);
});

test('a word of another field is a problem only if its map knew nearly all before', () => {
  const known = (count: number) => times(count, (at) => wordEvent(at, 'team'));
  expect(see([...known(49), wordEvent(100, 'team', 'new')]).signs).toEqual([]);
  expect(see([...known(50), wordEvent(100, 'team', 'new')]).signs).toHaveLength(1);
  const partial = times(100, (at) => wordEvent(at, 'team', ...(at % 10 === 0 ? ['other'] : [])));
  expect(see([...partial, wordEvent(100, 'team', 'new')]).signs).toEqual([]);
});

test('a type of event is new after the first 50 events, unless there are too many types', () => {
  const typed = (at: number, type: string) => event(at, { type });
  const start = times(49, (at) => typed(at, `event=${at % 3}`));
  expect(see([...start, typed(49, 'event=new')]).signs).toEqual([]);
  const { signs } = see([...start, event(49), typed(50, 'event=new'), typed(51, 'event=new')]);
  expect(signs).toEqual([
    { problem: { kind: 'type', id: 'event 50', at: 50, field: '', type: 'event=new' }, over: null },
  ]);
  const varied = times(60, (at) => typed(at, `event=${at}`));
  expect(see(varied)).toMatchObject({ signs: [], state: { types: null } });
});

test('there are at most 20 problems at once', () => {
  const { signs, state } = see(times(50, (at) => wordEvent(at, 'severity', `word ${at}`)));
  expect(signs).toHaveLength(MAX_PROBLEMS);
  expect(state.problems).toHaveLength(MAX_PROBLEMS);
});

test('another mapping ends what it solves and forgets the paths that it does not read', () => {
  const { state } = see([
    ...times(6, (at) => pathEvent(at, true)),
    ...times(60, (at) => pathEvent(6 + at, false)),
    wordEvent(70, 'severity', 'P1', 'P2'),
    event(80, { type: 'event=new' }),
  ]);
  expect(state.problems.map(({ kind }) => kind)).toEqual(['path', 'word', 'word', 'type']);
  const knows = (problem: Problem) => problem.kind === 'word' && problem.word === 'P1';
  const same = withMapping(state, { uses: () => true, knows });
  expect(same.over.map((problem) => [problem.kind, problem.at])).toEqual([
    ['word', 70],
    ['type', 80],
  ]);
  expect(same.state.paths).toEqual(state.paths);
  const other = withMapping(state, { uses: () => false, knows: () => false });
  expect(other.over.map(({ kind }) => kind)).toEqual(['path', 'type']);
  expect(other.state.paths).toEqual([]);
  expect(other.state.problems.map(({ kind }) => kind)).toEqual(['word', 'word']);
});
