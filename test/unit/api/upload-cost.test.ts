import { PassThrough, Readable } from 'node:stream';
import { createGunzip, gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import type Koa from 'koa';
import { openFile } from '../../../api/body/open-file.js';
import { openDecoder } from '../../../workers/identities/decode/decode.js';
import { costRatio } from '../../support/cpu-time.js';

const MIB = 1024 * 1024;
/** As a socket delivers a body. */
const PIECE = 64 * 1024;
/** Single forms take up to five times as long, depending on the machine. What grows faster than its input takes far more. */
const MAX_RATIO = 8;
const MAX_RATIO_OF_GZIP = 3;

const fill = (text: string, bytes = MIB) =>
  Buffer.from(text.repeat(Math.ceil(bytes / Buffer.byteLength(text))));
const pieces = (bytes: Buffer, size = PIECE) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );

/** Reads a multipart body as an upload route does. An error is a result too. */
async function readForm(body: Buffer, boundary = 'b', size = PIECE) {
  const type = `multipart/form-data; boundary="${boundary}"`;
  const headers = { 'content-type': type };
  const req = Object.assign(new PassThrough({ highWaterMark: 4 * MIB }), {
    headers,
    headersDistinct: { 'content-type': [type] },
  });
  for (const piece of pieces(body, size)) req.write(piece);
  req.end();
  const ctx = { req, res: {}, request: { type: 'multipart/form-data' }, state: {} } as unknown as Koa.Context;
  try {
    const { content } = await openFile(ctx, 64 * MIB);
    for await (const _ of content);
  } catch (error) {
    expect(error).toMatchObject({ status: expect.any(Number) });
  }
}

