import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { NEW_HEARTBEAT } from '../../../db/heartbeats/heartbeat-states.js';
import { cronError, nextExpected, nextProblem } from '../../../workers/heartbeats/next-problem.js';
import { afterPings } from '../../../workers/heartbeats/update-heartbeats.js';
import { cases } from '../../support/effort.js';

const at = (text: string): number => Date.parse(text);
const cron = (expression: string, timeZone = 'UTC') => ({ cron: expression, timeZone });
const after = (schedule: Parameters<typeof nextExpected>[0], text: string) => {
  const next = nextExpected(schedule, at(text));
  return next === null ? null : new Date(next).toISOString();
};

test.each([
  ['every hour', { periodSeconds: 3_600 }, '2026-03-01T08:10:00Z', '2026-03-01T09:10:00.000Z'],
  ['a cron expression', cron('0 3 * * *'), '2026-03-01T03:01:00Z', '2026-03-02T03:00:00.000Z'],
  ['a ping by a clock that is ahead', cron('0 3 * * *'), '2026-03-01T02:59:57Z', '2026-03-02T03:00:00.000Z'],
  ['workdays', cron('0 9 * * 1-5', 'America/New_York'), '2026-11-27T14:00:01Z', '2026-11-30T14:00:00.000Z'],
  [
    'an hour that is skipped',
    cron('30 2 * * *', 'Europe/Berlin'),
    '2026-03-28T01:30:01Z',
    '2026-03-29T01:00:00.000Z',
  ],
  [
    'an hour that is repeated',
    cron('30 2 * * *', 'Europe/Berlin'),
    '2026-10-24T00:30:01Z',
    '2026-10-25T00:30:00.000Z',
  ],
  [
    'the second of these hours',
    cron('30 2 * * *', 'Europe/Berlin'),
    '2026-10-25T00:30:01Z',
    '2026-10-26T01:30:00.000Z',
  ],
  ['the last day of February', cron('0 0 29 2 *'), '2026-03-01T00:00:00Z', '2028-02-29T00:00:00.000Z'],
] as const)('%s: the next ping is expected when cron would start the job', (_, schedule, last, expected) => {
  expect(after(schedule, last)).toBe(expected);
});

test('a cron expression without times, or that is none, is refused', () => {
  expect(cronError(cron('*/5 * * * *'))).toBeNull();
  for (const wrong of [
    cron('0 0 30 2 *'),
    cron('60 * * * *'),
    cron('* * * *'),
    cron('2026-12-24T03:00:00'),
    cron('@daily'),
    cron('* * * * * *'),
  ])
    expect(cronError(wrong)).toEqual(expect.any(String));
});

const RULE = { schedule: { periodSeconds: 600 }, graceSeconds: 60, maxRunSeconds: 120 };

test('nothing is expected before the first ping, and the end of a run while it lasts', () => {
  const reports = { succeededAt: null, startedAt: null, failedAt: null };
  expect(nextProblem(RULE, reports)).toBeNull();
  expect(nextProblem(RULE, { ...reports, startedAt: 1_000 })).toEqual({
    problem: 'overrun',
    since: 1_000,
    forMs: 120_000,
  });
  expect(nextProblem({ ...RULE, maxRunSeconds: null }, { ...reports, startedAt: 1_000 })).toMatchObject({
    problem: 'late',
    since: 601_000,
  });
  expect(nextProblem(RULE, { ...reports, startedAt: 1_000, failedAt: 2_000 })).toEqual({
    problem: 'late',
    since: 602_000,
    forMs: 60_000,
  });
});

test('the order in which pings are stored does not matter', () => {
  const ping = fc.record({
    result: fc.constantFrom('success' as const, 'start' as const, 'failure' as const, 'log' as const),
    exitStatus: fc.constant(null),
    receivedAt: fc.integer({ min: 1, max: 1_000_000 }),
  });
  fc.assert(
    fc.property(fc.array(ping, { maxLength: 8 }), fc.infiniteStream(fc.nat()), (pings, order) => {
      const shuffled = pings.map((one) => ({ one, place: order.next().value as number }));
      shuffled.sort((a, b) => a.place - b.place);
      const one = afterPings(RULE, NEW_HEARTBEAT, pings);
      const each = shuffled.reduce((state, { one: next }) => afterPings(RULE, state, [next]), NEW_HEARTBEAT);
      expect(each).toEqual(one);
    }),
    { numRuns: cases(200) },
  );
});

test('the start of a run leaves a heartbeat due whose new settings are still to be checked', () => {
  const late = { ...NEW_HEARTBEAT, succeededAt: 1_000, raised: { problem: 'late', at: 900_000 } as const };
  const start = { result: 'start', exitStatus: null, receivedAt: 950_000 } as const;
  const rule = { ...RULE, maxRunSeconds: null };
  expect(afterPings(rule, { ...late, dueAt: 0 }, [start]).dueAt).toBe(0);
  expect(afterPings(rule, late, [start]).dueAt).toBeNull();
});

test('a log changes nothing of a heartbeat', () => {
  const before = afterPings(RULE, NEW_HEARTBEAT, [{ result: 'start', exitStatus: null, receivedAt: 1_000 }]);
  expect(afterPings(RULE, before, [{ result: 'log', exitStatus: null, receivedAt: 2_000 }])).toEqual(before);
});
