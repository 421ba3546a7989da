import { expect, test } from '@jest/globals';
import { expiryOfText, expiryTime } from '../../../../workers/mapping/series/expiry-text.js';

const AT = Date.UTC(2026, 2, 1, 8);

test.each([
  ['2026-03-01T08:05:00Z', AT + 300_000],
  ['2026-03-01T09:05:00.5+01:00', AT + 300_500],
  ['2026-03-01 08:05:00Z', AT + 300_000],
  [String(AT / 1_000 + 60), AT + 60_000],
  [String(AT + 60_000), AT + 60_000],
  ['300', AT + 300_000],
  ['5m', AT + 300_000],
  ['1h30m', AT + 5_400_000],
  ['1.5h', AT + 5_400_000],
  ['250ms', AT + 250],
  // Says nothing.
  ['', null],
  ['0', null],
  ['0s', null],
  ['0001-01-01T00:00:00Z', null],
  // Is over already.
  ['2026-03-01T07:59:59Z', null],
  // Longer than Muster knows when it listened.
  ['90d', AT + 30 * 86_400_000],
])('%j is an expiry', (text, expected) => {
  const expiry = expiryOfText(text);
  expect(expiry).not.toBeUndefined();
  expect(expiryTime(expiry ?? null, AT)).toBe(expected);
});

test.each(['soon', '5 minutes', '2026-03-01', '2026-13-01T00:00:00Z', '-5m', 'm5'])('%j is none', (text) => {
  expect(expiryOfText(text)).toBeUndefined();
});
