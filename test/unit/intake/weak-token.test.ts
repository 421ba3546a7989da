import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { weaknessOf } from '../../../api/intake/weak-token.js';
import { randomBase62 } from '../../../db/access/base62.js';

test('accepts what products make at random', () => {
  for (let i = 0; i < 2_000; i++) {
    const made = [
      ...[randomUUID(), randomUUID().toUpperCase(), randomBase62(32), randomBase62(23)],
      ...[randomBytes(15), randomBytes(16), randomBytes(20), randomBytes(64)].map((bytes) =>
        bytes.toString('hex'),
      ),
    ];
    for (const token of made) expect([token, weaknessOf(token)]).toEqual([token, null]);
  }
});

test.each([
  ['short', 'k3J9xQ2pLm8'],
  ['with a space', 'k3J9xQ2pLm8 k3J9xQ2pLm8v'],
  ['that needs an escape', 'k3J9xQ2pLm8/k3J9xQ2pLm8v'],
  ['of digits', '48151623421988520147'],
  ['of few digits', '5f0c2a0e9d1b4c578f43'],
  ['of one character', 'a'.repeat(32)],
  ['that repeats a part', 'k3J9xQ2pk3J9xQ2pk3J9xQ2pk3J9xQ2p'],
  ['in the order of the alphabet', '0123456789abcdefghijklmnopqrstuv'],
  ['of words', 'opsgenie-api-key-of-the-platform-team'],
  ['that is masked', '********************************'],
  ['of a nil UUID', '00000000-0000-0000-0000-000000000000'],
  ['of a UUID of a time', 'c232ab00-9414-11ec-b3c8-9f6bdeced846'],
])('rejects a token %s', (_what, token) => {
  expect(weaknessOf(token)).toMatch(/^(?:must be|could be guessed|is a UUID)/);
});
