import { gunzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { CHANGE_OUTCOMES, type IdentityChange } from '../../../db/identities/import-changes.js';
import { unescapeFormula } from '../../../workers/export/formulas.js';
import { escapeLines, readChanges } from '../../../workers/identities/changes/change-rows.js';
import { encodeChanges } from '../../../workers/identities/changes/encode-changes.js';
import { identity, integrationId } from './sorted-rows.js';

/** Valid names with the characters that quotes and escapes are about. */
const name = fc.oneof(
  identity,
  fc.string({
    unit: fc.constantFrom('"', ',', "'", '=', '+', '-', '@', '|', '＝', 'a', ' ', '日'),
    minLength: 1,
  }),
);
const owner = fc.option(fc.oneof(fc.constantFrom('ada@example.com', '"o"@x.org', '-a@x.org'), name));
const change: fc.Arbitrary<IdentityChange> = fc
  .record({
    integrationId,
    identity: name,
    before: owner,
    after: owner,
    outcome: fc.constantFrom(...CHANGE_OUTCOMES),
    place: fc.nat(),
    owner,
  })
  .map(({ owner, ...one }) => (one.outcome === 'conflict' ? { ...one, owner } : one));
/** The cells whose text comes from uploads. */
const FROM_UPLOADS = [1, 2, 3, 6];
const changes = fc.array(change, { maxLength: 40 });

test('changes are read back as they were, by this reader and by another one, also after escaping', async () => {
  await fc.assert(
    fc.asyncProperty(changes, async (given) => {
      const skipped = given.filter(({ outcome }) => outcome === 'skipped');
      const conflicts = given.filter(({ outcome }) => outcome === 'conflict');
      const others = given.filter(({ outcome }) => outcome !== 'skipped' && outcome !== 'conflict');
      const parts = await encodeChanges(given);
      for (const [kind, wanted] of [
        ['changes', others],
        ['skipped', skipped],
        ['conflicts', conflicts],
      ] as const) {
        const [part, ...more] = parts.filter((one) => one.kind === kind);
        expect([part === undefined, more]).toEqual([wanted.length === 0, []]);
        if (!part) continue;
        const text = gunzipSync(part.content).toString();
        expect(Buffer.byteLength(text)).toBe(part.textBytes);
        expect([...readChanges(text)]).toEqual(wanted);
        const cells = wanted.map((one) => [
          String(one.integrationId),
          one.identity,
          one.before ?? '',
          one.after ?? '',
          one.outcome,
          String(one.place),
          ...(one.owner === undefined ? [] : [one.owner ?? '']),
        ]);
        expect(parse(text)).toEqual(cells);
        const escaped = escapeLines(text);
        expect(Buffer.byteLength(escaped)).toBe(part.textBytes + part.escapes);
        const read = parse(escaped) as string[][];
        expect(
          read.map((row) =>
            row.map((cell, at) => (FROM_UPLOADS.includes(at) ? unescapeFormula(cell) : cell)),
          ),
        ).toEqual(cells);
        expect(
          read
            .flatMap((row) => row.filter((_, at) => FROM_UPLOADS.includes(at)))
            .filter((cell) => /^[=+\-@|＝＋－＠]/.test(cell)),
        ).toEqual([]);
      }
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['short', 'account'],
  ['long', 'a'.repeat(240)],
  ['long, in four bytes a character', '😀'.repeat(200)],
  ['quoted', '"account", '],
])('a long list of %s names is cut into parts of whole lines', async (_, name) => {
  const given = Array.from({ length: 5_000 }, (_, at) => ({
    integrationId: 1,
    identity: `${name}-${at}`,
    before: null,
    after: `owner${at}@example.com`,
    outcome: 'created' as const,
    place: at,
  }));
  const parts = await encodeChanges(given);
  expect(parts.length).toBeGreaterThan(1);
  expect(parts.flatMap(({ content }) => [...readChanges(gunzipSync(content).toString())])).toEqual(given);
});

test('the event loop gets a turn before each part is made', async () => {
  let turn = 0;
  let next = setImmediate(function count() {
    turn += 1;
    next = setImmediate(count);
  });
  const readIn = new Set<number>();
  const given = Array.from({ length: 5_000 }, (_, at) => ({
    integrationId: 1,
    get identity() {
      readIn.add(turn);
      return `account-${at}`;
    },
    before: null,
    after: `owner${at}@example.com`,
    outcome: 'created' as const,
    place: at,
  }));
  try {
    const parts = await encodeChanges(given);
    expect(readIn).not.toContain(0);
    expect(readIn.size).toBeGreaterThanOrEqual(parts.length);
  } finally {
    clearImmediate(next);
  }
});
