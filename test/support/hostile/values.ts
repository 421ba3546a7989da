import fc from 'fast-check';
import { CANARY } from './scene.js';

/** Texts that programs take for something else, or cannot store. */
export const hostileText: fc.Arbitrary<string> = fc
  .oneof(
    fc.constantFrom(
      ...[
        '',
        ' ',
        '\0',
        'a\0b',
        '\ud800',
        '\udc00x',
        '\ufeff',
        '\u202e',
        '\u200b',
        '�',
        '\r\n',
        '\t',
        '=1+1',
        "'",
      ],
      ...[
        '__proto__',
        'constructor',
        'toString',
        'null',
        'undefined',
        'NaN',
        'true',
        '-1',
        '0',
        '1e309',
        '007',
        '٥',
      ],
      ...[
        '../../etc/passwd',
        '%00',
        '%zz',
        '<script>',
        '{{webhook}}',
        '{{#a}}',
        '$1',
        "' OR 1=1 --",
        '`',
        '(',
        '[',
      ],
      ...[
        '9007199254740993',
        '1'.repeat(400),
        'x'.repeat(5_000),
        '2026-02-30T00:00:00Z',
        '9999-12-31T23:59:59-23:59',
      ],
    ),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.string({ unit: 'binary', maxLength: 20 }),
  )
  .map((text) => (text.length > 2 ? text + CANARY : text));

/** JSON values that a schema rarely expects, as texts: some are numbers that JSON.parse would change. */
export const hostileJson: fc.Arbitrary<string> = fc.oneof(
  hostileText.map((text) => JSON.stringify(text)),
  fc.constantFrom(
    ...[
      'null',
      'true',
      '0',
      '-0',
      '1e308',
      '1e999',
      '0.1',
      '-1',
      '9007199254740993',
      `1${'0'.repeat(400)}`,
      '[]',
      '{}',
    ],
    ...['{"__proto__":{"a":1}}', '{"constructor":{"prototype":{}}}', '{"a":1,"a":2}', '[[[[[[[[[[]]]]]]]]]]'],
    `${'['.repeat(500)}${']'.repeat(500)}`,
  ),
  fc.json({ maxDepth: 3 }),
);

/** Bytes that stand for no JSON, or hardly. */
export const brokenJson: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '{',
    '[',
    '{"a"',
    '[1,',
    '"',
    'nul',
    '{}{}',
    '[]x',
    '\ufeff[]',
    "{'a':1}",
    '[1,]',
    '//',
    '\0',
  ),
  fc.uint8Array({ maxLength: 40 }),
  hostileJson.chain((text) => fc.nat(text.length).map((end) => text.slice(0, end))),
);

/** Cuts bytes, or replaces one of them. Often leaves them as they are. */
export const damaged = (bytes: fc.Arbitrary<Buffer>): fc.Arbitrary<Buffer> =>
  fc
    .tuple(bytes, fc.constantFrom('none', 'none', 'cut', 'byte'), fc.nat(), fc.nat(255))
    .map(([whole, kind, at, byte]) => {
      const place = whole.length === 0 ? 0 : at % whole.length;
      if (kind === 'cut') return whole.subarray(0, place);
      if (kind === 'none' || whole.length === 0) return whole;
      const changed = Buffer.from(whole);
      changed[place] = byte;
      return changed;
    });
