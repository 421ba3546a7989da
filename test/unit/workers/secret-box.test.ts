import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { readApiSettings } from '../../../api/settings.js';
import { SecretBox } from '../../../workers/process/secret-box.js';

test('a secret can only be decrypted with its key and for its owner', () => {
  const box = new SecretBox('one secret key for all');
  const sealed = box.seal('token', 'webhook 1');
  expect(box.open(sealed, 'webhook 1')).toBe('token');
  expect(box.seal('token', 'webhook 1').equals(sealed)).toBe(false);
  expect(box.open(sealed, 'webhook 2')).toBeNull();
  expect(new SecretBox('another secret key').open(sealed, 'webhook 1')).toBeNull();
  const damaged = Buffer.from(sealed);
  damaged[damaged.length - 1] = (damaged.at(-1) as number) ^ 1;
  expect(box.open(damaged, 'webhook 1')).toBeNull();
  expect(box.open(Buffer.of(9), 'webhook 1')).toBeNull();
});

/** Returns a value in the format of releases without key ids. */
function sealWithoutKeyId(secretKey: string, text: string, owner: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'muster secrets at rest', 32));
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(owner));
  const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
  return Buffer.concat([Buffer.of(1), iv, cipher.getAuthTag(), sealed]);
}

test('during a rotation, secrets of the old key can be decrypted, and new secrets do not need the old key', () => {
  const [before, during, after] = [
    new SecretBox('old key'),
    new SecretBox('new key', 'old key'),
    new SecretBox('new key'),
  ];
  const old = before.seal('token', 'webhook 1');
  expect(during.open(old, 'webhook 1')).toBe('token');
  expect([during.stateOf(old, 'webhook 1'), after.stateOf(old, 'webhook 1')]).toEqual(['old', 'unreadable']);
  const sealed = during.seal('token', 'webhook 1');
  expect(after.open(sealed, 'webhook 1')).toBe('token');
  expect(before.open(sealed, 'webhook 1')).toBeNull();
  expect(after.stateOf(sealed, 'webhook 1')).toBe('current');
});

test('a value without a key id can be decrypted with the current and the old key, and should be re-encrypted', () => {
  const sealed = sealWithoutKeyId('old key', 'token', 'webhook 1');
  for (const box of [new SecretBox('old key'), new SecretBox('new key', 'old key')]) {
    expect(box.open(sealed, 'webhook 1')).toBe('token');
    expect(box.open(sealed, 'webhook 2')).toBeNull();
    expect(box.stateOf(sealed, 'webhook 1')).toBe('old');
  }
  expect(new SecretBox('new key').open(sealed, 'webhook 1')).toBeNull();
});

test.each([
  ['openssl rand -base64 32', randomBytes(32).toString('base64'), true],
  ['openssl rand -hex 32', randomBytes(32).toString('hex'), true],
  ['base64url', randomBytes(33).toString('base64url'), true],
  ['31 bytes', randomBytes(31).toString('base64'), false],
  ['31 bytes of hex', randomBytes(31).toString('hex'), false],
  ['a sentence', 'correct horse battery staple, and then some more words', false],
  ['one character', 'A'.repeat(64), false],
])('SECRET_KEY from %s', (_, SECRET_KEY, accepted) => {
  const read = () =>
    readApiSettings({
      DATABASE_URL: 'mysql://a:b@localhost/c',
      REDIS_URL: 'redis://localhost',
      SECRET_KEY,
      SECRET_KEY_OLD: 'short',
    });
  if (accepted) expect(read()).toMatchObject({ secretKey: SECRET_KEY, secretKeyOld: 'short' });
  else expect(read).toThrow(/SECRET_KEY: must be at least 32 random bytes.*openssl rand -base64 32/);
});

test('without SECRET_KEY, the error says that it is required and how to generate one', () => {
  const env = { DATABASE_URL: 'mysql://a:b@localhost/c', REDIS_URL: 'redis://localhost' };
  expect(() => readApiSettings(env)).toThrow(/SECRET_KEY: is required.*openssl rand/s);
});
