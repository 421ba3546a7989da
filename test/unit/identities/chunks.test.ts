import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Assertion } from '../../../db/identities/import-outcome.js';
import { type Chunk, ChunkCutter } from '../../../workers/identities/chunks.js';
import type { Contradiction } from '../../../workers/identities/repeated-keys.js';
import { ROW_LAYOUT } from '../../../workers/identities/spool/row-layout.js';
import type { RunReader } from '../../../workers/identities/spool/run-reader.js';
import { Spool } from '../../../workers/identities/spool/spool.js';
import { emptyResult } from '../../../workers/identities/spool/spool-manifest.js';
import { runWriter } from '../../support/run-writer.js';
import { scratchParent } from '../../support/scratch.js';
import { drained, inKeyOrder, type Row, readerOf, row } from './sorted-rows.js';

/** All chunks of an upload, and how many of its rows repeat a key. */
function cut(readers: RunReader[], chunkRows: number): { chunks: Chunk[]; repeated: number } {
  const cutter = new ChunkCutter(readers, chunkRows);
  const chunks: Chunk[] = [];
  for (let chunk = cutter.next(); chunk; chunk = cutter.next())
    if (chunk !== 'unfinished') chunks.push(chunk);
  expect(cutter.next()).toBeNull();
  return { chunks, repeated: cutter.repeatedRows };
}

/** Returns sorted runs of the given sizes in turn; the last size applies to the remaining rows. */
function inRuns(rows: readonly Row[], sizes: readonly number[]): RunReader[] {
  const readers: RunReader[] = [];
  for (let at = 0, run = 0; at < rows.length; run++) {
    const size = sizes[Math.min(run, sizes.length - 1)] as number;
    readers.push(readerOf(drained(rows.slice(at, at + size), 2_100)));
    at += size;
  }
  return readers;
}

/** Returns the outcome of each key, computed row by row. */
function assertionsOf(rows: readonly Row[]): Assertion[] {
  const found = new Map<string, Assertion>();
  for (const { integrationId, identity, email, place = 0 } of rows) {
    const key = JSON.stringify([integrationId, identity]);
    const before = found.get(key);
    if (!before)
      found.set(key, { integrationId, identity, first: email, email, repeats: 0, changes: 0, place });
    else {
      before.repeats += 1;
      if (before.email !== email) before.changes += 1;
      before.email = email;
      before.place = place;
    }
  }
  return inKeyOrder([...found.values()]);
}

const toText = (one: Assertion): string => Object.values(one).join();

const rowsOfAKey = (rows: readonly Row[], chunk: Chunk): number => {
  const keys = new Set(chunk.assertions.map((one) => JSON.stringify([one.integrationId, one.identity])));
  return rows.filter((one) => keys.has(JSON.stringify([one.integrationId, one.identity]))).length;
};

const uploads = fc.oneof(
  fc.array(row, { maxLength: 120, size: 'max' }),
  // Few keys, so that most rows repeat one.
  fc.array(
    fc.record({
      integrationId: fc.constantFrom(1, 2),
      identity: fc.constantFrom('a', 'b', 'ab', 'abcde', 'abcdef', '\uE000', '😀'),
      email: fc.constantFrom('x@b.c', 'y@b.c', 'z@b.c'),
    }),
    { maxLength: 120, size: 'max' },
  ),
);

test('rows of a key are folded in the order of the upload, each key is in one chunk, and all rows are counted', () => {
  fc.assert(
    fc.property(
      uploads,
      fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 30 }),
      (rows, sizes, chunkRows) => {
        const placed = rows.map((one, at) => ({ ...one, place: at }));
        const { chunks, repeated } = cut(inRuns(placed, sizes), chunkRows);
        const wanted = assertionsOf(placed);
        expect(chunks.flatMap(({ assertions }) => assertions)).toEqual(wanted);
        expect(chunks.map(({ number }) => number)).toEqual(chunks.map((_, at) => at));
        for (const chunk of chunks.slice(0, -1)) expect(chunk.assertions).toHaveLength(chunkRows);
        for (const chunk of chunks) expect(chunk.rows).toBe(rowsOfAKey(rows, chunk));
        expect(repeated).toBe(rows.length - wanted.length);
      },
    ),
    { numRuns: 200 },
  );
});

/** Returns the keys whose rows have different owners, computed row by row, in the order of their first rows. */
function contradictionsIn(rows: readonly Row[]): Contradiction[] {
  const byKey = new Map<string, Row[]>();
  for (const one of rows) {
    const key = JSON.stringify([one.integrationId, one.identity]);
    byKey.set(key, [...(byKey.get(key) ?? []), one]);
  }
  return [...byKey.values()].flatMap((ofKey) => {
    const changes = ofKey.filter(({ email }, at) => at === 0 || ofKey[at - 1]?.email !== email);
    const { integrationId, identity } = ofKey[0] as Row;
    const owners = changes.slice(0, 3).map(({ email, place = 0 }) => ({ email, place }));
    return changes.length < 2
      ? []
      : [{ integrationId, identity, owners, moreOwners: changes.length - owners.length }];
  });
}

test('the first keys whose rows have different owners are kept with their positions, and all such keys are counted', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(uploads, sizes, fc.integer({ min: 1, max: 30 }), (upload, runSizes, chunkRows) => {
      const rows = upload.map((one, at) => ({ ...one, place: at + 2 ** 32 - 120 }));
      const cutter = new ChunkCutter(inRuns(rows, runSizes), chunkRows);
      while (cutter.next());
      const wanted = contradictionsIn(rows);
      expect(cutter.contradictions.first).toEqual(wanted.slice(0, 5));
      expect(cutter.contradictions.count).toBe(wanted.length);
    }),
    { numRuns: 200 },
  );
});

