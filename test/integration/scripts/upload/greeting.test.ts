import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { greetingProof, serverAddressAtServer } from '../../../../api/access/greeting.js';
import { desk, good, greetingKey, header, jobs, proxy, storedRows, upload, useDesk } from './desk.js';

useDesk();

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** The environment of a user who only set DATA_DIR. */
const nothingSet = { MUSTER_URL: '', MUSTER_API_KEY: '' };

/** Writes the record that a running `npm start` keeps in its data directory. */
function record(address: string, key = greetingKey): void {
  writeFileSync(desk.file, header + good('ann'));
  mkdirSync(join(desk.folder, 'run'));
  writeFileSync(join(desk.folder, 'address'), `${address}\n`);
  writeFileSync(join(desk.folder, 'api-key'), `${desk.key}\n`);
  writeFileSync(join(desk.folder, 'run', 'greeting-key'), `${key}\n`);
}

/** Starts a foreign server on a port of this machine. It records everything that it receives. */
async function stranger(respond: (request: IncomingMessage) => { body: string; close?: boolean }) {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(`${request.method} ${request.url?.replace(/=.*/, '')} ${request.headers.authorization}`);
    const { body, close } = respond(request);
    if (close) response.setHeader('Connection', 'close');
    response.end(body);
  });
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const proofFor = (key: string, request: IncomingMessage): string => {
  const nonce = new URL(request.url ?? '', 'http://a').searchParams.get('nonce') ?? '';
  return JSON.stringify({
    status: 'success',
    proof: greetingProof(key, nonce, serverAddressAtServer(request.socket)),
  });
};

test('finds the address and the key of a local start, whatever its port', async () => {
  record(desk.stack.url);
  const { code, screen } = await upload([desk.file], { env: nothingSet });
  expect([code, screen]).toEqual([0, expect.stringContaining(`to ${desk.stack.url}\n`)]);
  expect(await storedRows()).toEqual(['ann']);
});

test('without a record, says what to do', async () => {
  const { code, screen } = await upload([desk.file], { env: nothingSet });
  expect([code, screen]).toEqual([
    2,
    expect.stringMatching(/^Muster is not running in .*: run npm start, or set/),
  ]);
});

test.each([
  ['something else', () => 'hello'],
  ['a very long text', () => '{"proof":"'.padEnd(50_000_000, '0')],
  ['somebody who knows only the protocol', (request: IncomingMessage) => proofFor('0'.repeat(64), request)],
])('%s at the recorded address gets neither key nor file', async (_, body) => {
  const other = await stranger((request) => ({ body: body(request) }));
  record(other.url);
  for (const env of [nothingSet, { ...nothingSet, MUSTER_API_KEY: desk.key }]) {
    const { code, screen } = await upload([desk.file], { env });
    expect([code, screen]).toEqual([
      1,
      expect.stringContaining(`${other.url} could not prove that it is the Muster of DATA_DIR`),
    ]);
  }
  const toGivenUrl = await upload([desk.file], { env: { ...nothingSet, MUSTER_URL: other.url } });
  expect(toGivenUrl.code).toBe(1);
  expect(other.received).toEqual(Array(3).fill('GET /greeting?nonce undefined'));
});

test('a relay that passes the greeting on to the real service is detected', async () => {
  const relay = await proxy();
  record(relay.url);
  const { code, screen } = await upload([desk.file], { env: nothingSet });
  expect([code, screen]).toEqual([1, expect.stringContaining('could not prove')]);
  expect(await jobs()).toEqual([]);
});

test('nothing is sent over a connection other than the proven one', async () => {
  const other = await stranger((request) => ({ body: proofFor(greetingKey, request), close: true }));
  record(other.url);
  const stop = new AbortController();
  const onScreen = (text: string) => text.includes('retrying') && stop.abort(130);
  const { screen } = await upload([desk.file], { env: nothingSet, stop, onScreen });
  expect(screen).toContain('the connection was closed after the greeting');
  expect(other.received).toEqual(['GET /greeting?nonce undefined']);
});

test('an address that is set together with a key is trusted', async () => {
  writeFileSync(desk.file, header + good('ann'));
  expect((await upload([desk.file])).code).toBe(0);
});
