import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BulkTable } from '../../../db/bulk/table.js';
import { fromUuidBinary } from '../../../db/bulk/uuid-binary.js';
import { connectDatabase } from '../../../db/client/connect.js';
import { isDatabaseUnavailable, isDuplicateKey } from '../../../db/client/errors.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { until } from '../../support/until.js';

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

async function stored(): Promise<Row[]> {
  const rows = await own.database('bulk').orderBy('place');
  return rows.map(({ at, id, text, data }) => ({ at: at.getTime(), id: fromUuidBinary(id), text, data }));
}

const plain = { at: 0, id: '00000000-0000-7000-8000-000000000000', text: '', data: '' };
const expected = (rows: readonly Row[]) => rows.map((row) => ({ ...row, data: Buffer.from(row.data as '') }));

/** A table, rows for it, and what writes them in a transaction. */
function bulk() {
  const columns = { place: 'number', at: 'time', id: 'id', text: 'text', data: 'bytes' } as const;
  const table = new BulkTable('bulk', columns);
  const cells = (rows: readonly Row[], first = 0) => {
    const target = table.rows();
    for (const [i, { at, id, text, data }] of rows.entries()) {
      target.number(first + i);
      target.time(at);
      if (i % 3 === 0) target.id(id);
      else target.sharedId(id);
      target.text(text);
      target.bytes(data);
      target.endRow();
    }
    return target;
  };
  const write = (rows: readonly Row[]) =>
    own.database.transaction((transaction) => table.insert(transaction, cells(rows)));
  return { table, cells, write };
}

