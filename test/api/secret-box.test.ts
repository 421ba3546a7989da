import { expect, test } from '@jest/globals';
import { SecretBox } from '../../api/secret-box.js';
import { readApiSettings } from '../../api/settings.js';

test('a secret opens under its key and for its owner alone', () => {
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

test('without SECRET_KEY the API says what is missing and how to make one', () => {
  const env = { DATABASE_URL: 'mysql://a:b@localhost/c', REDIS_URL: 'redis://localhost' };
  expect(() => readApiSettings(env)).toThrow(/SECRET_KEY: is missing.*openssl rand/s);
});
