import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { jsonMembers } from '../../../workers/identities/record/json-members.js';

test('the members of an object are those that JSON.parse finds', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 });
  const property = fc.property(object, fc.constantFrom(undefined, 2), (value, space) => {
    const text = JSON.stringify(value, null, space);
    const members = jsonMembers(text);
    const parsed = JSON.parse(text);
    expect(new Set(members.map(({ name }) => name))).toEqual(new Set(Object.keys(parsed)));
    expect(members).toHaveLength(Object.keys(parsed).length);
    for (const { name, literal } of members) {
      if (literal !== '') expect(JSON.parse(literal)).toEqual(parsed[name]);
      else expect(typeof parsed[name]).toBe('object');
    }
  });
  fc.assert(property, { numRuns: 500 });
});

test('repeated names are all listed, escaped ones too, but not those of inner objects', () => {
  const text = String.raw`{"a":1.0,"b":{"a":2,"a":[3,{"a":4}]},"\u0061" : "x:,\"}" ,"c":[]}`;
  expect(jsonMembers(text)).toEqual([
    { name: 'a', literal: '1.0' },
    { name: 'b', literal: '' },
    { name: 'a', literal: String.raw`"x:,\"}"` },
    { name: 'c', literal: '' },
  ]);
});

test('an empty object has no members', () => expect(jsonMembers(' { } ')).toEqual([]));
