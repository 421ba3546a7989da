import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BulkTable } from '../../../db/bulk/table.js';
import { fromUuidBinary } from '../../../db/bulk/uuid-binary.js';
import { isDatabaseUnavailable, isDuplicateKey } from '../../../db/client/errors.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

const TABLE = new BulkTable('bulk', { place: 'number', at: 'time', id: 'id', text: 'text', data: 'bytes' });

interface Row {
  at: number;
  id: string;
  text: string | null;
  data: Buffer | string;
}

let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
  await own.database.raw(
    'CREATE TABLE bulk (place BIGINT UNSIGNED PRIMARY KEY, at DATETIME(3), id BINARY(16), text LONGTEXT, data LONGBLOB)',
  );
});
beforeEach(() => own.database.raw('TRUNCATE TABLE bulk'));
afterAll(() => own.drop());

const encoded = (rows: readonly Row[], first = 0) => {
  const target = TABLE.rows();
  for (const [i, { at, id, text, data }] of rows.entries()) {
    target.number(first + i);
    target.time(at);
    target.id(id);
    target.text(text);
    target.bytes(data);
    target.endRow();
  }
  return target;
};

const write = (rows: readonly Row[]) =>
  own.database.transaction((transaction) => TABLE.insert(transaction, encoded(rows)));

async function stored(): Promise<Row[]> {
  const rows = await own.database('bulk').orderBy('place');
  return rows.map(({ at, id, text, data }) => ({ at: at.getTime(), id: fromUuidBinary(id), text, data }));
}

const plain = { at: 0, id: '00000000-0000-7000-8000-000000000000', text: '', data: '' };
const expected = (rows: readonly Row[]) => rows.map((row) => ({ ...row, data: Buffer.from(row.data as '') }));

test('whatever the rows hold, it is stored as it was given', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 400 });
  const row = fc.record({
    at: fc.date({ min: new Date('1971-01-01'), max: new Date('2999-12-31'), noInvalidDate: true }),
    id: fc.uuid(),
    text: fc.option(text),
    data: fc.oneof(fc.uint8Array({ maxLength: 400 }), text),
  });
  const property = fc.asyncProperty(fc.array(row, { maxLength: 500, size: 'max' }), async (made) => {
    const rows = made.map(({ at, id, text, data }) => {
      const bytes = typeof data === 'string' ? data : Buffer.from(data);
      return { at: at.getTime(), id, text, data: bytes };
    });
    await own.database.raw('TRUNCATE TABLE bulk');
    await write(rows);
    expect(await stored()).toEqual(expected(rows));
  });
  await fc.assert(property, { numRuns: 30 });
}, 60_000);

test('texts on either side of each length that is written in another way', async () => {
  const lengths = [0, 1, 39, 40, 83, 84, 250, 251, 252, 65_535, 65_536, 2 ** 24 - 1, 2 ** 24];
  const rows = lengths.flatMap((length) => [
    { ...plain, text: 'a'.repeat(length), data: Buffer.alloc(length, 0xff) },
    { ...plain, text: `${'a'.repeat(Math.max(0, length - 4))}\u{1F525}` },
  ]);
  await write(rows);
  const found = await stored();
  for (const [i, row] of expected(rows).entries()) {
    expect(found[i]?.text === row.text && row.data.equals(found[i]?.data as Buffer)).toBe(true);
  }
}, 60_000);

test('statements on either side of the length at which the driver splits them', async () => {
  for (let length = 2 ** 24 - 72; length < 2 ** 24 - 60; length++) {
    await write([{ ...plain, data: Buffer.alloc(length, 1) }]);
    const [[{ bytes }]] = await own.database.raw('SELECT LENGTH(data) AS bytes FROM bulk');
    expect(bytes).toBe(length);
    await own.database.raw('TRUNCATE TABLE bulk');
  }
}, 60_000);

test('any number of rows, NULL or not, is written in statements of a few sizes', async () => {
  const rows = Array.from({ length: 1_234 }, (_, i) => ({
    at: i * 1_000,
    id: randomUUID(),
    text: i % 3 === 0 ? null : `row ${i}`,
    data: String(i),
  }));
  await write(rows);
  expect(await stored()).toEqual(expected(rows));
  const [prepared] = await own.database.raw("SHOW SESSION STATUS LIKE 'Prepared_stmt_count'");
  expect(Number(prepared[0].Value)).toBeLessThan(50);
});

test.each([0, 255, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1])('the number %p is stored', async (number) => {
  await own.database.transaction((transaction) => TABLE.insert(transaction, encoded([plain], number)));
  expect(await own.database('bulk').pluck('place')).toEqual([number]);
});

test.each([-1, 2 ** 53, 0.5, Number.NaN])('the number %p is refused', (number) => {
  expect(() => TABLE.rows().number(number)).toThrow(/whole number|out of range/);
});

test.each(['0000-01-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'])(
  'the time %s is stored',
  async (time) => {
    await write([{ ...plain, at: Date.parse(time) }]);
    const [[{ at }]] = await own.database.raw('SELECT CAST(at AS CHAR) AS at FROM bulk');
    expect(at).toBe(time.replace('T', ' ').replace('Z', ''));
  },
);

test.each([Date.UTC(10_000, 0), Date.UTC(-1, 0), 1e300, Number.NaN])('the time %p is refused', (ms) => {
  expect(() => TABLE.rows().time(ms)).toThrow('no time of a row');
});

test('half of a pair of surrogates is stored as the sign for what cannot be read', async () => {
  const texts = ['\ud800', `${'a'.repeat(38)}\udfff`, '\udc00\ud800é'.repeat(50), `${'a'.repeat(250)}\ud83d`];
  const rows = texts.map((text) => ({ ...plain, text, data: text }));
  await write(rows);
  expect(await stored()).toEqual(expected(rows).map((row) => ({ ...row, text: row.data.toString() })));
});

test('a row with a cell too few, and an id that is none, are refused', () => {
  const target = TABLE.rows();
  target.number(1);
  expect(() => target.endRow()).toThrow('other cells');
  expect(() => target.id('no id')).toThrow('not a UUID');
});

test('what the database refuses is told, and the connection goes on', async () => {
  await own.database.transaction(async (transaction) => {
    await TABLE.insert(transaction, encoded([plain]));
    const error = await TABLE.insert(transaction, encoded([plain])).catch((reason: Error) => reason);
    expect(isDuplicateKey(error)).toBe(true);
    expect(JSON.stringify(error)).not.toContain('INSERT');
    await TABLE.insert(transaction, encoded([plain], 1));
  });
  expect(await stored()).toHaveLength(2);
});

test('a connection that is lost in a statement fails it as if the database were away', async () => {
  const holder = await own.database.transaction();
  await TABLE.insert(holder, encoded([plain]));
  const waiting = await own.database.transaction();
  const [[{ id }]] = await waiting.raw('SELECT CONNECTION_ID() AS id');
  const inserted = TABLE.insert(waiting, encoded([plain])).catch((reason: Error) => reason);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await own.database.raw('KILL CONNECTION ?', [id]);
  expect(isDatabaseUnavailable(await inserted)).toBe(true);
  await waiting.rollback().catch(() => {});
  await holder.rollback();
  expect(await stored()).toEqual([]);
});
