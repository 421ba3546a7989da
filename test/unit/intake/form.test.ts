import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { jsonText } from '../../../api/intake/request/event-text.js';

const FORM = 'application/x-www-form-urlencoded';
const MIB = 1024 * 1024;

const textOf = (body: string, contentType: string | undefined = FORM, limit = MIB) =>
  jsonText(Buffer.from(body), contentType, limit);

describe('a form with a single field that holds JSON is that JSON', () => {
  test.each([
    [`payload=${encodeURIComponent('{"a":[1.10,"é"]}')}`, '{"a":[1.10,"é"]}'],
    ['payload=%7B%22a%22%3A+1%7D', '{"a": 1}'],
    ['message=[1,2]', '[1,2]'],
  ])('%s', (form, json) => expect(textOf(form)).toBe(json));
});

describe('any other form becomes an object of texts', () => {
  test.each([
    ['a=1&b=true', '{"a":"1","b":"true"}'],
    ['a=1&a=2&b=', '{"a":["1","2"],"b":""}'],
    ['value=5', '{"value":"5"}'],
    ['payload={}&other=1', '{"payload":"{}","other":"1"}'],
    ['payload={}&payload={}', '{"payload":["{}","{}"]}'],
    ['a=b+c%20d%0A', '{"a":"b c d\\n"}'],
    ['caf%C3%A9=%C3%A9', '{"café":"é"}'],
    ['rate=100%&x=%zz', '{"rate":"100%","x":"%zz"}'],
    ['&&a=b&', '{"a":"b"}'],
    ['flag&a=b', '{"flag":"","a":"b"}'],
    ['__proto__=a&constructor=b', '{"__proto__":"a","constructor":"b"}'],
  ])('%s', (form, json) => expect(textOf(form)).toBe(json));
});

describe('the content is JSON, whatever the type says', () => {
  test.each([['{"a":1}'], ['[1]'], ['"a=b"'], ['12'], ['null'], ['\uFEFF{"a":1}']])('%s', (body) =>
    expect(textOf(body)).toBe(body),
  );
});

test.each([
  ['{"a":1', FORM],
  ['{"a":"b=c"', FORM],
  [' [1,', FORM],
  ['hello', FORM],
  ['a=b', 'text/plain'],
  ['a=b', 'application/x-www-form-urlencoded2'],
])('%s with type %s is not a form', (body, contentType) => {
  expect(() => textOf(body, contentType)).toThrow(expect.objectContaining({ code: 'malformed_json' }));
});

test.each([[FORM.toUpperCase()], [`${FORM};charset=utf-8`], [` ${FORM} ; charset=utf-8`]])(
  '"%s" is the type of a form',
  (contentType) => expect(textOf('a=b', contentType)).toBe('{"a":"b"}'),
);

test('limits hold for the JSON that a form becomes', () => {
  const deep = `payload=${'['.repeat(65)}${']'.repeat(65)}`;
  expect(() => textOf(deep)).toThrow(expect.objectContaining({ code: 'too_deep' }));
  expect(() => textOf(`a=${'"'.repeat(600)}`, FORM, 1_000)).toThrow(expect.objectContaining({ status: 413 }));
});

test('a form whose only field begins like an object is rejected with the cause if it is broken', () => {
  for (const broken of ['{"a":1', '{"a":"b"c"}', '[{"a":1,}]', ' { "a": 007 }'])
    expect(() => textOf(`payload=${encodeURIComponent(broken)}`)).toThrow(
      expect.objectContaining({
        status: 400,
        code: 'malformed_json',
      }),
    );
  const title = '[FIRING:1] Disk full';
  expect(textOf(`title=${encodeURIComponent(title)}`)).toBe(JSON.stringify({ title }));
});

test('a form has at most 1,000 fields', () => {
  const fields = (count: number) => Array.from({ length: count }, (_, i) => `a${i}=1`).join('&&');
  expect(Object.keys(JSON.parse(textOf(fields(1_000))))).toHaveLength(1_000);
  expect(() => textOf(fields(1_001))).toThrow(
    expect.objectContaining({ status: 413, message: 'The form has more than 1,000 fields.' }),
  );
});

test('every form that a browser encodes becomes the object of its fields', () => {
  const field = fc.tuple(fc.string({ minLength: 1, unit: 'grapheme' }), fc.string({ unit: 'grapheme' }));
  const property = fc.property(fc.array(field, { minLength: 2, maxLength: 20 }), (fields) => {
    const form = new URLSearchParams(fields);
    const expected = new Map([...form.keys()].map((name) => [name, form.getAll(name)]));
    const made = JSON.parse(textOf(form.toString())) as Record<string, string | string[]>;
    expect(new Map(Object.entries(made).map(([name, values]) => [name, [values].flat()]))).toEqual(expected);
  });
  fc.assert(property);
});