describe('rows written in bulk', () => {
  const { table, cells, write } = bulk();

  test('any cell but bytes may be NULL', async () => {
    const nulls = table.rows();
    for (const [place, isNull] of [true, false, true].entries()) {
      nulls.number(place);
      nulls.time(isNull ? null : plain.at);
      nulls.id(isNull ? null : plain.id);
      nulls.text(isNull ? null : plain.text);
      nulls.bytes(plain.data);
      nulls.endRow();
    }
    await own.database.transaction((transaction) => table.insert(transaction, nulls));
    const [found] = await own.database.raw(
      'SELECT at IS NULL AND id IS NULL AND text IS NULL AS isNull FROM bulk ORDER BY place',
    );
    expect(found.map((row: { isNull: number }) => row.isNull)).toEqual([1, 0, 1]);
  });

  test('rows are stored as they were given', async () => {
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

  test('texts around each length at which the encoding of a length changes', async () => {
    const lengths = [0, 1, 39, 40, 83, 84, 250, 251, 252, 65_535, 65_536, 2 ** 24 - 1, 2 ** 24];
    const rows = lengths.flatMap((length) => [
      { ...plain, text: 'a'.repeat(length), data: Buffer.alloc(length, 0xff) },
      { ...plain, text: `${'a'.repeat(Math.max(0, length - 4))}\u{1F525}` },
      { ...plain, text: '漢'.repeat(Math.min(length, 252)) },
    ]);
    await write(rows);
    const found = await stored();
    for (const [i, row] of expected(rows).entries()) {
      expect(found[i]?.text === row.text && row.data.equals(found[i]?.data as Buffer)).toBe(true);
    }
  }, 60_000);

  test('constants are the same in all rows, also in larger statements', async () => {
    const options = { constants: { text: "'of all'", data: '@of_all' }, maxRows: 1_000 };
    const larger = new BulkTable('bulk', { place: 'number', at: 'time', id: 'id' }, '', options);
    const made = larger.rows();
    for (let place = 0; place < 1_234; place++) {
      made.number(place);
      made.time(place * 1_000);
      made.id(plain.id);
      made.endRow();
    }
    await own.database.transaction(async (transaction) => {
      await transaction.raw("SET @of_all = 'also'");
      await larger.insert(transaction, made);
    });
    const ofAll = { id: plain.id, text: 'of all', data: Buffer.from('also') };
    const wanted = Array.from({ length: 1_234 }, (_, place) => ({ at: place * 1_000, ...ofAll }));
    expect(await stored()).toEqual(wanted);
  });

  test('any number of rows, with and without NULL, is written by statements of a few sizes', async () => {
    const rows = Array.from({ length: 1_234 }, (_, i) => ({
      at: i * 1_000,
      id: randomUUID(),
      text: i % 3 === 0 ? null : `row ${i}`,
      data: String(i),
    }));
    await write(rows);
    expect(await stored()).toEqual(expected(rows));
    // Counted in a session of its own, because other tests prepare statements too.
    const fresh = connectDatabase(own.url, { poolMax: 1 });
    const prepared = await fresh.transaction(async (transaction) => {
      for (let size = 1; size <= 200; size += 1)
        await table.insert(transaction, cells(rows.slice(0, size), 10_000 * size));
      const [[{ Value }]] = await transaction.raw("SHOW SESSION STATUS LIKE 'Com_stmt_prepare'");
      return Number(Value);
    });
    await fresh.destroy();
    expect(prepared).toBeGreaterThan(0);
    expect(prepared).toBeLessThan(50);
  });

  test.each([0, 255, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1])('the number %p is stored', async (number) => {
    await own.database.transaction((transaction) => table.insert(transaction, cells([plain], number)));
    expect(await own.database('bulk').pluck('place')).toEqual([number]);
  });

  test.each([-1, 2 ** 53, 0.5, Number.NaN])('the number %p is rejected', (number) => {
    expect(() => table.rows().number(number)).toThrow('must be an integer');
  });

  test.each(['0000-01-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'])(
    'the time %s is stored',
    async (time) => {
      await write([{ ...plain, at: Date.parse(time) }]);
      const [[{ at }]] = await own.database.raw('SELECT CAST(at AS CHAR) AS at FROM bulk');
      expect(at).toBe(time.replace('T', ' ').replace('Z', ''));
    },
  );

  test.each([Date.UTC(10_000, 0), Date.UTC(-1, 0), 1e300, Number.NaN])('the time %p is rejected', (ms) => {
    expect(() => table.rows().time(ms)).toThrow('must be a time from year 0 to 9999');
  });

  test('half of a surrogate pair is stored as the replacement character', async () => {
    const texts = [
      '\ud800',
      `${'a'.repeat(38)}\udfff`,
      '\udc00\ud800é'.repeat(50),
      `${'a'.repeat(250)}\ud83d`,
    ];
    const rows = texts.map((text) => ({ ...plain, text, data: text }));
    await write(rows);
    expect(await stored()).toEqual(expected(rows).map((row) => ({ ...row, text: row.data.toString() })));
  });

  test('a row with too few cells and an invalid id are rejected', () => {
    const target = table.rows();
    target.number(1);
    expect(() => target.endRow()).toThrow('too few or too many cells');
    expect(() => target.id('no id')).toThrow('not a UUID');
    expect(() => target.sharedId('no id')).toThrow('not a UUID');
  });

  test('an error of the database reaches the caller, and the connection remains usable', async () => {
    await own.database.transaction(async (transaction) => {
      await table.insert(transaction, cells([plain]));
      const error = await table.insert(transaction, cells([plain])).catch((reason: Error) => reason);
      expect(isDuplicateKey(error)).toBe(true);
      expect(JSON.stringify(error)).not.toContain('INSERT');
      await table.insert(transaction, cells([plain], 1));
    });
    expect(await stored()).toHaveLength(2);
  });

  test('a connection lost during a statement fails it as if the database were unavailable', async () => {
    const holder = await own.database.transaction();
    await table.insert(holder, cells([plain]));
    const waiting = await own.database.transaction();
    const [[{ id }]] = await waiting.raw('SELECT CONNECTION_ID() AS id');
    const inserted = table.insert(waiting, cells([plain])).catch((reason: Error) => reason);
    // MySQL cannot show a statement with bytes in information_schema.
    const isWaiting = async () => {
      const [sessions] = await own.database.raw('SHOW PROCESSLIST');
      return sessions.some(
        (one: { Id: number; Command: string }) => one.Id === id && one.Command !== 'Sleep',
      );
    };
    await until('the statement waits for the row', isWaiting);
    await own.database.raw('KILL CONNECTION ?', [id]);
    expect(isDatabaseUnavailable(await inserted)).toBe(true);
    await waiting.rollback().catch(() => {});
    await holder.rollback();
    expect(await stored()).toEqual([]);
  });
});

/** The driver's own encoder splits packets of about this length wrongly, and loses the connection. */
test('statements around the length at which packets are split', async () => {
  const { write } = bulk();
  for (let length = 2 ** 24 - 72; length < 2 ** 24 - 60; length++) {
    await write([{ ...plain, data: Buffer.alloc(length, 1) }]);
    const [[{ bytes }]] = await own.database.raw('SELECT LENGTH(data) AS bytes FROM bulk');
    expect(bytes).toBe(length);
    await own.database.raw('TRUNCATE TABLE bulk');
  }
}, 60_000);
