import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { readCsv } from '../../../workers/identities/parse/read-csv.js';
import { slowness } from '../../support/cpu-time.js';
import { fileErrorOf, HEADER, read } from './reading.js';

const GOOD = `${HEADER}a@b.c,1,x\n`;

describe('not a CSV file', () => {
  test.each([
    ['an Excel workbook', 'PK\x03\x04\x14\0\x06\0', /Excel workbook/],
    ['an old Excel workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /old Excel workbook/],
    ['a PDF document', '%PDF-1.7\n', /PDF/],
    ['an HTML page', '<!DOCTYPE html><title>Sign in</title>', /HTML/],
    ['JSON', '[{"email":"a@b.c"}]', /JSON/],
    ['JSON over several lines', '[\n  {"email":"a@b.c"}]', /JSON/],
    ['JSON with a byte order mark', '\ufeff{"email":"a@b.c"}', /JSON/],
    ['XML with a byte order mark', '\ufeff<?xml version="1.0"?>', /XML/],
    ['XML in UTF-16', Buffer.from('\ufeff<?xml version="1.0"?>', 'utf16le'), /XML/],
    ['UTF-32 without its mark', Buffer.from([...GOOD].flatMap((c) => [c.charCodeAt(0), 0, 0, 0])), /UTF-32/],
    [
      'UTF-32BE without its mark',
      Buffer.from([...GOOD].flatMap((c) => [0, 0, 0, c.charCodeAt(0)])),
      /UTF-32/,
    ],
    ['gzip inside gzip', gzipSync(gzipSync(GOOD)), /gzip file inside a gzip file/],
    ['UTF-16 without its mark', Buffer.from(GOOD, 'utf16le'), /UTF-16 without a byte order mark/],
    ['UTF-16BE without its mark', Buffer.from(GOOD, 'utf16le').swap16(), /UTF-16 without a byte order mark/],
    ['UTF-32', Buffer.concat([Buffer.from('fffe0000', 'hex'), Buffer.from('e\0\0\0')]), /UTF-32/],
  ])('%s', async (_, file, words) => {
    const error = await fileErrorOf(file);
    expect(error.code).toBe('not_csv');
    expect(error.message).toMatch(words);
  });

  test.each([
    ['in the first lines', `${HEADER}a@b.c,1,x\nd@e.f,\0,y\n`, 3],
    ['in the header', `email,integrationId,\0identity\n`, 1],
    ['far into the file', `${HEADER}${'a@b.c,1,x\n'.repeat(20_000)}d@e.f,2,\0\n`, 20_002],
    ['in quotes', `${HEADER}${'a@b.c,1,x\n'.repeat(20_000)}d@e.f,2,"\r\ny\n\0"`, 20_004],
  ])('a NUL byte, reported with its line: %s', async (_, file, line) => {
    expect(await fileErrorOf(file)).toMatchObject({ code: 'nul_byte', errors: [{ line, code: 'nul_byte' }] });
  });
});

describe('columns', () => {
  test('one missing: reported with the columns found', async () => {
    expect(await fileErrorOf('\nemail,identity,Integration No\na@b.c,x,1\n')).toMatchObject({
      code: 'column_missing',
      message: expect.stringMatching(
        /^line 2: no column for integrationId\. The line contains "email", "identity", "Integration No" \(integrationId\?\)\. /,
      ),
      errors: [
        { line: 2, field: 'integrationId', code: 'column_missing', message: 'no column for integrationId' },
      ],
    });
  });

  test('two for one field', async () => {
    const error = await fileErrorOf('email,integrationId,cloud id,Account_ID\n');
    expect(error.code).toBe('column_repeated');
    expect(error.message).toContain('more than one column for identity: "cloud id" and "Account_ID"');
    expect((await fileErrorOf('email,emailEscaped,integrationId,identity\n')).code).toBe('column_repeated');
  });

  test.each([
    ['comma', 'jane@example.com,17,jdoe\n', '"jane@example.com", "17", "jdoe"'],
    ['semicolon', 'jane@example.com;17;jdoe\n', '"jane@example.com", "17", "jdoe"'],
  ])('no header at all (%s): reported with the columns expected and found', async (_, file, found) => {
    const error = await fileErrorOf(file);
    expect(error.code).toBe('header_missing');
    expect(error.message).toContain(
      `line 1 must name the columns email, integrationId and identity, but contains ${found}. Rename`,
    );
    expect(error.errors.map(({ field }) => field)).toEqual(['email', 'integrationId', 'identity']);
  });

  test('all unknown', async () => {
    expect((await fileErrorOf('foo,bar\n1,2\n')).code).toBe('header_missing');
  });

  test('a sep line that does not match the header', async () => {
    expect((await fileErrorOf('sep=;\nemail,integrationId,identity\na@b.c,1,x\n')).code).toBe(
      'header_missing',
    );
  });

  test('misplaced quotes in the header', async () => {
    expect((await fileErrorOf('email,integrationId,"identity"x\n')).code).toBe('stray_quote');
    expect(await fileErrorOf('\nemail,"integrationId,identity\na@b.c,1,x\n')).toMatchObject({
      code: 'unclosed_quote',
      errors: [{ line: 2 }],
    });
    expect((await fileErrorOf('e"mail,"integrationId,identity\n')).code).toBe('stray_quote');
  });

  test('a header beyond 64 KiB', async () => {
    expect((await fileErrorOf(`${'x'.repeat(70_000)},${GOOD}`)).code).toBe('header_too_long');
    expect((await fileErrorOf(`${'\n'.repeat(70_000)}${GOOD}`)).code).toBe('header_too_long');
  });
});

test.each([
  ['nothing', ''],
  ['a byte order mark', '\ufeff'],
  ['blank lines', '\n \r\n\t\n'],
  ['a sep line', 'sep=;\n'],
  ['a header', HEADER],
  ['a header and blank lines', `${HEADER}\n\n  \r\n`],
  ['nothing, compressed', gzipSync('')],
])('no rows: %s', async (_, file) => expect((await fileErrorOf(file)).code).toBe('empty_file'));

describe('limits', () => {
  test('rows, valid and rejected together', async () => {
    const file = `${HEADER}a@b.c,1,x\n\nbad\na@b.c,1,x\n`;
    const limits = { maxBytes: 1_000, maxRows: 3 };
    expect((await read(file, { limits })).records.length).toBe(2);
    expect(await fileErrorOf(file, { limits: { ...limits, maxRows: 2 } })).toMatchObject({
      code: 'too_many_rows',
      errors: [{ line: 5 }],
    });
  });

  test('blank lines and empty rows: the same limit as for rows', async () => {
    const limits = { maxBytes: 1_000, maxRows: 4 };
    const good = 'a@b.c,1,x\n';
    expect((await read(`${HEADER}${good}\n  \r\n,,\n\n${good}`, { limits })).records.length).toBe(2);
    expect(await fileErrorOf(`${HEADER}${good}\n  \r\n,,\n\n${good}\n`, { limits })).toMatchObject({
      code: 'too_many_blank_lines',
      message: 'line 8: the file has more than 4 blank lines',
      errors: [{ line: 8 }],
    });
  });

  test('bytes, decompressed', async () => {
    const limits = { maxBytes: GOOD.length, maxRows: 10 };
    expect((await read(GOOD, { limits })).records.length).toBe(1);
    expect((await read(gzipSync(GOOD), { limits })).records.length).toBe(1);
    expect((await fileErrorOf(`${GOOD}\n`, { limits })).code).toBe('file_too_large');
    expect((await fileErrorOf(gzipSync(`${GOOD}\n`), { limits })).code).toBe('file_too_large');
  });

  test('bytes, and errors before the limit are reported first', async () => {
    const rows = HEADER + 'a@b.c,1,x\n'.repeat(10_000);
    const limits = { maxBytes: rows.length + 10, maxRows: 1e9 };
    for (const cuts of [[], [rows.length, 1]]) {
      expect((await fileErrorOf(`${rows}a@b\0c,1,x\n\n`, { limits, cuts })).code).toBe('nul_byte');
      expect((await fileErrorOf(`${rows}a@b.c,1,x\n\0`, { limits, cuts })).code).toBe('file_too_large');
    }
  });

  test('a row of 1 MiB, its line break included', async () => {
    const rowOf = (bytes: number) => `${'x'.repeat(bytes - ',1,x\n'.length)},1,x\n`;
    for (const cuts of [[], [1_000]]) {
      expect((await read(`${HEADER}${rowOf(2 ** 20)}a@b.c,1,x\n`, { cuts })).lines).toEqual([3]);
      const longer = `${HEADER}${rowOf(2 ** 20 + 1)}a@b.c,1,x\n`;
      expect((await fileErrorOf(longer, { cuts })).code).toBe('record_too_long');
    }
  });

  test('an endless row is not read to its end', async () => {
    async function* endless() {
      yield Buffer.from(HEADER);
      for (let i = 0; i < 100; i++) yield Buffer.alloc(65_536, ',');
      throw new Error('read too far');
    }
    const reading = readCsv(endless(), { limits: { maxBytes: 2 ** 40, maxRows: 1 } });
    await expect(reading[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'record_too_long' });
  });

  test('a gzip bomb ends at the limit', async () => {
    const bomb = gzipSync(Buffer.concat([Buffer.from(HEADER), Buffer.alloc(200_000_000, 'a@b.c,1,x\n')]));
    const limits = { maxBytes: 1_000_000, maxRows: 1e9 };
    const before = process.cpuUsage();
    expect((await fileErrorOf(bomb, { limits })).code).toBe('file_too_large');
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000 * slowness());
  });
});

