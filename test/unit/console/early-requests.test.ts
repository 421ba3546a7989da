import { afterAll, beforeEach, expect, jest, test } from '@jest/globals';
import { requestEarly, takeEarly } from '../../../api/console/http/early-requests.ts';

const ADDRESS = '/v2/alerts/1';
const KEY = 'key of Ada';

const clock = jest.spyOn(performance, 'now');
const sent: string[] = [];
const send = async (address: string) => {
  sent.push(address);
  return { to: address };
};

beforeEach(() => {
  clock.mockReturnValue(1_000);
  sent.splice(0);
  requestEarly(ADDRESS, KEY, send);
});
afterAll(() => clock.mockRestore());

test('a response is taken once, and was requested once', async () => {
  expect(await takeEarly(ADDRESS, KEY)).toEqual({ to: ADDRESS });
  expect(takeEarly(ADDRESS, KEY)).toBeUndefined();
  expect(sent).toEqual([ADDRESS]);
});

test.each(['key of Grace', null])(
  'a response is never shown to another key, and is gone when one has asked: %s',
  (other) => {
    expect(takeEarly(ADDRESS, other)).toBeUndefined();
    expect(takeEarly(ADDRESS, KEY)).toBeUndefined();
  },
);

test('a response is used for 5 s', async () => {
  clock.mockReturnValue(5_999);
  expect(await takeEarly(ADDRESS, KEY)).toEqual({ to: ADDRESS });
  requestEarly(ADDRESS, KEY, send);
  clock.mockReturnValue(10_999);
  expect(takeEarly(ADDRESS, KEY)).toBeUndefined();
});

test('another address has no response', () => {
  expect(takeEarly(`${ADDRESS}?limit=1`, KEY)).toBeUndefined();
  expect(takeEarly(ADDRESS, KEY)).toBeDefined();
});

test('a failure is thrown when the response is taken', async () => {
  requestEarly(ADDRESS, KEY, () => Promise.reject(new Error('Not found')));
  await expect(takeEarly(ADDRESS, KEY)).rejects.toThrow('Not found');
});

test('a failure that nobody takes is not reported', async () => {
  const unhandled = jest.fn();
  process.on('unhandledRejection', unhandled);
  requestEarly(ADDRESS, KEY, () => Promise.reject(new Error('Not found')));
  // Node reports a rejection after the microtasks.
  await new Promise(setImmediate);
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});
