import { describe, expect, test } from '@jest/globals';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { firstBadByte, hasBadByte, originalBytes } from '../../../workers/identities/decode/byte-text.js';
import { openDecoder } from '../../../workers/identities/decode/decode.js';
import { RecordSplitter } from '../../../workers/identities/parse/split-records.js';
import { FileError } from '../../../workers/identities/record/errors.js';
import {
  checkEmail,
  checkIdentity,
  type IdentityRecord,
} from '../../../workers/identities/record/identity-record.js';
import { parseIntegrationId } from '../../../workers/identities/record/integration-id.js';
import { isLostValue } from '../../../workers/identities/record/lost-value.js';
import { withoutPadding } from '../../../workers/identities/record/padding.js';
import { cases } from '../../support/effort.js';
import { type OracleOutcome, type OracleRow, oracle } from './oracle.js';
import { HEADER, outcomeOf, read } from './reading.js';

/** Lengths of chunks: small ones first, so that a short file is cut too. */
const cuts = fc.oneof(
  fc.constant<number[]>([1]),
  fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }),
);

/** Malformed CSV. */
const wildText = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('"', ',', '\n', '\r', '\r\n', '""') },
      { weight: 1, arbitrary: fc.constantFrom('a@b.c', '1', 'x', ' ', 'é', ';', '=', '\t') },
      {
        weight: 1,
        arbitrary: fc.constantFrom('a@b.c,1,x\n', '"a@b.c","2","y"\r\n', '"x\ny",', ',"",', '\n\n'),
      },
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''));

describe('compared with a slow and simple reader', () => {
  test('records, their lines and the error that ends them are the same, however cut', () => {
    fc.assert(
      fc.property(wildText, cuts, fc.constantFrom(',', ';', '\t'), (text, sizes, delimiter) => {
        expect(split(text, delimiter, sizes)).toEqual(oracle(text, delimiter, 1));
      }),
      { numRuns: cases(400) },
    );
  });

  test('a whole file stores exactly the valid rows', async () => {
    await fc.assert(
      fc.asyncProperty(wildText, cuts, async (text, sizes) => {
        const outcome = await outcomeOf(HEADER + text, { cuts: sizes });
        expect('fileError' in outcome ? { error: outcome.fileError.code } : stored(outcome)).toEqual(
          expected(text),
        );
      }),
      { numRuns: cases(200) },
    );
  });
});

const utf16 = fc.string({ unit: fc.constantFrom('a', '\n', '日', '😀', '\ud83d', '\ude00') });

const bytes = fc.oneof(
  utf16.map((text) => Buffer.from(text, 'utf16le')),
  utf16.map((text) => Buffer.from(text, 'utf16le').swap16()),
  fc.uint8Array({ maxLength: 300 }),
  fc.array(fc.constantFrom(0x22, 0x2c, 0x0a, 0x0d, 0x61, 0xe9, 0xc3, 0xff, 0x80, 0x40, 0x31), {
    maxLength: 200,
  }),
);

describe('the cuts between chunks make no difference, even for malformed input', () => {
  const charset = fc.constantFrom(
    undefined,
    'utf-16le',
    'utf-16be',
    'windows-1252',
    'shift_jis',
    'gb18030',
    'euc-jp',
  );

  test('to a decoder', () => {
    fc.assert(
      fc.property(bytes, cuts, charset, (body, sizes, declared) => {
        const file = Buffer.from(body);
        expect(decode(file, declared, sizes)).toEqual(decode(file, declared, [file.length + 1]));
      }),
      { numRuns: cases(250) },
    );
  });

  test('to a file longer than the part that is examined first', async () => {
    const start = HEADER + `a@b.c,1,${'x'.repeat(239)}\n`.repeat(280);
    const end = fc.oneof(fc.constant(''), fc.constantFrom('"', '\0', '"\0', '\n"x\n"y'));
    const limits = fc.record({
      maxRows: fc.constantFrom(281, 2 ** 40),
      maxBytes: fc.constantFrom(start.length + 30, 2 ** 40),
    });
    await fc.assert(
      fc.asyncProperty(bytes, end, cuts, charset, limits, async (body, last, sizes, declared, bounds) => {
        const front = encode(start, declared ?? 'utf-8', false);
        const file = Buffer.concat([front, Buffer.from(body), Buffer.from(last)]);
        const options = { charset: declared, limits: bounds };
        const inPieces = await outcomeOf(file, { ...options, cuts: [front.length - 10, ...sizes] });
        expect(inPieces).toEqual(await outcomeOf(file, options));
      }),
      { numRuns: 100 },
    );
  });
});

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 20 }),
  fc.string({
    unit: fc.constantFrom('"', ',', ';', '\t', '|', "'", '=', ' ', 'a', 'é', '日', '😀'),
    minLength: 1,
  }),
);

const record: fc.Arbitrary<IdentityRecord> = fc
  .record({
    email: fc.tuple(anyText, anyText).map((parts) => checkEmail(parts.join('@'))),
    integrationId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    identity: anyText.map(checkIdentity),
  })
  .filter(
    (found): found is IdentityRecord =>
      typeof found.email === 'string' && typeof found.identity === 'string' && isBare(found.identity),
  );

/** What a spreadsheet marks or has lost is not read back as it is. */
const isBare = (text: string) => withoutPadding(text) === text && !isLostValue(text);

