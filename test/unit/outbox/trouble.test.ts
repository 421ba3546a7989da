import { expect, test } from '@jest/globals';
import { troubleOf } from '../../../workers/trouble/watch.js';

const NOW = new Date('2026-03-01T12:00:00Z');
const at = (minutesAgo: number) => new Date(NOW.getTime() - minutesAgo * 60_000);
const FINE = {
  stopped: null,
  failures: 0,
  failingSince: null,
  succeededAt: at(60),
  deadAt: null,
  dueAt: null,
};

test.each([
  ['it succeeds', FINE, null],
  ['it has never had a message', { ...FINE, succeededAt: null }, null],
  ['its receiver is gone', { ...FINE, stopped: 'gone' }, 'gone'],
  ['it was stopped', { ...FINE, stopped: 'failing', failures: 400, failingSince: at(5_000) }, 'stopped'],
  ['it fails for a quarter of an hour', { ...FINE, failures: 5, failingSince: at(15) }, 'failing'],
  ['it fails for less', { ...FINE, failures: 9, failingSince: at(14) }, null],
  ['it asks to wait for a quarter of an hour', { ...FINE, failingSince: at(15), dueAt: at(-1) }, 'failing'],
  ['it asked to wait, and nothing waits any more', { ...FINE, failingSince: at(600) }, null],
  ['a few attempts failed long ago', { ...FINE, failures: 4, failingSince: at(600) }, null],
  [
    'a message was just given up, and others are delivered',
    { ...FINE, deadAt: at(14), succeededAt: at(1) },
    'dead',
  ],
  ['nothing was delivered since one was given up', { ...FINE, deadAt: at(59) }, 'dead'],
  ['others were delivered since', { ...FINE, deadAt: at(61) }, null],
] as const)('trouble of a destination: %s', (_, lane, trouble) => {
  expect(troubleOf(lane, true, NOW)).toBe(trouble);
  expect(troubleOf(lane, false, NOW)).toBe('unreadable');
});
