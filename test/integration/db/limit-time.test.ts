import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectDatabase } from '../../../db/client/connect.js';
import { isTooSlow } from '../../../db/client/errors.js';
import { selectWithin } from '../../../db/client/limit-time.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
  await own.database('api_keys').insert(key('a'));
  await own.database('api_keys').insert(key('b'));
});
afterAll(() => own.drop());

const key = (id: string) => ({
  id,
  name: 'a?b',
  key_hash: Buffer.alloc(32, id),
  scopes: '',
  created_at: new Date(),
});

test('a SELECT within its limit returns its rows, including question marks', async () => {
  const rows = await selectWithin(
    own.database,
    own.database('api_keys').where({ name: 'a?b' }).select('name'),
    5_000,
  );
  expect(rows).toEqual([{ name: 'a?b' }, { name: 'a?b' }]);
});

test('the server ends a SELECT at its limit, with a recognizable error; other statements have no limit', async () => {
  const slow = (seconds: number) =>
    own.database('api_keys').select(own.database.raw('SLEEP(?) AS slept', [seconds]));
  const error = await selectWithin(own.database, slow(20), 200).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(isTooSlow(error)).toBe(true);
  expect(await slow(0.2)).toHaveLength(2);
});

test('a SELECT with its own limit may take longer than other statements of the pool', async () => {
  const strict = connectDatabase(own.url, { statementTimeoutMs: 100 });
  const slow = strict('api_keys').select(strict.raw('SLEEP(0.2) AS slept'));
  expect(await selectWithin(strict, slow, 5_000)).toHaveLength(2);
  await expect(strict('api_keys').select(strict.raw('SLEEP(0.2) AS slept'))).rejects.toThrow();
  await strict.destroy();
});
