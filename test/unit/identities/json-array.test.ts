import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RecordCheck } from '../../../api/body/json/check-records.js';
import { IdentityJsonReader } from '../../../workers/identities/record/identity-json.js';
import { JsonArraySplitter } from '../../../workers/identities/record/json-array.js';
import { JsonArrayError } from '../../../workers/identities/record/json-array-error.js';
import { MAX_ELEMENT_BYTES, parseElement } from '../../../workers/identities/record/json-element.js';
import { cases } from '../../support/effort.js';

/** Reads a document in pieces of these sizes, in turn; returns the elements. */
function read(document: string | Buffer, sizes: readonly number[] = [7]): unknown[] {
  const bytes = Buffer.from(document as string);
  const splitter = new JsonArraySplitter();
  const elements: unknown[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] as number;
    for (const element of splitter.push(bytes.subarray(at, at + size))) {
      elements.push(element.text === null ? 'too large' : parseElement(element.text, element));
    }
    at += size;
  }
  splitter.finish();
  return elements;
}

function problemOf(document: string | Buffer, sizes?: readonly number[]): JsonArrayError {
  try {
    read(document, sizes);
  } catch (error) {
    if (error instanceof JsonArrayError) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
const shallow = fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 6 });
const spacing = fc.constantFrom(undefined, 1, '\t', '\n');

describe('a JSON array read in pieces', () => {
  test('has the elements that JSON.parse finds, wherever it is cut', () => {
    const property = fc.property(shallow, sizes, spacing, (value, sizes, space) => {
      const text = JSON.stringify(value, null, space);
      expect(read(text, sizes)).toEqual(JSON.parse(text));
    });
    fc.assert(property, { numRuns: 500 });
  });

  test('is accepted exactly if JSON.parse accepts it, whatever is broken in it', () => {
    const marks = fc.constantFrom(
      '',
      ',',
      ']',
      '[',
      '}',
      '{',
      '"',
      '\\',
      ':',
      ' ',
      'x',
      '\n',
      '1',
      'ü',
      '\0',
    );
    const property = fc.property(
      shallow,
      sizes,
      fc.nat(),
      fc.nat({ max: 3 }),
      marks,
      (value, sizes, at, cut, mark) => {
        const whole = JSON.stringify(value);
        const place = at % (whole.length + 1);
        const text = whole.slice(0, place) + mark + whole.slice(place + cut);
        const wanted = parsed(text);
        if (Array.isArray(wanted)) expect(read(text, sizes)).toEqual(wanted);
        else expect(problemOf(text, sizes)).toBeInstanceOf(JsonArrayError);
      },
    );
    fc.assert(property, { numRuns: cases(400) });
  });
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

test.each([
  ['', 'empty'],
  [' \n', 'empty'],
  ['[', 'cut_off'],
  ['[{"a":1', 'cut_off'],
  ['[1,', 'cut_off'],
  ['{}', 'not_an_array'],
  ['"[1]"', 'not_an_array'],
  ['{]', 'malformed'],
  ['[1,]', 'malformed'],
  ['[1] 2', 'malformed'],
  ['[1 2]', 'malformed'],
  ['[nul]', 'malformed'],
  [`[${'['.repeat(65)}`, 'too_deep'],
  [Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]), 'not_utf8'],
  [Buffer.from('[1]', 'utf16le'), 'malformed'],
])('%j is rejected as %s', (document, problem) => expect(problemOf(document).problem).toBe(problem));

test('a byte order mark in front of the array is skipped', () => {
  expect(read('\uFEFF [1]', [1])).toEqual([1]);
});

test('elements of 64 levels are read', () => {
  const deep = `[${'['.repeat(64)}${']'.repeat(64)}]`;
  expect(read(deep)).toEqual(JSON.parse(deep));
});

test('an element that is too large is skipped, and the one after it is read', () => {
  const large = JSON.stringify('ü\n'.repeat(MAX_ELEMENT_BYTES));
  expect(read(`[1,${large},{"a":[]}]`, [16_384])).toEqual([1, 'too large', { a: [] }]);
});

test('an element of too many values is skipped, and the one after it is read', () => {
  const commas = (count: number) => `{"a":[${'0,'.repeat(count)}0]}`;
  const many = JSON.parse(commas(999));
  expect(read(`[${commas(999)},${commas(1_000)},"${','.repeat(1_000)}"]`, [512])).toEqual([
    many,
    'too large',
    ','.repeat(1_000),
  ]);
});

test('the position of an error counts lines and columns of the whole document', () => {
  expect(problemOf('[\n {"a": "ü"},\n {"b": 1} ?]')).toMatchObject({ line: 3, column: 11 });
  expect(problemOf('[\n {"a": 1}, nul]')).toMatchObject({ line: 2, column: 11, text: '[nul]' });
});

test.each([
  ['[{"a":1},]', 'line 1, column 10. Remove the comma before this'],
  ['[\n{"a":1},\n,{"b":2}]', 'line 3, column 1. Remove this comma'],
  ['[,{"b":2}]', 'line 1, column 2. Remove this comma'],
  ['[{"a":1}} ]', 'line 1, column 9. A ] is missing before this'],
  ['[{"a":1} {"b":2}]', 'line 1, column 10. A comma is missing before this'],
  ['[{"a":1}]\n[{"b":2}]', 'line 2, column 1. The document ends before this. Send one document'],
  ['[{"a":1};', 'line 1, column 9. Write a comma in place of `;`'],
  ['[{"a":1} // b\n]', 'line 1, column 10. JSON has no comments'],
  ['[{"a":"D:\\"},{"b":2}]', 'line 1, column 10. This backslash escapes the quote'],
  ['[{"a":1},{"b":007}]', 'line 1, column 15. `007` is not a number of JSON'],
])('the message for %j says where and why: %s', (document, says) => {
  const check = new RecordCheck({ reader: new IdentityJsonReader('assert', false), shape: 'records' });
  check.take(Buffer.from(document));
  expect(check.finish()?.message).toContain(`The body is not valid JSON: syntax error at ${says}`);
});
