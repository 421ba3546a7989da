import { afterEach, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { parsePayload } from '../../../workers/mapping/index.js';

afterEach(() => {
  jest.restoreAllMocks();
});

test.each([
  { text: 'rose to 1.10 ' },
  { text: '"quoted" \\ 12345678901234567890, 1e5,' },
  { 'key: 1e5': 'at \\" 1.10 ' },
  { Message: JSON.stringify({ value: 'x', list: [1.5, '-0 ', ': 1.10 '] }) },
])('a number that only a string contains does not need the slow parser: %j', (payload) => {
  const text = JSON.stringify(payload);
  const parse = jest.spyOn(JSON, 'parse');
  expect(parsePayload(text)).toEqual({ value: payload });
  expect(parse).toHaveBeenCalledTimes(1);
});

test('a number outside of strings keeps its digits, whatever the strings before it contain', () => {
  const pieces = fc.constantFrom('"', '\\', ' 1.10 ', ':1e5', ',', '[', '\n', '12345678901234567890', 'ö');
  const string = fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join(''));
  const property = fc.property(
    fc.array(string, { maxLength: 5 }),
    fc.constantFrom('1.10', '1e5', '-0', '2'),
    (strings, number) => {
      const text = `{"a":${JSON.stringify(strings)},"n":${number}}`;
      const { value } = parsePayload(text) as { value: { a: string[]; n: unknown } };
      expect(value.a).toEqual(strings);
      expect(String(value.n)).toBe(number);
    },
  );
  fc.assert(property, { numRuns: 500 });
});
