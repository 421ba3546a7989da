import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { indentJson, isJson } from '../../../api/console/parts/values/json-text.js';

describe('indented JSON', () => {
  test('equals the output of JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, '\t', 1), (value, space) => {
        const sent = JSON.stringify(value, null, space);
        expect(indentJson(sent)).toBe(JSON.stringify(JSON.parse(sent), null, 2));
      }),
      { numRuns: 500 },
    );
  });

  test('keeps digits, repeated keys, escapes and brackets in strings', () => {
    const sent = '{"big":12345678901234567890,"e":1E400,"a":1,"a":-0.0,"s":"\\u0041 {[,:]} \\"x\\\\"}';
    expect(indentJson(sent)).toBe(
      [
        '{',
        '  "big": 12345678901234567890,',
        '  "e": 1E400,',
        '  "a": 1,',
        '  "a": -0.0,',
        '  "s": "\\u0041 {[,:]} \\"x\\\\"',
        '}',
      ].join('\n'),
    );
  });

  test('closes empty objects and lists on the same line, at any depth', () => {
    expect(indentJson('[{},[ ],{"a":[]}]')).toBe('[\n  {},\n  [],\n  {\n    "a": []\n  }\n]');
  });

  test('drops a byte order mark', () => {
    expect(indentJson('\uFEFF{"a":1}')).toBe('{\n  "a": 1\n}');
  });

  test.each(['', '{"broken": ', 'text', '{} {}'])('is null for invalid JSON: %j', (text) => {
    expect(indentJson(text)).toBeNull();
    expect(isJson(text)).toBe(false);
  });
});