test('chunks and their checksums do not depend on the runs', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(uploads, sizes, sizes, fc.integer({ min: 1, max: 30 }), (given, some, others, chunkRows) => {
      const rows = given.map((one, at) => ({ ...one, place: at + 1 }));
      expect(cut(inRuns(rows, some), chunkRows)).toEqual(cut(inRuns(rows, others), chunkRows));
    }),
    { numRuns: 100 },
  );
});

test('a checksum changes with a different row, owner, order of owners or removal', () => {
  const base: Row[] = [
    { integrationId: 1, identity: 'a', email: 'x@b.c' },
    { integrationId: 1, identity: 'a', email: 'y@b.c' },
    { integrationId: 1, identity: 'b', email: 'x@b.c' },
  ];
  const [x, y, b] = base as [Row, Row, Row];
  const variants = [
    base,
    [y, x, b],
    [x, y],
    [x, y, b, b],
    [x, y, { ...b, email: null }],
    [x, y, { ...b, email: 'z@b.c' }],
    [x, y, { ...b, integrationId: 2 }],
    [x, y, { ...b, integrationId: 2 ** 32 + 1 }],
    [x, y, { ...b, identity: 'bx', email: '@b.c' }],
  ];
  const sums = variants.map((rows) => cut(inRuns(rows, [9]), 9).chunks[0]?.checksum.toString('hex'));
  expect(new Set(sums).size).toBe(variants.length);
});

test('an upload of several full runs is written to temporary files and read back complete', async () => {
  const count = 14_000;
  const rows: Row[] = Array.from({ length: count }, (_, at) => ({
    integrationId: 1 + ((at * 7) % 3),
    identity: `user${(at * 7_919) % (count / 2)}`,
    email: at % 5 === 0 ? null : `${at % 2}@example.com`,
  }));
  const folder = mkdtempSync(join(scratchParent(), 'muster-spool-'));
  const spool = await Spool.open({ folder, origin: '', runRows: 6_000, runWriter });
  try {
    for (const { integrationId, identity, email } of rows) {
      if (spool.full) await spool.makeRoom();
      spool.add(integrationId, identity, email, 0);
    }
    await spool.finish();
    const { chunks, repeated } = cut(spool.readers(), 5_000);
    const wanted = assertionsOf(rows);
    const found = chunks.flatMap(({ assertions }) => assertions);
    expect(found.length).toBe(wanted.length);
    // Compared as text, because Jest is slow to compare many objects.
    expect(found.map(toText).join('\n') === wanted.map(toText).join('\n')).toBe(true);
    expect(repeated).toBe(count - wanted.length);
  } finally {
    await spool.close();
    rmSync(folder, { recursive: true });
  }
});

test('a spool whose rows have another layout is not adopted', async () => {
  const folder = mkdtempSync(join(scratchParent(), 'muster-spool-'));
  const result = { ...emptyResult(), rows: 1 };
  const spool = await Spool.open({ folder, origin: 'same', runRows: 10, runWriter });
  spool.add(1, 'a', 'x@b.c', 2);
  await spool.keep({ result, next: null, rejectedKey: null });
  await spool.finish();
  await spool.close();
  const reopened = async () => {
    const again = await Spool.open({ folder, origin: 'same', runRows: 10, runWriter });
    await again.close();
    return again.validation?.result;
  };
  try {
    expect(await reopened()).toEqual(result);
    const manifest = join(folder, 'manifest.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(`layout ${ROW_LAYOUT}`, 'layout 0'));
    expect(await reopened()).toBeUndefined();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a manifest keeps its stored keys, so that another release can resume the import', async () => {
  const folder = mkdtempSync(join(scratchParent(), 'muster-spool-'));
  const error = { line: 3, field: 'email', code: 'email_invalid', message: 'must be an email address' };
  const result = {
    rows: 2,
    rejectedRows: 1,
    foreignRows: 0,
    namedAccountSystems: [7],
    errors: [error],
    errorCount: 1,
    warnings: [],
  };
  try {
    const spool = await Spool.open({ folder, origin: 'same', runRows: 10, runWriter });
    spool.add(1, 'a', 'x@b.c', 2);
    await spool.keep({ result, next: null, rejectedKey: 'results/x' });
    await spool.finish();
    await spool.close();
    expect(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))).toMatchObject({
      surveyed: {
        found: {
          rows: 2,
          refusedRows: 1,
          namedIntegrations: [7],
          faults: [error],
          faultCount: 1,
          warnings: [],
        },
        next: null,
        rejectedKey: 'results/x',
      },
    });
    const reopened = await Spool.open({ folder, origin: 'same', runRows: 10, runWriter });
    await reopened.close();
    expect(reopened.validation).toEqual({ result, next: null, rejectedKey: 'results/x' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a key that is repeated very often is collected in pieces, so other work is not blocked', () => {
  const same = { integrationId: 1, identity: 'a', email: 'x@b.c' };
  const rows: Row[] = Array.from({ length: 130_000 }, (_, at) => ({ ...same, email: `${at % 3}@b.c` }));
  const runs = [rows.slice(0, 65_000), rows.slice(65_000)];
  const cutter = new ChunkCutter(
    runs.map((run) => readerOf(drained(run, 128 * 1024))),
    5_000,
  );
  const responses = [cutter.next(), cutter.next()];
  expect(responses).toEqual(['unfinished', 'unfinished']);
  const chunk = { number: 0, rows: rows.length, checksum: expect.any(Buffer) };
  expect(cutter.next()).toEqual({ ...chunk, assertions: assertionsOf(rows) });
  expect(cutter.next()).toBeNull();
});
