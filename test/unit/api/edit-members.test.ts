import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { editMembers, memberOf } from '../../../api/routes/dialects/edit-members.js';
import { cases } from '../../support/effort.js';

test('what stays keeps its text', () => {
  const text = ' {"a" : 1.10, "\\u0062":[{"x":"}\\"]"},12345678901234567890] ,"c":{}, "a":null}\n';
  expect(editMembers(text, { a: undefined })).toBe(
    '{"\\u0062":[{"x":"}\\"]"},12345678901234567890] ,"c":{}}',
  );
  expect(editMembers(text, { b: 'x', d: { y: 1 } })).toBe(
    '{"b":"x","d":{"y":1},"a" : 1.10,"c":{}, "a":null}',
  );
  expect(editMembers('{}', { a: undefined })).toBe('{}');
  expect(memberOf(text, 'a')).toBeNull();
  expect(memberOf(text, 'x')).toBeUndefined();
  expect(memberOf('{"\\u0061":"b"}', 'a')).toBe('b');
  expect(memberOf(`{"a":"${'x'.repeat(2_000)}"}`, 'a')).toHaveLength(2_002);
});

const name = fc.oneof(fc.constantFrom('a', 'b', '"', '__proto__', ''), fc.string({ unit: 'binary' }));

test('the object is what changing its members gives', () => {
  fc.assert(
    fc.property(
      fc.dictionary(name, fc.jsonValue()),
      fc.dictionary(name, fc.oneof(fc.string(), fc.constant(undefined))),
      fc.constantFrom(undefined, 2),
      (object, changes, indent) => {
        const text = JSON.stringify(object, null, indent);
        const expected = JSON.parse(JSON.stringify({ ...object, ...changes }));
        expect(JSON.parse(editMembers(text, changes))).toEqual(expected);
        // A member is indented within the object, and a value of more than 1,000 characters is not parsed.
        for (const one of Object.keys(object))
          if (JSON.stringify({ '': object[one] }, null, indent).length < 1_000)
            expect(memberOf(text, one)).toEqual(JSON.parse(text)[one]);
      },
    ),
    { numRuns: cases(300) },
  );
});
