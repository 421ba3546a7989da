import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { contentCoding } from '../../../api/http/content-coding.js';
import { CODINGS } from '../../../api/intake/request/decompress.js';
import { eventText, plainBody, rejectByHeaders } from '../../../api/intake/request/event-text.js';

const TYPE = 'multipart/form-data; boundary=----b1';
const PART = 'Content-Disposition: form-data; name="payload"';
const JSON_TEXT = '{"a":"ö=1 ☃"}';
const QP = '{"a":"=C3=\r\n=B6=3D1 =E2=98=83"}';
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64').replace(/.{8}/g, '$&\r\n');
const digest = (algorithm: string, content: string | Buffer = JSON_TEXT) =>
  createHash(algorithm).update(content);

interface Sent {
  headers?: IncomingHttpHeaders;
  body: string | Buffer;
  limit?: number;
  reserve?: (bytes: number) => void;
}

/** Reads a request as the intake does. */
async function read({ headers = {}, body, limit = 1_000, reserve = () => {} }: Sent): Promise<string> {
  const coding = contentCoding(headers['content-encoding'], CODINGS);
  const sent = { body: Buffer.from(body), coding, limit, reserve };
  return eventText(await plainBody(headers, sent), headers['content-type'], sent);
}

const rejection = (sent: Sent) =>
  read(sent).then(
    () => null,
    ({ status, code, message }) => ({ status, code, message }),
  );

const multipart = (...parts: (string | Buffer)[]) =>
  Buffer.concat([
    ...parts.flatMap((part) => [Buffer.from('------b1\r\n'), Buffer.from(part), Buffer.from('\r\n')]),
    Buffer.from('------b1--\r\n'),
  ]);
/** A form with one part, which has these lines in its headers. */
const form = (lines: readonly string[], content: string | Buffer = JSON_TEXT, type = TYPE): Sent => ({
  headers: { 'content-type': type },
  body: multipart(Buffer.concat([Buffer.from([PART, ...lines, '', ''].join('\r\n')), Buffer.from(content)])),
});
const CTE = 'Content-Transfer-Encoding: ';

describe('multipart/form-data with a single field that holds JSON is that JSON', () => {
  test.each([
    ['a field', multipart(`${PART}\r\n\r\n{"a": 1.10}`), '{"a": 1.10}'],
    ['a file', multipart(`${PART}; filename="a.json"\r\nContent-Type: application/json\r\n\r\n[1]`), '[1]'],
    ['a preamble', `nothing\r\n${multipart(`${PART}\r\n\r\n{}`)}`, '{}'],
    ['line breaks', multipart(`${PART}\r\n\r\n{\r\n"a":1}\r\n`), '{\r\n"a":1}\r\n'],
    ['no headers', multipart('\r\n{}'), '{}'],
    ['spaces after the boundary', `------b1 \t\r\n${PART}\r\n\r\n{}\r\n------b1--`, '{}'],
  ])('%s', async (_, body, json) => {
    expect(await read({ headers: { 'content-type': TYPE }, body })).toBe(json);
  });

  test('multipart is only a type: JSON is JSON', async () => {
    for (const type of ['multipart/form-data', 'multipart/mixed'])
      expect(await read({ headers: { 'content-type': type }, body: '{"a":1}' })).toBe('{"a":1}');
  });
});

