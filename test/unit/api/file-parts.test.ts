import { createHash } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type Koa from 'koa';
import { openFile } from '../../../api/body/open-file.js';

const LIMIT = 1_000_000;
const TEXT = 'email,integrationId,identity\r\nmüller@example.com,7,Müller\r\n';
const NAMED = 'Content-Disposition: form-data; name="file"; filename="a.csv"';

interface Sent {
  headers?: Record<string, string[]>;
  pieces: Iterable<string | Buffer>;
}

/** Reads a request as an upload route does. */
async function read({ headers = {}, pieces }: Sent) {
  const all: Record<string, string[]> = { 'content-type': ['multipart/form-data; boundary=b'], ...headers };
  const first = Object.fromEntries(Object.entries(all).map(([name, [value]]) => [name, value]));
  const req = Object.assign(new PassThrough(), { headers: first, headersDistinct: all });
  for (const piece of pieces) req.write(typeof piece === 'string' ? Buffer.from(piece) : piece);
  req.end();
  const type = (first['content-type'] ?? '').split(';')[0]?.trim();
  const ctx = { req, res: {}, request: { type }, state: {} } as unknown as Koa.Context;
  const { content, ...said } = await openFile(ctx, LIMIT);
  return { text: (await buffer(content)).toString(), ...said };
}