describe('gzip', () => {
  test('is detected by its content', async () => {
    expect((await read(gzipSync(GOOD))).records.length).toBe(1);
    expect((await read(gzipSync(GOOD), { cuts: [1] })).records.length).toBe(1);
  });

  test('may have several members', async () => {
    const members = Buffer.concat([gzipSync(HEADER), gzipSync('a@b.c,1,x\n'), gzipSync('a@b.c,1,x\n')]);
    expect((await read(members)).lines).toEqual([2, 3]);
    expect((await read(members, { cuts: [1] })).lines).toEqual([2, 3]);
  });

  test.each([
    ['cut off', gzipSync(GOOD).subarray(0, -9), 'gzip_truncated'],
    ['without its checksum', gzipSync(GOOD).subarray(0, -8), 'gzip_truncated'],
    ['with text after it', Buffer.concat([gzipSync(GOOD), Buffer.from('a@b.c,1,x\n')]), 'gzip_corrupt'],
    ['with NUL bytes after it', Buffer.concat([gzipSync(GOOD), Buffer.alloc(512)]), 'gzip_corrupt'],
    ['damaged', gzipSync(GOOD).fill(0x55, 12, 20), 'gzip_corrupt'],
    ['only its first bytes', Buffer.from([0x1f, 0x8b]), 'gzip_truncated'],
  ])('%s', async (_, file, code) => {
    expect((await fileErrorOf(file)).code).toBe(code);
    expect((await fileErrorOf(file, { cuts: [1] })).code).toBe(code);
  });
});
