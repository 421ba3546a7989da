import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { jsonText } from '../../../api/intake/request/event-text.js';

const MIB = 1024 * 1024;
const JSON_TYPE = 'application/json';
const UMLAUTS = '{"a":"Störung in Gebäude €"}';

const textOf = (body: Buffer | string, contentType: string | undefined = JSON_TYPE, limit = MIB) =>
  jsonText(Buffer.from(body), contentType, limit);

/** Returns what a sender gets for a body. */
function rejectionOf(body: Buffer | string, contentType?: string, limit?: number) {
  try {
    return textOf(body, contentType, limit);
  } catch (error) {
    const { status, code, message } = error as { status: number; code: string; message: string };
    return { status, code, message };
  }
}

const utf16 = (text: string) => Buffer.from(text, 'utf16le');

describe('a body is decoded from the charset that is declared', () => {
  test.each<[string, Buffer]>([
    ['ISO-8859-1', Buffer.from(UMLAUTS.replace('€', '\x80'), 'latin1')],
    ['windows-1252', Buffer.from(UMLAUTS.replace('€', '\x80'), 'latin1')],
    ['"utf-16le"', utf16(UMLAUTS)],
    ['utf-16be', utf16(UMLAUTS).swap16()],
    ['utf-16', utf16(UMLAUTS)],
    ['utf-16', utf16(UMLAUTS).swap16()],
    ['utf-16', utf16(`\uFEFF${UMLAUTS}`)],
    ['UTF-8', Buffer.from(UMLAUTS)],
    ['us-ascii', Buffer.from(UMLAUTS)],
  ])('%s', (charset, body) => expect(textOf(body, `${JSON_TYPE}; charset=${charset}`)).toBe(UMLAUTS));

  test('and without one from that of its byte order mark', () => {
    expect(textOf(utf16(`\uFEFF${UMLAUTS}`))).toBe(UMLAUTS);
    expect(textOf(utf16(`\uFEFF${UMLAUTS}`).swap16(), undefined)).toBe(UMLAUTS);
    expect(textOf(`\uFEFF${UMLAUTS}`)).toBe(`\uFEFF${UMLAUTS}`);
  });

  test('a form too, of which the escapes are in the charset', () => {
    const type = 'application/x-www-form-urlencoded';
    expect(textOf('a=%93%FA&b=1', `${type}; charset=shift_jis`)).toBe('{"a":"日","b":"1"}');
    expect(textOf(utf16('a=%C3%B6&b=ö'), `${type}; charset=utf-16`)).toBe('{"a":"ö","b":"ö"}');
  });
});

describe('a body whose charset is wrong is rejected with its name', () => {
  test.each<[string, Buffer, string | undefined, object]>([
    [
      'unknown',
      Buffer.from('{}'),
      'klingon',
      { status: 400, code: 'charset_unknown', message: expect.stringContaining('"klingon"') },
    ],
    [
      'other than the byte order mark',
      Buffer.from('\uFEFF{}'),
      'latin1',
      { status: 400, code: 'charset_conflict', message: expect.stringContaining('latin1') },
    ],
    [
      'other than the byte order mark',
      utf16('\uFEFF{}'),
      'utf-8',
      { status: 400, code: 'charset_conflict', message: expect.stringContaining('utf-16le') },
    ],
    [
      'not that of the bytes',
      Buffer.from([0x22, 0x81, 0x22]),
      'shift_jis',
      { status: 400, code: 'malformed_json', message: expect.stringContaining('shift_jis') },
    ],
    [
      'missing',
      Buffer.from([0x22, 0xf6, 0x22]),
      undefined,
      { status: 400, code: 'malformed_json', message: expect.stringContaining('charset=iso-8859-1') },
    ],
  ])('%s', (_, body, charset, rejection) =>
    expect(rejectionOf(body, charset && `${JSON_TYPE}; charset=${charset}`)).toEqual(rejection),
  );
});