const body = (lines: readonly string[], content: string | Buffer = TEXT, end = '\r\n--b--\r\n') =>
  Buffer.concat([
    Buffer.from(`--b\r\n${lines.join('\r\n')}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from(end),
  ]);
const part = (lines: readonly string[], content?: string | Buffer) =>
  read({ pieces: [body(lines, content)] });

const digest = (algorithm: string, content: string | Buffer = TEXT) =>
  createHash(algorithm).update(content).digest('base64');
const base64 = Buffer.from(TEXT).toString('base64').replace(/.{20}/g, '$&\r\n');
const CTE = 'Content-Transfer-Encoding: ';

test.each<[string, string[], string | Buffer]>([
  ['as it is', [], TEXT],
  ['7bit', [`${CTE}7bit`], TEXT],
  ['8bit', [`${CTE}8BIT`], TEXT],
  ['binary', [`${CTE}binary`], TEXT],
  ['an empty transfer encoding', [CTE, 'Content-Encoding:'], TEXT],
  ['quoted-printable', [`${CTE}Quoted-Printable`], TEXT.replaceAll('ü', '=C3=BC')],
  ['quoted-printable with lower-case digits', [`${CTE}quoted-printable`], TEXT.replaceAll('ü', '=c3=bc')],
  ['soft line breaks', [`${CTE}quoted-printable`], TEXT.replaceAll('ü', '=C3=\r\n=BC=  \r\n=\n')],
  [
    'white space added to lines',
    [`${CTE}quoted-printable`],
    TEXT.replaceAll('ü', '=C3=BC').replaceAll('\r\n', ' \t\r\n'),
  ],
  ['a soft line break at the end', [`${CTE}quoted-printable`], `${TEXT.replaceAll('ü', '=C3=BC')}=`],
  ['base64', [`${CTE}base64`], base64],
  ['base64 of gzip', [`${CTE}base64`, 'Content-Encoding: x-gzip'], gzipSync(TEXT).toString('base64')],
  ['gzip', ['Content-Encoding: gzip'], gzipSync(TEXT)],
  ['identity', ['Content-Encoding: identity'], TEXT],
  ['its length', [`Content-Length: ${Buffer.byteLength(TEXT)}`], TEXT],
  [
    'its digests',
    [`Content-MD5: ${digest('md5')}`, `Repr-Digest: crc=:AAAA:, sha-256=:${digest('sha256')}:`],
    TEXT,
  ],
  ['a digest of what base64 contains', [`${CTE}base64`, `Digest: SHA-512=${digest('sha512')}`], base64],
  ['harmless headers', ['Content-ID: <1>', 'Content-Location: a.csv', 'MIME-Version: 1.0', 'X-A: b'], TEXT],
])('a part is read that is sent with %s', async (_, lines, content) => {
  expect(await part([NAMED, ...lines], content)).toMatchObject({ text: TEXT, fileName: 'a.csv' });
});

test.each<[string, string[], string | Buffer, number, string, string]>([
  [
    'an unknown encoding',
    [`${CTE}uuencode`],
    TEXT,
    415,
    'unsupported_media_type',
    'Content-Transfer-Encoding',
  ],
  ['a broken escape', [`${CTE}quoted-printable`], 'a\r\nb=ZZ', 400, 'malformed_transfer_encoding', 'line 2'],
  ['an unfinished escape', [`${CTE}quoted-printable`], 'a=C', 400, 'malformed_transfer_encoding', 'line 1'],
  [
    'a byte that is not escaped',
    [`${CTE}quoted-printable`],
    TEXT,
    400,
    'malformed_transfer_encoding',
    'line 2',
  ],
  ['base64 that is none', [`${CTE}base64`], TEXT, 400, 'malformed_transfer_encoding', 'base64'],
  ['base64 that ends early', [`${CTE}base64`], 'QUJDR', 400, 'malformed_transfer_encoding', 'ends early'],
  ['base64 without its padding', [`${CTE}base64`], 'QUI', 400, 'malformed_transfer_encoding', 'ends early'],
  [
    'base64 after its padding',
    [`${CTE}base64`],
    'QUI=\r\nQUI=',
    400,
    'malformed_transfer_encoding',
    'padding',
  ],
  [
    'an unknown content coding',
    ['Content-Encoding: br'],
    TEXT,
    415,
    'unsupported_media_type',
    'Content-Encoding',
  ],
  ['gzip that is none', ['Content-Encoding: gzip'], TEXT, 400, 'malformed_body', 'gzip'],
  ['another length', ['Content-Length: 7'], TEXT, 400, 'malformed_header', 'announces 7 bytes'],
  [
    'another digest',
    [`Content-Digest: sha-256=:${digest('sha256', 'x')}:`],
    TEXT,
    400,
    'digest_mismatch',
    'Content-Digest',
  ],
  ['half a digest', ['Content-MD5: x'], TEXT, 400, 'malformed_header', 'Content-MD5'],
  ['a range', ['Content-Range: bytes 0-9/100'], TEXT, 400, 'unsupported_header', 'content-range'],
  [
    'an unknown header about the content',
    ['Content-Cipher: rot13'],
    TEXT,
    400,
    'unsupported_header',
    'content-cipher',
  ],
  [
    'a header twice',
    [`${CTE}8bit`, `${CTE}base64`],
    TEXT,
    400,
    'malformed_header',
    'Content-Transfer-Encoding',
  ],
  ['no header row', ['Content-Type: text/csv; header=absent'], TEXT, 415, 'unsupported_media_type', 'header'],
  [
    'an unknown parameter',
    ['Content-Type: text/csv; encoding=latin1'],
    TEXT,
    415,
    'unsupported_media_type',
    'encoding',
  ],
  [
    'several files',
    ['Content-Type: multipart/mixed; boundary=c'],
    TEXT,
    415,
    'unsupported_media_type',
    'multipart/mixed',
  ],
  [
    'an unknown charset',
    ['Content-Type: text/csv; charset=klingon'],
    TEXT,
    400,
    'charset_unknown',
    'klingon',
  ],
  [
    'a long charset',
    [`Content-Type: text/csv; charset=${'x'.repeat(41)}`],
    TEXT,
    400,
    'charset_unknown',
    'xxx',
  ],
  [
    'the name of a property',
    ['Content-Type: text/csv; charset=constructor'],
    TEXT,
    400,
    'charset_unknown',
    '',
  ],
  [
    'a parameter twice',
    ['Content-Type: text/csv; charset=a; charset=b'],
    TEXT,
    400,
    'malformed_header',
    'charset',
  ],
  [
    'an open quote',
    ['Content-Type: text/csv; charset="utf-8'],
    TEXT,
    400,
    'malformed_header',
    'Content-Type',
  ],
])(
  'a part is rejected, with the name of the header, that is sent with %s',
  async (_, lines, content, status, code, says) => {
    const error = await part([NAMED, ...lines], content).catch((thrown) => thrown);
    expect(error).toMatchObject({ status, code });
    expect(error.message).toContain(says);
  },
);

test.each<[string, string[], string | undefined]>([
  ['none', [], undefined],
  ['none in a media type without one', ['Content-Type: text/csv; header=present'], undefined],
  ['that of its part', ['Content-Type: text/csv; charset=Shift_JIS'], 'Shift_JIS'],
  ['a quoted one', ['content-type: TEXT/CSV;CHARSET="iso-8859-1"; name="a;b"'], 'iso-8859-1'],
  ['none for binary', ['Content-Type: application/gzip; charset=binary'], undefined],
])('the charset of a file is %s', async (_, lines, charset) => {
  expect((await part([NAMED, ...lines])).charset).toBe(charset);
});

test('the charset of the form counts if the part names none', async () => {
  const headers = { 'content-type': ['multipart/form-data; charset=latin1; boundary="b"'] };
  expect((await read({ headers, pieces: [body([NAMED])] })).charset).toBe('latin1');
  const own = body([NAMED, 'Content-Type: text/csv; charset=utf-8']);
  expect((await read({ headers, pieces: [own] })).charset).toBe('utf-8');
});

test.each([
  ['filename="Leute_März.csv"', 'Leute_März.csv'],
  ['filename=people.csv', 'people.csv'],
  ['filename=my people.csv', 'my people.csv'],
  ['FileName = "a;b=c.csv" ; x=y', 'a;b=c.csv'],
  ['filename="say \\"hi\\".csv"', 'say "hi".csv'],
  ['filename="say %22hi%22%0D%0A.csv"', 'say "hi".csv'],
  ['filename="C:\\Users\\Ada\\people.csv"', 'people.csv'],
  ['filename="/home/ada/people.csv"', 'people.csv'],
  ['filename="x.csv"; filename*=UTF-8\'\'M%C3%A4rz.csv', 'März.csv'],
  ["filename*=iso-8859-1'de'M%E4rz.csv; filename=x.csv", 'März.csv'],
  ['filename*0*=UTF-8\'\'M%C3; filename*1*=%A4r; filename*2="z.csv"', 'März.csv'],
  ['filename="=?UTF-8?B?TcOkcno=?= =?utf-8?Q?_2026.csv?="', 'März 2026.csv'],
  ['filename="=?klingon?B?TcOkcno=?="', '=?klingon?B?TcOkcno=?='],
  // A name that cannot be decoded gives way to another one, or is read as well as it can be.
  ["filename*=x-foo''m.csv; filename=x.csv", 'x.csv'],
  ['filename="x.csv"; filename*=UTF-8\'\'M%E4rz.csv', 'x.csv'],
  ["filename*=x-foo''M%C3%A4rz.csv", 'März.csv'],
  ["filename*=UTF-8''M%E4rz.csv", 'März.csv'],
  ["filename*=UTF-8''50%.csv", '50%.csv'],
  ['filename*="UTF-8\'\'M%C3%A4rz.csv"', 'März.csv'],
  ['filename*=m.csv', 'm.csv'],
  ["filename*=''m.csv", 'm.csv'],
  ["filename*=UTF-8''", null],
  ['filename*1="b.csv"', 'b.csv'],
  ["filename*0*=x-foo''a; filename*2=c.csv", 'ac.csv'],
  ['filename="say "hi".csv"', 'say "hi".csv'],
  ['filename="a"b"', 'a"b'],
  ['filename="a\u0001\u007f.csv"', 'a.csv'],
  ['filename=" "', null],
  ['filename=""', null],
])('a file name is understood: %s', async (parameter, name) => {
  expect((await part([`Content-Disposition: form-data; name="file"; ${parameter}`])).fileName).toBe(name);
});

test('a file name in Latin-1 is read as such', async () => {
  const pieces = [
    Buffer.from(
      `--b\r\nContent-Disposition: form-data; name="file"; filename="M\xe4rz.csv"\r\n\r\nx\r\n--b--`,
      'latin1',
    ),
  ];
  expect((await read({ pieces })).fileName).toBe('März.csv');
});

test.each([
  ['name=file; filename=x', null],
  ["NAME*=UTF-8''file; filename=x", null],
  ['name="=?utf-8?q?file?="; filename=x', null],
  ['name="upload"; filename=x', 'unexpected_part'],
  ['filename=x', 'unexpected_part'],
  ['name="file"', 'unexpected_part'],
  ['name=file; filename="x', 'malformed_header'],
  ['name=file; filename=x; filename=y', 'malformed_header'],
])('a part is the file or not: %s', async (parameters, code) => {
  const reading = part([`Content-Disposition: form-data; ${parameters}`]).then(
    () => null,
    (error) => error.code,
  );
  expect(await reading).toBe(code);
});

test('a part without a name and without content is one for which no file was chosen', async () => {
  const empty = part(['Content-Disposition: form-data; name="file"; filename=""'], '');
  await expect(empty).rejects.toMatchObject({ status: 400, code: 'file_missing' });
});

test.each([
  ['name="dryRun"\r\n\r\ntrue', 'the part "dryRun". Send options in the query.'],
  ['name="dryRun"\r\n\r\n', 'the part "dryRun". Send options in the query.'],
  ['name="Prüfung[a]"\r\n\r\nx', 'the part "Prüfung[a]".'],
  [`name="${'x'.repeat(200)}"\r\n\r\nx`, `the part "${'x'.repeat(60)}".`],
  ['x=y\r\n\r\ntrue', 'the part "".'],
  ['name="file"; filename="b.csv"\r\n\r\nx', 'a second part "file".'],
  ['name="other"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n', 'the part "other".'],
])('another part is named in the error: %j', async (disposition, says) => {
  const end = `\r\n--b\r\nContent-Disposition: form-data; ${disposition}\r\n--b--\r\n`;
  const error = await read({ pieces: [body([NAMED], TEXT, end)] }).catch((thrown) => thrown);
  expect(error).toMatchObject({ status: 400, code: 'unexpected_part' });
  expect(error.message).toContain(says);
});

test('a part before the file is named in the error', async () => {
  const charset = '--b\r\nContent-Disposition: form-data; name="_charset_"\r\n\r\nlatin1\r\n';
  await expect(read({ pieces: [charset, body([NAMED])] })).rejects.toThrow(
    'Name the encoding in the `Content-Type`',
  );
});

test.each<[string, string, string]>([
  [
    'an attachment',
    '--b\r\nContent-Disposition: attachment; name="file"\r\n\r\nx\r\n--b--',
    'malformed_header',
  ],
  ['no disposition', '--b\r\nContent-Type: text/csv\r\n\r\nx\r\n--b--', 'malformed_header'],
  ['no headers', '--b\r\n\r\nx\r\n--b--', 'malformed_multipart'],
  ['a header without a name', `--b\r\n${NAMED}\r\n: x\r\n\r\nx\r\n--b--`, 'malformed_multipart'],
  ['lines that end with LF', `--b\n${NAMED}\n\nx\n--b--`, 'malformed_multipart'],
  [
    'a line that starts with the boundary',
    `--b\r\n${NAMED}\r\n\r\nx\r\n--bc\r\n--b--`,
    'malformed_multipart',
  ],
  ['text after its end', `--b\r\n${NAMED}\r\n\r\nx\r\n--b--\r\nmore`, 'malformed_multipart'],
  ['a file that starts with the boundary', `--b\r\n${NAMED}\r\n\r\n--b\r\nx\r\n--b--`, 'malformed_multipart'],
  ['another form after its end', `--b\r\n${NAMED}\r\n\r\nx\r\n--b--\r\n--b--\r\n`, 'malformed_multipart'],
  [
    'a part without a disposition',
    `--b\r\n${NAMED}\r\n\r\nx\r\n--b\r\nA: b\r\n\r\n\r\n--b--`,
    'malformed_multipart',
  ],
  [
    'a long text before its part',
    `${'x'.repeat(8_192)}\r\n--b\r\n${NAMED}\r\n\r\nx\r\n--b--`,
    'malformed_multipart',
  ],
  ['no end', `--b\r\n${NAMED}\r\n\r\nx\r\n`, 'malformed_multipart'],
  ['half an end', `--b\r\n${NAMED}\r\n\r\nx\r\n--b-`, 'malformed_multipart'],
  ['no part', '--b--\r\n', 'file_missing'],
  ['nothing', '', 'malformed_multipart'],
])('a body is rejected with %s', async (_, sent, code) => {
  await expect(read({ pieces: [sent] })).rejects.toMatchObject({ status: 400, code });
});

test.each(['b', '"b"', '"b"; x=y', 'b;', ` "'()+_,-./:=? z"`, 'x'.repeat(70)])(
  'a boundary is understood: %s',
  async (boundary) => {
    const text = boundary.replace(/;.*/, '').trim().replaceAll('"', '');
    const sent = `This is a message in MIME format.\r\n--${text} \t\r\n${NAMED}\r\n\r\n${TEXT}\r\n--${text}--  \r\n\r\n`;
    const headers = { 'content-type': [`multipart/form-data; boundary=${boundary.replace('; x=y', '')}`] };
    expect((await read({ headers, pieces: [sent] })).text).toBe(TEXT);
  },
);

test('a boundary may contain quotes and backslashes', async () => {
  const headers = { 'content-type': ['multipart/form-data; boundary="a\\"b\\\\c"'] };
  const sent = `--a"b\\c\r\n${NAMED}\r\n\r\n${TEXT}\r\n--a"b\\c--`;
  expect((await read({ headers, pieces: [sent] })).text).toBe(TEXT);
});

test.each<[Record<string, string[]>, string]>([
  [{ 'content-range': ['bytes 0-9/100'] }, 'unsupported_header'],
  [{ 'content-transfer-encoding': ['base64'] }, 'unsupported_header'],
  [{ 'content-digest': [`sha-256=:${digest('sha256')}:`] }, 'digest_mismatch'],
  [{ digest: ['nonsense'] }, 'malformed_header'],
  [{ 'content-type': ['multipart/form-data; boundary=b', 'text/csv'] }, 'malformed_header'],
  [{ 'content-type': [`multipart/form-data; boundary=${'b'.repeat(71)}`] }, 'malformed_multipart'],
  [{ 'content-type': ['multipart/form-data; boundary=""'] }, 'malformed_multipart'],
])('a form is rejected by its own headers: %j', async (headers, code) => {
  await expect(read({ headers, pieces: [body([NAMED])] })).rejects.toMatchObject({ code });
});

test('a body that is the file itself is decoded in the same way', async () => {
  const headers = {
    'content-type': ['text/csv; charset=utf-8; header=present'],
    'content-disposition': ['attachment; filename="C:\\a.csv"'],
    'content-transfer-encoding': ['base64'],
    'content-location': ['/a.csv'],
    'content-digest': [`md5=:${digest('md5', base64)}:`, `sha-256=:${digest('sha256', base64)}:`],
  };
  expect(await read({ headers, pieces: [base64] })).toEqual({
    text: TEXT,
    charset: 'utf-8',
    fileName: 'a.csv',
  });
});

const eol = fc.constantFrom('\r\n', '\n', '\r', ' ', '=', 'ü', 'a', ',', '--b', '\r\n--', '\t');

test('a file arrives unchanged in any encoding, wherever the body is cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc
        .array(eol, { maxLength: 40 })
        .map((pieces) => pieces.join(''))
        // A line of a file must not start with the boundary (RFC 2046 §5.1.1).
        .filter((text) => !`\r\n${text}`.includes('\r\n--b')),
      fc.constantFrom('binary', 'base64', 'quoted-printable'),
      fc.integer({ min: 1, max: 7 }),
      async (text, encoding, size) => {
        const encoded =
          encoding === 'base64'
            ? Buffer.from(text).toString('base64')
            : encoding === 'binary'
              ? text
              : Buffer.from(text)
                  .toString('latin1')
                  .replace(/[^,a]/g, (c) => `=${c.charCodeAt(0).toString(16).padStart(2, '0')}`);
        const whole = body([NAMED, CTE + encoding], encoded);
        const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, at) =>
          whole.subarray(at * size, (at + 1) * size),
        );
        expect((await read({ pieces })).text).toBe(text);
      },
    ),
  );
});