/** The rows of the table in `docs/alerts.md`, for a part. */
describe('what a part says about its content', () => {
  test.each<[string, Sent]>([
    ['nothing', form([])],
    ['7bit', form([`${CTE}7bit`])],
    ['8bit', form([`${CTE}8BIT`])],
    ['quoted-printable', form([`${CTE}Quoted-Printable`], QP)],
    ['base64', form([`${CTE}base64`], base64(JSON_TEXT))],
    ['gzip', form(['Content-Encoding: x-gzip'], gzipSync(JSON_TEXT))],
    ['deflate', form(['Content-Encoding: deflate'], deflateSync(JSON_TEXT))],
    ['identity', form(['Content-Encoding: identity'])],
    ['base64 of gzip', form([`${CTE}base64`, 'Content-Encoding: gzip'], base64(gzipSync(JSON_TEXT)))],
    [
      'its charset',
      form(['Content-Type: text/plain; charset="utf-16le"'], Buffer.from(JSON_TEXT, 'utf16le')),
    ],
    ['the charset of the form', form([], Buffer.from(JSON_TEXT, 'utf16le'), `${TYPE}; charset=utf-16le`)],
    [
      'its charset rather than that of the form',
      form(['Content-Type: application/json; charset=utf-8'], JSON_TEXT, `${TYPE}; charset=latin1`),
    ],
    ['a byte order mark', form([], `\uFEFF${JSON_TEXT}`)],
    ['its length', form([`Content-Length: ${Buffer.byteLength(JSON_TEXT)}`])],
    [
      'its digests',
      form([
        `Content-MD5: ${digest('md5').digest('base64')}`,
        `Digest: sha-256=${digest('sha256').digest('base64')}`,
      ]),
    ],
    ['its digest in hex', form([`Content-MD5: ${digest('md5').digest('hex')}`])],
    ['a digest that is not checked', form(['Content-Digest: crc32=:AAAA:'])],
    ['another type', form(['Content-Type: application/xml; version=1'])],
    [
      'a file name that cannot be read',
      { ...form([]), body: multipart(`${PART}; filename*=x-foo''m.csv\r\n\r\n${JSON_TEXT}`) },
    ],
    ['harmless headers', form(['Content-ID: <1>', 'Content-Language: de', 'Content-Foo: bar', 'X-A: b'])],
  ])('is obeyed or harmless: %s', async (_, sent) => {
    expect(await read(sent)).toBe(JSON_TEXT);
  });

  test.each<[string, Sent, number, string, string]>([
    [
      'an unknown transfer encoding',
      form([`${CTE}x-uuencode`]),
      415,
      'unsupported_media_type',
      '"x-uuencode"',
    ],
    ['text that is not base64', form([`${CTE}base64`]), 400, 'malformed_transfer_encoding', 'base64'],
    [
      'a broken escape',
      form([`${CTE}quoted-printable`], '{"a":"=ZZ"}'),
      400,
      'malformed_transfer_encoding',
      'line 1',
    ],
    ['an unknown content coding', form(['Content-Encoding: br']), 415, 'unsupported_media_type', '"br"'],
    ['two content codings', form(['Content-Encoding: gzip, gzip']), 415, 'unsupported_media_type', 'gzip'],
    ['text that is not gzip', form(['Content-Encoding: gzip']), 400, 'malformed_body', 'gzip'],
    [
      'too much in gzip',
      form(['Content-Encoding: gzip'], gzipSync(`"${'x'.repeat(2_000)}"`)),
      413,
      'too_large',
      '1000 bytes',
    ],
    [
      'an unknown charset',
      form(['Content-Type: text/plain; charset=klingon']),
      400,
      'charset_unknown',
      '"klingon"',
    ],
    [
      'another charset',
      form(['Content-Type: text/plain; charset=latin1'], `\uFEFF${JSON_TEXT}`),
      400,
      'charset_conflict',
      'latin1',
    ],
    ['another length', form(['Content-Length: 7']), 400, 'malformed_header', 'announces 7 bytes'],
    [
      'another digest',
      form([`Content-MD5: ${digest('md5', 'x').digest('base64')}`]),
      400,
      'digest_mismatch',
      'Content-MD5',
    ],
    ['half a digest', form(['Content-MD5: x']), 400, 'malformed_header', 'Content-MD5'],
    ['a range', form(['Content-Range: bytes 0-9/100']), 400, 'unsupported_header', 'content-range'],
    [
      'a header twice',
      form([`${CTE}8bit`, `${CTE}base64`]),
      400,
      'malformed_header',
      'Content-Transfer-Encoding',
    ],
    ['an invalid header', form(['nothing']), 400, 'malformed_multipart', 'invalid header'],
    ['long headers', form([`X-A: ${'x'.repeat(9_000)}`]), 400, 'malformed_body', 'do not end'],
  ])('is rejected by its name: %s', async (_, sent, status, code, says) => {
    expect(await rejection(sent)).toEqual({ status, code, message: expect.stringContaining(says) });
  });
});

