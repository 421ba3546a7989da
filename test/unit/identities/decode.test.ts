import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import iconv from 'iconv-lite';
import { charsetDecoder } from '../../../workers/identities/decode/decode-charset.js';
import { gunzipped } from '../../../workers/identities/decode/gunzip.js';
import { fileErrorOf, HEADER, read, rowsOf } from './reading.js';

const utf16le = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const utf16be = (text: string) => utf16le(text).swap16();
const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));

const FILE = `${HEADER}josé@b.c,1,日本語 😀\n`;
const RECORD = { email: 'josé@b.c', integrationId: 1, identity: '日本語 😀' };

test.each([
  ['the first', [0x1f, 0x2c]],
  ['the second', [0x61, 0x8b]],
])('a file with %s byte of gzip only is not decompressed', async (_, head) => {
  const meter = { bytes: 0, isGzip: true, decompressed: 0 };
  const chunks: Buffer[] = [];
  for await (const chunk of gunzipped(Readable.from([Buffer.from(head)]), meter)) chunks.push(chunk);
  expect([meter.isGzip, Buffer.concat(chunks)]).toEqual([false, Buffer.from(head)]);
});

describe('encodings', () => {
  test.each([
    ['UTF-8', Buffer.from(FILE), undefined],
    ['UTF-8, declared', Buffer.from(FILE), 'UTF-8'],
    ['UTF-8 with its mark', Buffer.from(`\ufeff${FILE}`), undefined],
    ['UTF-8 with its mark, declared', Buffer.from(`\ufeff${FILE}`), 'utf8'],
    ['UTF-16LE', utf16le(FILE), undefined],
    ['UTF-16BE', utf16be(FILE), undefined],
    ['UTF-16LE, declared', utf16le(FILE), 'utf-16le'],
    ['UTF-16LE, declared as UTF-16', utf16le(FILE), 'UTF-16'],
    ['UTF-16BE, declared as UTF-16', utf16be(FILE), 'utf-16'],
    ['UTF-16LE without its mark, declared', utf16le(FILE).subarray(2), 'UTF-16LE'],
    ['UTF-16BE without its mark, declared', utf16be(FILE).subarray(2), 'utf-16be'],
    ['GB 18030, declared', iconv.encode(FILE, 'gb18030'), 'gb18030'],
  ])('%s', async (_, file, charset) => {
    for (const cuts of [[], [1], [3], [30, 1]])
      expect((await read(file, { charset, cuts })).records).toEqual([RECORD]);
  });

  test.each([
    ['windows-1252', 'José €'],
    ['iso-8859-15', 'José €'],
    ['windows-1251', 'Иван'],
    ['shift_jis', '表示 ソフト'],
    ['euc-jp', '日本語'],
    ['gbk', '汉字'],
    ['big5', '漢字'],
    ['euc-kr', '한국어'],
    ['macintosh', 'José'],
  ])('%s, declared', async (charset, identity) => {
    const file = iconv.encode(`${HEADER}a@b.c,1,"${identity}"\n`, charset);
    for (const cuts of [[], [1], [7]])
      expect((await read(file, { charset, cuts })).records[0]?.identity).toBe(identity);
  });

  test.each([
    ['utf-8', utf16le(FILE)],
    ['windows-1252', Buffer.from(`\ufeff${FILE}`)],
    ['utf-16le', utf16be(FILE)],
    ['utf-16', Buffer.from(`\ufeff${FILE}`)],
  ])('declared as %s against the byte order mark: rejected', async (charset, file) => {
    expect((await fileErrorOf(file, { charset })).code).toBe('charset_conflict');
  });

  test.each([
    ['klingon'],
    ['utf-7'],
    ['utf-32'],
    ['base64'],
    ['hex'],
    ['cp037'],
    ['utf-16'],
    ['cesu-8'],
    [''],
  ])('declared as %j: unknown charset', async (charset) =>
    expect((await fileErrorOf(FILE, { charset })).code).toBe('charset_unknown'),
  );
});

