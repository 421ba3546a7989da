import { describe, expect, test } from '@jest/globals';
import { PRESETS } from '../../../workers/outbox/presets/index.js';
import type { Verdict } from '../../../workers/outbox/presets/preset.js';

type Name = keyof typeof PRESETS;
/** Those of HTTP. */
const NAMES = Object.values(PRESETS).flatMap((preset) => ('isMail' in preset ? [] : preset.name)) as Name[];

const judge = (name: Name, status: number, body = '', headers: Record<string, string> = {}): Verdict =>
  PRESETS[name].judge({ status, body, headers });
const later = (afterMs: number | null, isCounted: boolean): Verdict => ({
  outcome: 'later',
  afterMs,
  isCounted,
});

describe.each(NAMES)('%s', (name) => {
  test.each([200, 201, 202, 204, 299])('%d is delivered', (status) => {
    expect(judge(name, status)).toEqual({ outcome: 'delivered' });
  });
  test.each([100, 300, 301, 302, 307, 308, 400, 401, 403, 404, 405, 413, 415, 422])(
    '%d is rejected',
    (status) => {
      expect(judge(name, status)).toEqual({ outcome: 'rejected' });
    },
  );
  test.each([408, 425, 500, 501, 502, 503, 504, 529])('%d is tried again', (status) => {
    expect(judge(name, status)).toEqual(later(null, true));
    expect(judge(name, status, '', { 'retry-after': '30' })).toEqual(later(30_000, true));
  });
  test('429 is tried again, and not counted', () => {
    expect(judge(name, 429, '', { 'retry-after': '1' })).toEqual(later(1_000, false));
    expect(judge(name, 429)).toMatchObject({ outcome: 'later', isCounted: false });
  });
  test('410 is gone', () => {
    expect(judge(name, 410)).toEqual({ outcome: 'gone' });
  });
  test.each(['', '{', 'null', '[]', '{"retry_after":"soon","code":"10015"}', '\0'.repeat(4_096)])(
    'a body of %j changes nothing',
    (body) => {
      expect(judge(name, 404, body)).toEqual({ outcome: 'rejected' });
      expect(judge(name, 429, body)).toMatchObject({ outcome: 'later' });
      expect(judge(name, 200, body)).toEqual({ outcome: 'delivered' });
    },
  );
});

const waits = (header: string, date?: string) => {
  const verdict = judge('webhook', 503, '', { 'retry-after': header, ...(date ? { date } : {}) });
  return verdict.outcome === 'later' ? verdict.afterMs : 'not later';
};

test.each<[string, number | null]>([
  ['0', 0],
  ['2', 2_000],
  [' 2.5 ', 2_500],
  ['0.3333', 334],
  ['3600', 3_600_000],
  ['3601', 3_600_000],
  ['9'.repeat(400), 3_600_000],
  ['-1', null],
  ['1e3', null],
  ['soon', null],
  ['apples 5', null],
  ['', null],
  ['Sun Nov  6 08:49:37 1994', null],
])('Retry-After: %j is %j ms', (header, ms) => {
  expect(waits(header)).toBe(ms);
});

test('Retry-After is a date, of HTTP or of mail', () => {
  const now = 'Sat, 28 Nov 2026 10:00:00 GMT';
  expect(waits('Sat, 28 Nov 2026 10:00:30 GMT', now)).toBe(30_000);
  expect(waits('Saturday, 28-Nov-26 10:00:30 GMT', now)).toBe(30_000);
  expect(waits('Sat, 28 Nov 2026 11:00:30 +0100', now)).toBe(30_000);
  expect(waits('Sat, 28 Nov 2026 09:00:00 GMT', now)).toBe(0);
  expect(waits('Mon, 28 Dec 2026 10:00:00 GMT', now)).toBe(3_600_000);
  const inAMinute = new Date(Date.now() + 60_000).toUTCString();
  expect(waits(inAMinute)).toBeGreaterThan(55_000);
  expect(waits(inAMinute)).toBeLessThanOrEqual(60_000);
});

test('Slack: an archived channel is gone', () => {
  expect(judge('slack', 404, 'channel_is_archived')).toEqual({ outcome: 'gone' });
  expect(judge('slack', 410, 'channel_is_archived\n')).toEqual({ outcome: 'gone' });
  expect(judge('slack', 404, 'channel_not_found')).toEqual({ outcome: 'rejected' });
  expect(judge('slack', 500, 'rollup_error')).toEqual(later(null, true));
});

test('Discord: the body is more exact than the header, and says whether the webhook exists', () => {
  const limited = '{"message":"You are being rate limited.","retry_after":0.642,"global":false}';
  expect(judge('discord', 429, limited, { 'retry-after': '1' })).toEqual(later(642, false));
  expect(judge('discord', 429, '{"retry_after":86400}')).toEqual(later(3_600_000, false));
  expect(judge('discord', 429, '<html>', { 'retry-after': '7' })).toEqual(later(7_000, false));
  expect(judge('discord', 404, '{"message":"Unknown Webhook","code":10015}')).toEqual({ outcome: 'gone' });
  expect(judge('discord', 404, '{"message":"Unknown Channel","code":10003}')).toEqual({
    outcome: 'rejected',
  });
});

test('PagerDuty: 429 without Retry-After waits for minutes', () => {
  expect(judge('pagerduty', 429)).toEqual(later(120_000, false));
  expect(judge('pagerduty', 429, '', { 'retry-after': '5' })).toEqual(later(5_000, false));
});
