import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compareKeys } from '../../../../db/identities/key-order.js';
import { checkIdentity } from '../../../../workers/identities/record/identity-record.js';
import { createTestDatabase, type TestDatabase } from '../../../support/servers/database.js';
import {
  drained,
  identity,
  inKeyOrder,
  integrationId,
  type Row,
  readerOf,
  row,
  rowsIn,
} from '../../../unit/identities/sorted-rows.js';

let stored: TestDatabase;
beforeAll(async () => {
  stored = await createTestDatabase();
});
afterAll(() => stored.drop());

/** Numbered rows, so that a swap of equal ones is noticed. */
const numbered = (rows: Row[]): Row[] =>
  rows.map((one, at) => ({ ...one, email: one.email === null ? null : `${at}@example.com` }));

const sorted = (rows: Row[], pieceBytes = 4_096): Row[] => rowsIn(readerOf(drained(rows, pieceBytes)));

test('a run returns rows in the order of their keys, equal ones as they were added, for any piece size', () => {
  fc.assert(
    fc.property(
      fc.array(row, { maxLength: 300, size: 'max' }).map(numbered),
      fc.integer({ min: 2_100, max: 9_000 }),
      (rows, pieceBytes) => {
        expect(sorted(rows, pieceBytes)).toEqual(inKeyOrder(rows));
      },
    ),
    { numRuns: 300 },
  );
});

test.each([
  ['one that ends where others go on', ['user1', ...numbers(10, 39).map((n) => `user${49 - n}`)]],
  [
    'ends at each multiple of five',
    numbers(0, 40).map((n) => 'abcde'.repeat(n % 9) + 'x'.repeat(n % 2) || 'z'),
  ],
  ['the same one again and again', numbers(0, 99).map(() => 'abcdefghij')],
  ['long ones that differ in the last byte', numbers(0, 60).map((n) => '😀'.repeat(254) + 'zyx'[n % 3])],
  [
    'each the beginning of the next',
    numbers(1, 200)
      .map((n) => 'a'.repeat(n))
      .reverse(),
  ],
])('identities with common prefixes: %s', (_, identities) => {
  const rows = identities.map((one, at) => ({ integrationId: 7, identity: one, email: `${at}@example.com` }));
  expect(sorted(rows)).toEqual(inKeyOrder(rows));
  expect(sorted(rows.toReversed())).toEqual(inKeyOrder(rows.toReversed()));
});

test('a row is read as it was added, with the longest text that a record may have', () => {
  const email = `${'😀'.repeat(250)}@b.c`;
  const rows = [
    { integrationId: Number.MAX_SAFE_INTEGER, identity: '\u{10FFFF}'.repeat(255), email },
    { integrationId: 1, identity: 'x', email: null },
  ];
  expect(sorted(rows)).toEqual(inKeyOrder(rows));
});

test('readers and `compareKeys` order two keys in the same way', () => {
  const key = fc.record({ integrationId, identity });
  fc.assert(
    fc.property(key, key, (a, b) => {
      const [one, other] = [a, b].map((of) => readerOf(drained([{ ...of, email: null }], 4_096)));
      one?.next();
      other?.next();
      const wanted = Math.sign(
        a.integrationId - b.integrationId || Buffer.compare(Buffer.from(a.identity), Buffer.from(b.identity)),
      );
      expect(Math.sign(compareKeys(a, b))).toBe(wanted);
      expect(Math.sign(one?.compareKey(other as never) as number)).toBe(wanted);
    }),
    { numRuns: 2_000 },
  );
});

test('the database keeps keys in the same order', async () => {
  const unicode = fc.string({ unit: 'binary', minLength: 1, maxLength: 8 });
  const key = fc.record({ integrationId, identity: fc.oneof(identity, unicode, spaced) });
  const sample = fc.sample(key, { numRuns: 6_000, seed: 7 });
  const keys = [...new Map(sample.flatMap(normal).map((one) => [JSON.stringify(one), one])).values()];
  expect(keys.length).toBeGreaterThan(3_000);
  const rows = keys.map((one) => ({
    integration_id: one.integrationId,
    identity: one.identity,
    asserted_by: 1,
  }));
  await stored.database.batchInsert('identities', rows);
  const ordered = await stored.database('identities').orderBy(['integration_id', 'identity']);
  const found = ordered.map((one) => ({ integrationId: Number(one.integration_id), identity: one.identity }));
  expect(found).toEqual(
    inKeyOrder(keys.map((one) => ({ ...one, email: null }))).map(({ email: _, ...one }) => one),
  );
  expect(found).toEqual(keys.toSorted(compareKeys));
});

/** The collation pads with spaces, so a character that sorts before a space would break the order. No identity contains one. */
const spaced = fc
  .array(fc.constantFrom('a', ' ', '  ', '!', '"', '\u00A0', '0'), { minLength: 1, maxLength: 6 })
  .map((pieces) => pieces.join(''));

/** Only identities that the record rules accept are stored. */
function normal(one: { integrationId: number; identity: string }) {
  const checked = checkIdentity(one.identity);
  return typeof checked === 'string' ? [{ integrationId: one.integrationId, identity: checked }] : [];
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}
