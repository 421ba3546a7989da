import { expect, test } from '@jest/globals';
import { limitedSeconds, outcomeOf } from '../../../workers/outbox/retries.js';

const limited = (afterMs: number | null) => ({ outcome: 'later', afterMs, isCounted: false }) as const;

test.each([
  ['5 s', 5_000, 5],
  ['a part of a second', 334, 1],
  ['an hour', 3_600_000, 3_600],
  ['no time at all', 0, 60],
  ['some time', null, 60],
])(
  'a receiver of too many messages that asks for %s is left alone, and asked again without an end',
  (_, afterMs, seconds) => {
    const verdict = limited(afterMs);
    expect(limitedSeconds(verdict)).toBe(seconds);
    const outcome = outcomeOf(verdict, { number: 1, keyId: 'key', alert: null });
    expect(outcome).toEqual({ end: null, belief: null, againInSeconds: seconds, isCounted: false });
  },
);
