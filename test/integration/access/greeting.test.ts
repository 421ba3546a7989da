import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { greetingProof, serverAddressAtServer } from '../../../api/access/greeting.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

const key = '0123456789abcdef'.repeat(4);
const nonce = 'ab'.repeat(32);

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ worker: false, env: { GREETING_KEY: key } });
});
afterAll(() => stack.stop());

const greet = (query: string) => fetch(`${stack.url}/greeting${query}`);

test('proves the key for one nonce and one address, without an API key', async () => {
  const response = await greet(`?nonce=${nonce}`);
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(await response.json()).toEqual({
    status: 'success',
    proof: greetingProof(key, nonce, `127.0.0.1 ${stack.port}`),
  });
  expect(greetingProof(key, nonce, `127.0.0.1 ${stack.port + 1}`)).not.toBe(
    greetingProof(key, nonce, `127.0.0.1 ${stack.port}`),
  );
});

test.each(['', '?nonce=', '?nonce=abc', `?nonce=${'AB'.repeat(32)}`, `?nonce=${nonce}&more=1`])(
  'a challenge that is invalid is rejected: %j',
  async (query) => {
    expect((await greet(query)).status).toBe(400);
  },
);

test('an IPv4 address equals its IPv6 form on a dual-stack socket', () => {
  const ends = { localAddress: '::ffff:127.0.0.1', localPort: 3000 } as Socket;
  expect(serverAddressAtServer(ends)).toBe('127.0.0.1 3000');
});

test('responds with 404 if the service was not started by npm start', async () => {
  const other = await startStack({ worker: false });
  expect((await fetch(`${other.url}/greeting?nonce=${nonce}`)).status).toBe(404);
  await other.stop();
});