describe('undecodable bytes', () => {
  test('are reported by line and offset, and shown', async () => {
    const file = bytes(HEADER, '\na@b.c,1,x\nd@e.f,2,"jos', [0xe9], '"\ng@h.i,3,josé\n');
    for (const cuts of [[], [1]]) {
      const { records, rejected } = await read(file, { cuts });
      expect(records.map(({ identity }) => identity)).toEqual(['x', 'josé']);
      expect(rejected).toEqual([
        {
          line: 4,
          cells: ['d@e.f', '2', 'jos\ufffd\\xE9'],
          original: 'd@e.f,2,"jos\ufffd\\xE9"',
          errors: [
            {
              field: 'identity',
              code: 'undecodable_bytes',
              message: `byte \\xE9 at offset ${file.indexOf(0xe9)} cannot be decoded as UTF-8. With ?charset=windows-1252 the cell would be josé`,
            },
          ],
        },
      ]);
    }
  });

  test.each([
    ['a continuation byte alone', [0x80]],
    ['a sequence that ends early', [0xe6, 0x97]],
    ['an overlong form', [0xc0, 0xaf]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['0xFF', [0xff]],
    ['what looks like a mark of ours', [0xff, ...Array(12).fill(0x84)]],
    ['what looks like a short mark of ours', [0xfe, 0x84, 0x84]],
  ])('make the row invalid: %s', async (_, bad) => {
    const { rejected } = await read(bytes(HEADER, 'a@b.c,1,日', bad, 'é\n'));
    const shown = bad.map((byte) => `\ufffd\\x${byte.toString(16).toUpperCase()}`).join('');
    expect(rejected[0]?.cells[2]).toBe(`日${shown}é`);
    expect(rejected[0]?.errors[0]?.message).toContain(`at offset ${HEADER.length + 11} `);
  });

  test.each([',', ';', '|', '\t'])(
    'of each cell are reported with their own offset: %j',
    async (delimiter) => {
      const header = HEADER.replaceAll(',', delimiter);
      const file = bytes(header, [0xe9, 0xe9], `a@b.c${delimiter}1${delimiter}`, [0xfe, 0xe8], 'x\n');
      const { rejected } = await read(file);
      expect(rejected[0]?.errors.map(({ message }) => message)).toEqual([
        expect.stringMatching(`^byte .xE9 at offset ${file.indexOf(0xe9)} cannot`),
        expect.stringMatching(`^byte .xFE at offset ${file.indexOf(0xfe)} cannot`),
      ]);
      expect(rejected[0]?.cells).toEqual(['\ufffd\\xE9\ufffd\\xE9a@b.c', '1', '\ufffd\\xFE\ufffd\\xE8x']);
    },
  );

  test('make the row invalid in an ignored column, too', async () => {
    const { rejected } = await read(bytes('note,', HEADER, 'jos', [0xe9], ',a@b.c,1,x\n'));
    expect(rejected[0]).toMatchObject({ line: 2, cells: ['a@b.c', '1', 'x'] });
    expect(rejected[0]?.errors).toEqual([
      {
        field: null,
        code: 'undecodable_bytes',
        message:
          'byte \\xE9 at offset 37 in column 1 cannot be decoded as UTF-8. With ?charset=windows-1252 the cell would be josé',
      },
    ]);
  });

  test.each<[string, string | undefined, (string | number[])[]]>([
    ['the charset is declared', 'utf-8', [HEADER, 'a@b.c,1,J', [0xfc], 'rgen\n']],
    ['a byte order mark says what it is', undefined, ['\ufeff', HEADER, 'a@b.c,1,J', [0xfc], 'rgen\n']],
    ['Windows-1252 does not have the byte', undefined, [HEADER, 'a@b.c,1,J', [0x81], 'rgen\n']],
    ['it would read as a control character', undefined, [HEADER, 'a@b.c,1,"J', [0xfc, 0x07], 'rgen"\n']],
  ])('suggest no charset if %s', async (_, charset, parts) => {
    const { rejected } = await read(bytes(...parts), { charset });
    expect(rejected[0]?.errors[0]?.message).toMatch(/cannot be decoded as utf-8$/i);
  });

  test('are reported together with other errors', async () => {
    expect(await rowsOf(bytes('a', [0xe9], ',1.0,x\n'))).toEqual([
      '2 undecodable_bytes integration_id_invalid',
    ]);
  });

  test('at the very end of the file', async () => {
    expect(await rowsOf(bytes('a@b.c,1,x', [0xe6, 0x97]), { cuts: [1] })).toEqual(['2 undecodable_bytes']);
  });

  test('of UTF-16: half a surrogate pair, an odd byte', async () => {
    const file = Buffer.concat([
      utf16le(`${HEADER}a@b.c,1,x\ud83d\nd@e.f,2,y\na@b.c,1,z`),
      Buffer.from([0x41]),
    ]);
    for (const cuts of [[], [1]]) {
      const { rejected, lines } = await read(file, { cuts });
      expect(lines).toEqual([3]);
      expect(rejected.map(({ cells }) => cells[2])).toEqual(['x\ufffd\\x3D\ufffd\\xD8', 'z\ufffd\\x41']);
      expect(rejected[0]?.errors[0]?.message).toContain(`at offset ${2 + 2 * (HEADER.length + 9)} `);
      expect(rejected[1]?.errors[0]?.message).toContain(`at offset ${file.length - 1} `);
    }
  });

  test.each([
    ['windows-1252', [0x81], ['x\ufffd\\x81y']],
    ['us-ascii', [0xe9], ['x\ufffd\\xE9y']],
    ['shift_jis', [0x81, 0x20], ['x\ufffd\\x81 y']],
    ['gb18030', [0x81, 0x30, 0x81], ['x\ufffd\\x810亂']],
    ['euc-jp', [0x8f, 0xa1], ['x\ufffd\\x8F\ufffd\\xA1y']],
  ])('of %s', async (charset, bad, cells) => {
    const file = bytes(HEADER, 'a@b.c,1,x', bad, 'y\nd@e.f,2,z\n');
    for (const cuts of [[], [1]]) {
      const { rejected, lines } = await read(file, { charset, cuts });
      expect(rejected.map((row) => row.cells[2])).toEqual(cells);
      expect(rejected[0]?.errors[0]?.message).toContain(`at offset ${HEADER.length + 9} `);
      expect(lines).toEqual([3]);
    }
  });

  test('in front of a quote or a line end do not consume it', async () => {
    const body = bytes('"a@b.c","1","', [0x81], '"\nd@e.f,2,', [0x81], '\ng@h.i,3,z\n');
    for (const charset of ['shift_jis', 'gbk', 'big5', 'euc-kr', 'utf-8']) {
      expect(await rowsOf(body, { charset })).toEqual([
        '2 undecodable_bytes',
        '3 undecodable_bytes',
        '4 g@h.i 3 z',
      ]);
    }
  });

  test('U+FFFD itself is rejected', async () => {
    expect(await rowsOf('a@b.c,1,\ufffd\n')).toEqual(['2 identity_forbidden_character']);
  });
});

test('no charset that is accepted has a byte below 0x30 inside a longer sequence', () => {
  const accepted = knownCharsets().filter(isAccepted);
  expect(accepted.length).toBeGreaterThan(300);
  const low = Array.from({ length: 0x30 }, (_, byte) => byte);
  for (const charset of accepted) {
    for (let lead = 0x80; lead <= 0xff; lead++) {
      const text = iconv.decode(Buffer.from(low.flatMap((byte) => [lead, byte])), charset);
      const swallowed = low.filter((byte) => !text.includes(String.fromCharCode(byte)));
      if (swallowed.length > 0) throw new Error(`${charset}: 0x${lead.toString(16)} takes ${swallowed}`);
    }
  }
});

function knownCharsets(): string[] {
  iconv.encodingExists('utf-8');
  const { encodings } = iconv as unknown as { encodings: Record<string, unknown> };
  return Object.keys(encodings).filter((name) => !name.startsWith('_'));
}

function isAccepted(charset: string): boolean {
  try {
    charsetDecoder(charset);
    return true;
  } catch {
    return false;
  }
}
