import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findJsonFault } from '../../../workers/json/find-json-fault.js';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const isFaultless = (text: string): boolean => findJsonFault(Buffer.from(text)) === null;

const PIECES = [
  ...['{', '}', '[', ']', ',', ':', '"', '""', '"a"', '"a":', "'", '\\', '\\"', '\\u', '\\u00e9', '\\u00g9'],
  ...['0', '1', '-', '+', '.', 'e', 'E', '1.5', '-0', '1e9', '01', '1.', '1e', '1e+', '.5'],
  ...[
    'true',
    'false',
    'null',
    'tru',
    'NaN',
    'é',
    '\u{1f525}',
    ' ',
    '\n',
    '\t',
    '\r',
    '\u00a0',
    '\u0000',
    '\u001f',
    '\u007f',
  ],
];

test.each(PIECES)('agrees with JSON.parse about %j, alone and inside of brackets', (piece) => {
  for (const text of [
    piece,
    `[${piece}]`,
    `"${piece}"`,
    `{"a":${piece}}`,
    `[1,${piece}`,
    `${piece}${piece}`,
    ` ${piece} `,
  ])
    expect({ text, ok: isFaultless(text) }).toEqual({ text, ok: isJson(text) });
});

test('agrees with JSON.parse about any document and its changes', () => {
  const changed = fc
    .tuple(fc.json(), fc.nat(), fc.nat(3), fc.constantFrom('', ...PIECES))
    .map(([json, at, removed, piece]) => {
      const place = at % (json.length + 1);
      return json.slice(0, place) + piece + json.slice(place + removed);
    });
  const joined = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join(''));
  // Half of a surrogate pair cannot be written in UTF-8.
  const texts = fc.oneof(fc.json(), changed, joined).filter((text) => text.isWellFormed());
  fc.assert(
    fc.property(texts, (text) => expect(isFaultless(text)).toBe(isJson(text))),
    { numRuns: 5_000 },
  );
});

test('stops at the first place where a text cannot be JSON', () => {
  const places = [
    ['{"a":1,}', 7],
    ['[1 2]', 3],
    ['"a\nb"', 2],
    ['"é\\x"', 3],
    ['{"a" 1}', 5],
    ['[', 1],
    ['{}x', 2],
  ] as const;
  expect(places.map(([text]) => [text, findJsonFault(Buffer.from(text))?.at])).toEqual(places);
});

test('stops at a bracket that is too deep, and at a value that is too many', () => {
  expect(findJsonFault(Buffer.from('[[[]]]'), { maxDepth: 3 })).toBeNull();
  expect(findJsonFault(Buffer.from('[[[]]]'), { maxDepth: 2 })).toEqual({ at: 2, expected: 'depth' });
  expect(findJsonFault(Buffer.from('{"a":[1,2]}'), { maxValues: 4 })).toBeNull();
  expect(findJsonFault(Buffer.from('{"a":[1,2]}'), { maxValues: 3 })).toEqual({ at: 8, expected: 'values' });
});
