import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseQuery, queryPairs } from '../../../api/http/parse-query.js';
import { expectQuick } from '../../support/cpu-time.js';

test('decodes parameters, and lists the values of a repeated one', () => {
  expect({ ...parseQuery('a=1&b=x%20y+z&a=2&c&a=%zz') }).toEqual({ a: ['1', '2', '%zz'], b: 'x y z', c: '' });
});

test('the names of an object are parameters like any other', () => {
  const query = parseQuery('__proto__=1&__proto__=2&constructor=3');
  expect(Object.entries(query)).toEqual([
    ['__proto__', ['1', '2']],
    ['constructor', '3'],
  ]);
  expect(parseQuery('a=1').toString).toBeUndefined();
});

test('reads the pairs of any query as URLSearchParams does', () => {
  // URLSearchParams keeps only the lowest byte of other characters if some bytes are not UTF-8.
  const piece = fc.constantFrom(
    'a',
    '=',
    '&',
    '+',
    '%',
    '%2',
    '%26',
    '%C3%A9',
    '%f0',
    '%ff',
    '%ed%a0%80',
    '%00',
    '?',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(piece).map((pieces) => pieces.join('')),
        fc.webQueryParameters(),
      ),
      (query) => {
        // A query begins with the question mark that URLSearchParams removes.
        expect(queryPairs(query)).toEqual([...new URLSearchParams(`?${query}`)]);
      },
    ),
    { numRuns: 700 },
  );
});

test.each([
  ['escapes that are not UTF-8', '%f0=%f0&'.repeat(2_000)],
  ['one name', 'a&'.repeat(8_000)],
  ['many names', Array.from({ length: 4_000 }, (_, i) => i.toString(36)).join('&')],
])('takes time that grows with the text and not faster: %s', (_, text) => {
  expectQuick(() => parseQuery(text));
});
