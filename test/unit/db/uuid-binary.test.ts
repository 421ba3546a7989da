import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fromUuidBinary, toUuidBinary } from '../../../db/bulk/uuid-binary.js';

test('a UUID is converted there and back, in lower case', () => {
  const property = fc.property(fc.uuid(), fc.boolean(), (uuid, upper) => {
    const bytes = toUuidBinary(upper ? uuid.toUpperCase() : uuid);
    expect(bytes.length).toBe(16);
    expect(fromUuidBinary(bytes)).toBe(uuid);
  });
  fc.assert(property);
});

test('any other text becomes the bytes of its hexadecimal digits', () => {
  const character = fc.constantFrom(...'0123456789abcdefABCDEF--gé\u0000 ');
  const short = fc.array(character, { maxLength: 45 }).map((characters) => characters.join(''));
  const nearlyUuid = fc
    .tuple(fc.uuid(), fc.nat(35), character)
    .map(([uuid, at, one]) => uuid.slice(0, at) + one + uuid.slice(at + 1));
  const property = fc.property(fc.oneof(short, nearlyUuid), (text) => {
    expect(toUuidBinary(text)).toEqual(Buffer.from(text.replaceAll('-', ''), 'hex'));
  });
  fc.assert(property, { numRuns: 700 });
});