/** The rows of the table in `docs/alerts.md`, for a request. */
describe('what a request says about its body', () => {
  const sent = (headers: IncomingHttpHeaders, body: string | Buffer = JSON_TEXT): Sent => ({
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const transfer = (encoding: string) => ({ 'content-transfer-encoding': encoding });

  test.each<[string, Sent]>([
    ['binary', sent(transfer('binary'))],
    ['quoted-printable', sent(transfer('quoted-printable'), QP)],
    ['base64', sent(transfer('BASE64'), base64(JSON_TEXT))],
    [
      'gzip of base64',
      sent({ ...transfer('base64'), 'content-encoding': 'gzip' }, gzipSync(base64(JSON_TEXT))),
    ],
    [
      'base64 of a form',
      sent(
        { ...transfer('base64'), 'content-type': 'application/x-www-form-urlencoded' },
        base64(`payload=${encodeURIComponent(JSON_TEXT)}`),
      ),
    ],
    [
      'base64 of a multipart body',
      sent({ ...transfer('base64'), 'content-type': TYPE }, base64(form([]).body)),
    ],
    [
      'digests of what was sent',
      sent(
        {
          'content-encoding': 'gzip',
          digest: `SHA-512=${digest('sha512', gzipSync(JSON_TEXT)).digest('base64')}`,
        },
        gzipSync(JSON_TEXT),
      ),
    ],
    [
      'harmless headers',
      sent({
        'content-language': 'de',
        'content-disposition': 'attachment; filename=x',
        'content-foo': 'bar',
      }),
    ],
  ])('is obeyed or harmless: %s', async (_, request) => {
    expect(await read(request)).toBe(JSON_TEXT);
  });

  test.each<[string, Sent, number, string, string]>([
    ['an unknown transfer encoding', sent(transfer('uuencode')), 415, 'unsupported_media_type', '"uuencode"'],
    ['JSON as base64', sent(transfer('base64')), 400, 'malformed_transfer_encoding', 'base64'],
    [
      'another digest',
      sent({ 'repr-digest': `sha-256=:${digest('sha256', 'x').digest('base64')}:` }),
      400,
      'digest_mismatch',
      'Repr-Digest',
    ],
    ['half a digest', sent({ 'content-digest': 'x' }), 400, 'malformed_header', 'Content-Digest'],
    ['a range', sent({ 'content-range': 'bytes 0-9/100' }), 400, 'unsupported_header', 'content-range'],
  ])('is rejected by its name: %s', async (_, request, status, code, says) => {
    expect(await rejection(request)).toEqual({ status, code, message: expect.stringContaining(says) });
  });

  test('reserves memory for a part that is decompressed', async () => {
    const reserve = () => {
      throw new Error('full');
    };
    await expect(read({ ...form(['Content-Encoding: gzip'], gzipSync(JSON_TEXT)), reserve })).rejects.toThrow(
      'full',
    );
  });
});

test.each<[IncomingHttpHeaders, number | null]>([
  [{ 'content-type': 'application/json; charset=klingon' }, 400],
  [{ 'content-type': 'application/xml' }, 415],
  [{ 'content-type': 'multipart/mixed; boundary=b' }, 415],
  [{ 'content-transfer-encoding': 'x-uuencode' }, 415],
  [{ 'content-range': 'bytes 0-9/100' }, 400],
  [{ 'content-type': 'text/plain; charset=shift_jis', 'content-transfer-encoding': 'base64' }, null],
  [{ 'content-type': 'multipart/form-data; boundary=b; charset=utf-16' }, null],
  [{}, null],
])('a body that cannot be accepted is known by its headers: %j', (headers, status) => {
  const statusOf = () => {
    try {
      return rejectByHeaders(headers) ?? null;
    } catch (error) {
      return (error as { status: number }).status;
    }
  };
  expect(statusOf()).toBe(status);
});

test.each([
  ['several parts', multipart(`${PART}\r\n\r\n{}`, `${PART}\r\n\r\n{}`), TYPE, 415, 'several parts'],
  ['a text', multipart(`${PART}\r\n\r\nhello`), TYPE, 415, 'not a JSON object or array'],
  [
    'another multipart',
    multipart(`${PART}\r\n\r\n{}`),
    TYPE.replace('form-data', 'mixed'),
    415,
    'multipart/mixed',
  ],
  ['no boundary', '--', 'multipart/form-data', 400, 'no boundary'],
  ['a body that is cut off', multipart(`${PART}\r\n\r\n{}`).subarray(0, -20), TYPE, 400, 'not complete'],
  ['broken JSON in a part', multipart(`${PART}\r\n\r\n{"a":x}`), TYPE, 400, 'line 1, column 6'],
])('says what is wrong with %s', async (_, body, type, status, message) => {
  expect(await rejection({ headers: { 'content-type': type }, body })).toMatchObject({
    status,
    message: expect.stringContaining(message),
  });
});