test('the output of csv-stringify is read back unchanged, with its lines', async () => {
  const dialect = fc.record({
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    record_delimiter: fc.constantFrom('\n', '\r\n', '\r'),
    quoted: fc.boolean(),
    // Without it a line break other than the file's own stays unquoted.
    quoted_match: fc.constant(/[\r\n]/),
  });
  const encoding = fc.constantFrom('utf-8', 'utf-16le', 'utf-16be', 'gb18030');
  const note = fc.string({ unit: fc.constantFrom('x', '"', '\n', '\r', ',', 'é'), maxLength: 8 });
  const rows = fc.array(fc.tuple(record, note), { minLength: 1, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(rows, dialect, encoding, cuts, async (noted, options, charset, sizes) => {
      const file = noted.map(([{ email, integrationId, identity }, note]) => [
        note,
        identity,
        email,
        integrationId,
      ]);
      const texts = [['note', 'identity', 'email', 'integrationId'], ...file].map((row) =>
        stringify([row], options),
      );
      const marked = charset !== 'gb18030';
      const options2 = { cuts: sizes, charset: marked ? undefined : charset };
      const { records, lines, rejected } = await read(encode(texts.join(''), charset, marked), options2);
      expect(rejected).toEqual([]);
      expect(records).toEqual(noted.map(([found]) => found));
      expect(lines).toEqual(noted.map((_, index) => 1 + breaksIn(texts.slice(0, index + 1).join(''))));
    }),
    { numRuns: cases(125) },
  );
});

test('an invalid byte makes only its own row invalid, and its position is reported', async () => {
  const bad = fc.constantFrom([0xe9], [0xff], [0xc0, 0xaf], [0xe6, 0x97], [0xed, 0xa0, 0x80]);
  const rows = fc.array(record, { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(rows, fc.nat(), bad, cuts, async (good, pick, wrong, sizes) => {
      const at = pick % good.length;
      const texts = good.map(({ email, integrationId, identity }) =>
        stringify([[email, integrationId, identity]]),
      );
      const front = Buffer.from(HEADER + texts.slice(0, at).join(''));
      const row = Buffer.concat([Buffer.from('a@b.c,1,x'), Buffer.from(wrong), Buffer.from('y\n')]);
      const file = Buffer.concat([front, row, Buffer.from(texts.slice(at).join(''))]);
      const { records, rejected } = await read(file, { cuts: sizes });
      expect(records).toEqual(good);
      expect(rejected.map(({ line }) => line)).toEqual([at + 2]);
      expect(rejected[0]?.errors[0]?.message).toContain(`at offset ${front.length + 9} `);
    }),
    { numRuns: cases(150) },
  );
});

function split(text: string, delimiter: string, sizes: number[]): OracleOutcome {
  const rows: OracleRow[] = [];
  const splitter = new RecordSplitter(delimiter, 1, (cells, line, error) => {
    const texts = cells.map((cell) => Buffer.from(cell, 'latin1').toString());
    rows.push({ cells: texts, line, stray: error !== null });
  });
  try {
    for (const piece of cutUp(Buffer.from(text), sizes)) splitter.write(piece);
    splitter.end();
  } catch (error) {
    if (error instanceof FileError) return { error: error.code, line: error.errors[0]?.line ?? 0 };
    throw error;
  }
  return { rows };
}

/** Returns the cells of a file with their first undecodable bytes. */
function decode(file: Buffer, charset: string | undefined, sizes: number[]) {
  const { decoder } = openDecoder(Buffer.alloc(0), charset);
  const parts = cutUp(file, sizes).map((piece) => decoder.write(piece));
  const text = Buffer.concat([...parts, decoder.end()]).toString('latin1');
  return text.split(/([^0-:<-{}-\xff])/).map((cell) => ({
    bytes: originalBytes(cell),
    bad: hasBadByte(cell) ? firstBadByte(cell) : null,
  }));
}

function cutUp(bytes: Buffer, sizes: number[]): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += pieces.at(-1)?.length ?? 0) {
    pieces.push(bytes.subarray(at, at + (sizes[Math.min(pieces.length, sizes.length - 1)] ?? 1)));
  }
  return pieces;
}

function stored({ records, lines, rejected }: Awaited<ReturnType<typeof read>>) {
  return { records, lines, rejected: rejected.map(({ line }) => line) };
}

function expected(text: string) {
  const said = oracle(text, ',', 2);
  if ('error' in said) return { error: said.error };
  const rows = said.rows.filter(({ cells, stray }) => stray || !isEmpty(cells));
  if (rows.length === 0) return { error: 'empty_file' };
  const checked = rows.map(({ cells, line, stray }) => ({
    line,
    record: stray ? null : recordOf(cells),
  }));
  const good = checked.filter(({ record }) => record !== null);
  return {
    records: good.map(({ record }) => record),
    lines: good.map(({ line }) => line),
    rejected: checked.filter(({ record }) => record === null).map(({ line }) => line),
  };
}

/** Whether a row has no value in any of its cells. */
function isEmpty(cells: string[]): boolean {
  return cells.length > 1 && cells.every((cell) => cell.trim() === '');
}

function recordOf([email = '', integrationId = '', identity = '', ...more]: string[]): IdentityRecord | null {
  const found = [
    checkEmail(withoutPadding(email)),
    parseIntegrationId(integrationId),
    checkIdentity(withoutPadding(identity)),
  ];
  if (more.some((cell) => cell.trim() !== '') || found.some((value) => typeof value === 'object'))
    return null;
  return { email: found[0], integrationId: found[1], identity: found[2] } as IdentityRecord;
}

function encode(text: string, charset: string, marked: boolean): Buffer {
  return Buffer.concat([
    marked ? iconv.encode('\ufeff', charset) : Buffer.alloc(0),
    iconv.encode(text, charset),
  ]);
}

function breaksIn(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}