describe('the fields of a form', () => {
  const FORM = 'application/x-www-form-urlencoded';
  const utf8 = `${FORM}; charset=utf-8`;

  test.each([
    ['its own charset', 'a=%93%FA&_charset_=shift_jis', FORM, '{"a":"日"}'],
    [
      'its own charset and a document',
      'payload=%7B%22a%22%3A%22%FC%22%7D&_charset_=ISO-8859-1',
      FORM,
      '{"a":"ü"}',
    ],
    ['the same charset twice', 'a=%C3%BC&_charset_=UTF-8', utf8, '{"a":"ü"}'],
    ['another name of it', 'a=%C3%BC&_charset_=utf8', `${FORM}; charset=us-ascii`, '{"a":"ü"}'],
    ['the charset of the type', 'a=%FC', `${FORM}; charset=iso-8859-1`, '{"a":"ü"}'],
  ])('are in %s', (_, body, type, text) => expect(textOf(body, type)).toBe(text));

  test.each([
    ['a=%FC', utf8, 'malformed_body', 'charset utf-8'],
    ['a=%C3%28%FF', utf8, 'malformed_body', 'charset utf-8'],
    ['%FC=a', utf8, 'malformed_body', 'charset utf-8'],
    ['a=%D6%D0', FORM, 'malformed_body', 'charset=iso-8859-1'],
    ['a=%FC&_charset_=utf-8', FORM, 'malformed_body', 'charset utf-8'],
    ['a=%FC&_charset_=iso-8859-1', utf8, 'charset_conflict', 'names iso-8859-1'],
    ['a=%FC&_charset_=klingon', FORM, 'charset_unknown', '"klingon"'],
  ])('%s with %s is rejected', (body, type, code, says) =>
    expect(rejectionOf(body, type)).toEqual({ status: 400, code, message: expect.stringContaining(says) }),
  );
});

test.each<[string, Buffer | number[], string | undefined, string]>([
  ['gzip', gzipSync('{}'), undefined, 'Content-Encoding: gzip'],
  ['zlib', deflateSync('{"a":"ü"}'), undefined, 'Content-Encoding: deflate'],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd, 0x24], undefined, 'a zstd file'],
  ['a picture', [0x89, 0x50, 0x4e, 0x47, 0x0d], undefined, 'a PNG image'],
  ['MessagePack', [0x82, 0xa1, 0x61, 0x01, 0xa1, 0x62, 0xc3], undefined, 'is binary'],
  ['Protocol Buffers', [0x0a, 0x03, 0x66, 0x6f, 0xf6, 0x10, 0x01], undefined, 'is binary'],
  ['UTF-32', [0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0], undefined, 'utf-32le'],
  ['not the declared UTF-8', [0x22, 0xf6, 0x22], 'utf-8', 'although it is sent with the charset utf-8'],
  ['not the declared ASCII', [0x22, 0xf6, 0x22], 'us-ascii', 'although it is sent with the charset us-ascii'],
])('a body that is %s is named, and the remedy fits', (_, body, charset, says) => {
  const type = charset && `${JSON_TYPE}; charset=${charset}`;
  const { message } = rejectionOf(Buffer.from(body as number[]), type) as { message: string };
  expect(message).toContain(says);
  expect(message).not.toContain('charset=iso-8859-1');
});

test('the limit holds for the text in UTF-8', () => {
  const body = Buffer.from(`"${'ö'.repeat(60)}"`, 'latin1');
  expect(rejectionOf(body, `${JSON_TYPE}; charset=latin1`, 100)).toMatchObject({ status: 413 });
  expect(textOf(body, `${JSON_TYPE}; charset=latin1`, 122)).toHaveLength(62);
});

test.each([
  ['XML', '<alert/>', 'application/xml', 'application/xml'],
  ['XML with the type of a form', '<event id="1"/>', 'application/x-www-form-urlencoded', 'begins like XML'],
  ['XML with the type of JSON', '<alert/>', 'application/json', 'begins like XML'],
  [
    'a multipart body with the type of a form',
    '--B\r\nContent-Disposition: form-data; name="a"\r\n\r\n{}\r\n--B--',
    'application/x-www-form-urlencoded',
    'begins like a multipart body',
  ],
  ['XML by its suffix', '<alert/>', 'application/soap+xml; charset=utf-8', 'application/soap+xml'],
])('says what is wrong with %s', (_, body, type, message) => {
  expect(rejectionOf(body, type)).toEqual({
    status: 415,
    code: 'unsupported_media_type',
    message: expect.stringContaining(message),
  });
});

test('XML is only a type: JSON is JSON', () => expect(textOf('{"a":1}', 'text/xml')).toBe('{"a":1}'));
