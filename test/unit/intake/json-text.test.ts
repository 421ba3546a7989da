import { describe, expect, test } from '@jest/globals';
import { jsonText } from '../../../api/intake/request/json-text.js';

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

test('the limit holds for the text in UTF-8', () => {
  const body = Buffer.from(`"${'ö'.repeat(60)}"`, 'latin1');
  expect(rejectionOf(body, `${JSON_TYPE}; charset=latin1`, 100)).toMatchObject({ status: 413 });
  expect(textOf(body, `${JSON_TYPE}; charset=latin1`, 122)).toHaveLength(62);
});

const BOUNDARY = 'multipart/form-data; boundary=----b1';
const PART = 'Content-Disposition: form-data; name="payload"';
const multipart = (...parts: string[]) =>
  `${parts.map((part) => `------b1\r\n${part}\r\n`).join('')}------b1--\r\n`;

describe('multipart/form-data with a single field that holds JSON is that JSON', () => {
  test.each([
    ['a field', multipart(`${PART}\r\n\r\n{"a": 1.10}`), '{"a": 1.10}'],
    ['a file', multipart(`${PART}; filename="a.json"\r\nContent-Type: application/json\r\n\r\n[1]`), '[1]'],
    ['a preamble', `nothing\r\n${multipart(`${PART}\r\n\r\n{}`)}`, '{}'],
    ['line breaks', multipart(`${PART}\r\n\r\n{\r\n"a":1}\r\n`), '{\r\n"a":1}\r\n'],
    ['no headers', multipart('\r\n{}'), '{}'],
    [
      'an encoding that changes nothing',
      multipart(`${PART}\r\nContent-Transfer-Encoding: 8bit\r\n\r\n{}`),
      '{}',
    ],
  ])('%s', (_, body, json) => expect(textOf(body, BOUNDARY)).toBe(json));

  test('in the charset of the part', () => {
    const body = multipart(`${PART}\r\nContent-Type: application/json; charset=latin1\r\n\r\n{"a":"ö"}`);
    expect(textOf(Buffer.from(body, 'latin1'), BOUNDARY)).toBe('{"a":"ö"}');
  });
});

test.each([
  ['several parts', multipart(`${PART}\r\n\r\n{}`, `${PART}\r\n\r\n{}`), BOUNDARY, 415, 'several parts'],
  ['a text', multipart(`${PART}\r\n\r\nhello`), BOUNDARY, 415, 'not a JSON object or array'],
  [
    'an encoded part',
    multipart(`${PART}\r\nContent-Transfer-Encoding: base64\r\n\r\ne30=`),
    BOUNDARY,
    415,
    '"base64"',
  ],
  [
    'another multipart',
    multipart(`${PART}\r\n\r\n{}`),
    BOUNDARY.replace('form-data', 'mixed'),
    415,
    'multipart/mixed',
  ],
  ['XML', '<alert/>', 'application/xml', 415, 'application/xml'],
  [
    'XML with the type of a form',
    '<event id="1"/>',
    'application/x-www-form-urlencoded',
    415,
    'begins like XML',
  ],
  ['XML with the type of JSON', '<alert/>', 'application/json', 415, 'begins like XML'],
  [
    'a multipart body with the type of a form',
    '--B\r\nContent-Disposition: form-data; name="a"\r\n\r\n{}\r\n--B--',
    'application/x-www-form-urlencoded',
    415,
    'begins like a multipart body',
  ],
  ['XML by its suffix', '<alert/>', 'application/soap+xml; charset=utf-8', 415, 'application/soap+xml'],
  ['no boundary', '--', 'multipart/form-data', 400, 'no boundary'],
  ['a body that is cut off', multipart(`${PART}\r\n\r\n{}`).slice(0, -20), BOUNDARY, 400, 'not complete'],
  ['broken JSON in a part', multipart(`${PART}\r\n\r\n{"a":x}`), BOUNDARY, 400, 'line 1, column 6'],
])('says what is wrong with %s', (_, body, type, status, message) => {
  expect(rejectionOf(body, type)).toMatchObject({ status, message: expect.stringContaining(message) });
  if (status === 415) expect(rejectionOf(body, type)).toMatchObject({ code: 'unsupported_media_type' });
});

test('XML and multipart are only types: JSON is JSON', () => {
  for (const type of ['text/xml', 'multipart/form-data', 'multipart/mixed'])
    expect(textOf('{"a":1}', type)).toBe('{"a":1}');
});
