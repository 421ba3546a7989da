import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { seriesId } from '../../../db/series/series.js';

const WEBHOOK = '0199c0de-0000-7000-8000-000000000001';

test('the id of a series is the start of SHA-256 over the integration and the key', () => {
  const bytes = createHash('sha256').update(`${WEBHOOK}\ndisk:/var ü`).digest().subarray(0, 16);
  expect(seriesId(WEBHOOK, 'disk:/var ü').replaceAll('-', '')).toBe(bytes.toString('hex'));
});

test('keys that differ only in case or in a space at the end are different series', () => {
  const ids = ['a', 'A', 'a ', ' a'].map((key) => seriesId(WEBHOOK, key));
  expect(new Set(ids).size).toBe(4);
  expect(seriesId(WEBHOOK.toUpperCase(), 'a')).toBe(ids[0]);
});