const form = (lines: string, content: Buffer, boundary = 'b') =>
  Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n${lines}\r\n`),
    content,
    Buffer.from(`\r\n--${boundary}--`),
  ]);
const CTE = 'Content-Transfer-Encoding: ';
const LONG = 'a'.repeat(70);

const decode = (charset: string, text: string | Buffer) => async () => {
  const { decoder } = openDecoder(Buffer.alloc(0), charset);
  try {
    for (const piece of pieces(Buffer.isBuffer(text) ? text : fill(text), 8 * 1024)) decoder.write(piece);
    decoder.end();
  } catch (error) {
    expect(error).toMatchObject({ code: 'not_csv' });
  }
};

const SENT: [string, () => Promise<void>][] = [
  ['lines that are nearly a boundary', () => readForm(form('', fill('\r\n--')))],
  [
    'a long boundary that nearly repeats itself',
    () => readForm(form('', fill(`\r\n--${LONG.slice(1)}`), LONG), LONG),
  ],
  ['a text of the letter of a long boundary', () => readForm(form('', fill('a'), LONG), LONG)],
  ['text before the first boundary', () => readForm(fill('--\r\n'))],
  ['text after the last boundary', () => readForm(Buffer.concat([form('', Buffer.from('x')), fill('\r\n')]))],
  ['quoted-printable escapes', () => readForm(form(`${CTE}quoted-printable\r\n`, fill('=3D')))],
  ['quoted-printable soft line breaks', () => readForm(form(`${CTE}quoted-printable\r\n`, fill('=\r\n')))],
  [
    'quoted-printable white space',
    () => readForm(form(`${CTE}quoted-printable\r\n`, fill(`${' '.repeat(999)}a`))),
  ],
  ['base64', () => readForm(form(`${CTE}base64\r\n`, fill('QUJD')))],
  ['base64 in lines of one character', () => readForm(form(`${CTE}base64\r\n`, fill('Q\r\n')))],
  [
    'four digests',
    () =>
      readForm(
        form(
          `Content-MD5: ${'A'.repeat(22)}==\r\nDigest: sha-256=${'A'.repeat(43)}=, sha-512=${'A'.repeat(86)}==\r\n`,
          fill('x'),
        ),
      ),
  ],
];

/** Bytes of any value that are the same in each run, in lines of 4 KiB: text can be cut there. */
const noise = (from: number, values: number) =>
  Buffer.from(
    Array.from({ length: MIB }, (_, at) =>
      at % 4096 === 0 ? 0x0a : from + (((Math.imul(at, 2_654_435_761) >>> 16) * values) >>> 16),
    ),
  );
/** Sequences of four bytes that GB18030 does not assign, with a byte among them that starts none. */
const UNASSIGNED = Buffer.from(
  '\xff\n'.concat('\xfe\x39\xfe\x39'.repeat(1_000)).repeat(MIB / 4_002),
  'latin1',
);

const DECODED: [string, () => Promise<void>][] = [
  ['Shift_JIS', decode('shift_jis', Buffer.alloc(MIB, 0xfd))],
  ['Shift_JIS, line by line', decode('shift_jis', Buffer.from('\xfd\n'.repeat(MIB / 2), 'latin1'))],
  ['GB18030', decode('gb18030', Buffer.alloc(MIB, 0xff))],
  ['GB18030, line by line', decode('gb18030', Buffer.from('\x81\n'.repeat(MIB / 2), 'latin1'))],
  ['GB18030, any bytes', decode('gb18030', noise(0, 256))],
  ['GB18030, unassigned sequences', decode('gb18030', UNASSIGNED)],
  [
    'GB18030, assigned sequences',
    decode(
      'gb18030',
      Buffer.from('\xff\n'.concat('\x95\x32\x82\x36'.repeat(1_000)).repeat(MIB / 4_002), 'latin1'),
    ),
  ],
  ['Big5, any bytes', decode('big5', noise(0x80, 128))],
  ['UTF-8, any bytes', decode('utf-8', noise(0x80, 128))],
  [
    'UTF-16 of halves of characters among others',
    decode('utf-16le', Buffer.from('\x00\xd8a\x00'.repeat(MIB / 4), 'latin1')),
  ],
  ['EUC-JP', decode('euc-jp', Buffer.from('\x8f\xff'.repeat(MIB / 2), 'latin1'))],
  ['us-ascii', decode('us-ascii', Buffer.alloc(MIB, 0xff))],
  ['UTF-8', decode('utf-8', Buffer.alloc(MIB, 0xff))],
  ['UTF-16 of halves of characters', decode('utf-16le', Buffer.from('\x00\xd8'.repeat(MIB / 2), 'latin1'))],
];

/** JSON of short values, as a client could send in place of the file. */
const JSON_TEXT = `[${'{"email":"ada@example.com","integrationId":7,"identity":"a\\u0064a"},'.repeat(MIB / 68)}null]`;

const json = { run: () => JSON.parse(JSON_TEXT), bytes: JSON_TEXT.length };

/** Returns how many times the CPU time of parsing JSON some work on 1 MiB takes. */
const ratioOf = (run: () => unknown, limit: number): Promise<number> =>
  costRatio({ run, bytes: MIB }, json, limit);

test.each(SENT)(
  'receiving 1 MiB costs at most 8 times as much as parsing it as JSON: %s',
  async (_, work) => {
    expect(await ratioOf(work, MAX_RATIO)).toBeLessThan(MAX_RATIO);
  },
);

const GZIPPED_CSV = gzipSync(fill('x,y\n'));
const GZIPPED_JSON = gzipSync(JSON_TEXT);

/** Inflates JSON and parses it. Inflating alone takes up to three times as long as parsing. */
const gzippedJson = {
  run: async () => {
    for await (const _ of Readable.from(pieces(GZIPPED_JSON)).pipe(createGunzip()));
    JSON.parse(JSON_TEXT);
  },
  bytes: JSON_TEXT.length,
};

test('receiving 1 MiB of gzip costs little more than inflating and parsing it as JSON', async () => {
  const work = () => readForm(form('Content-Encoding: gzip\r\n', GZIPPED_CSV));
  expect(await costRatio({ run: work, bytes: MIB }, gzippedJson, MAX_RATIO_OF_GZIP)).toBeLessThan(
    MAX_RATIO_OF_GZIP,
  );
});

/** The first undecodable byte of a cell becomes a mark of 13 bytes, others one of 3, see `byte-text.ts`. */
const MAX_RATIO_OF_MARKS = 10;

test.each(DECODED)('decoding 1 MiB costs little even if no byte can be decoded: %s', async (_, work) => {
  expect(await ratioOf(work, MAX_RATIO_OF_MARKS)).toBeLessThan(MAX_RATIO_OF_MARKS);
});
