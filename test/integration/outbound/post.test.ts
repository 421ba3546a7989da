import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { AllowList } from '../../../workers/outbound/allow-list.js';
import { INTERNET, type Network } from '../../../workers/outbound/network.js';
import { OutboundClient, type PostOptions } from '../../../workers/outbound/outbound-client.js';
import { checkTarget } from '../../../workers/outbound/target.js';
import { RECEIVER_HOST, type Receiver, startReceiver } from '../../support/outbound/receiver.js';
import { until } from '../../support/until.js';

const URL_OF_HOOK = `https://${RECEIVER_HOST}/hook?a=1`;
const BODY = Buffer.from('{"title":"größer als 2 s"}');

let receiver: Receiver;
let client: OutboundClient;
beforeAll(async () => {
  receiver = await startReceiver();
});
beforeEach(() => {
  client = new OutboundClient(receiver.network);
  receiver.requests.length = 0;
  receiver.connections.length = 0;
  receiver.respond((_, response) => void response.end('ok'));
});
afterEach(() => client.close());
afterAll(() => receiver.stop());

const post = (options: Partial<PostOptions> = {}, url = URL_OF_HOOK) =>
  client.post(url, { body: BODY, ...options });

function use(changes: Partial<Network>, allow?: AllowList) {
  client.close();
  client = new OutboundClient({ ...receiver.network, ...changes }, allow);
}

const resolveTo =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: 4 }));

test('sends exactly the bytes, and returns status, three headers, body and times', async () => {
  receiver.respond((request, response) => {
    expect(request.headers).toMatchObject({ 'x-own': 'value', 'content-length': String(BODY.length) });
    response
      .writeHead(429, { 'Retry-After': '7', 'X-Request-Id': 'r1', 'Set-Cookie': 'secret' })
      .end('slow down');
  });
  const response = await post({ headers: { 'X-Own': 'value' } });
  expect(response).toMatchObject({
    status: 429,
    headers: { 'retry-after': '7', 'x-request-id': 'r1' },
    timings: { dns: expect.any(Number), tls: expect.any(Number), total: expect.any(Number) },
  });
  expect(response.headers).not.toHaveProperty('set-cookie');
  expect(response.body.toString()).toBe('slow down');
  expect(receiver.requests).toEqual([
    { url: '/hook?a=1', body: BODY.toString(), host: RECEIVER_HOST, connection: 0 },
  ]);
});

test('the name in TLS is that of the host, although the connection is to an address', async () => {
  await post();
  expect((receiver.connections[0] as TLSSocket).servername).toBe(RECEIVER_HOST);
  await expect(post({}, 'https://other.example.com/')).rejects.toMatchObject({
    code: 'tls',
    message: 'The request to other.example.com failed (ERR_TLS_CERT_ALTNAME_INVALID).',
  });
  expect((await post({}, 'https://127.0.0.1/')).status).toBe(200);
  const { ca: _, ...untrusting } = receiver.network;
  client.close();
  client = new OutboundClient(untrusting);
  await expect(post()).rejects.toMatchObject({ code: 'tls' });
  expect(receiver.requests).toHaveLength(2);
});

test('a second lookup cannot lead elsewhere: it is checked again, also while a connection is kept', async () => {
  const lookups = [['93.184.216.34'], ['127.0.0.1'], ['::1', '93.184.216.34']];
  const resolve = async () => await resolveTo(...(lookups.shift() ?? []))();
  use({ resolve, isAllowed: INTERNET.isAllowed });
  const rebinding = { ...receiver.network, resolve, isAllowed: INTERNET.isAllowed };
  expect(await checkTarget(URL_OF_HOOK, AllowList.EMPTY, rebinding)).toBeNull();
  await expect(post()).rejects.toMatchObject({ code: 'blocked_address' });
  await expect(post()).rejects.toMatchObject({ code: 'blocked_address' });

  const kept = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.1'];
  use({
    resolve: async () => resolveTo(kept.shift() ?? '')(),
    isAllowed: (address) => address !== '127.0.0.2',
  });
  expect((await post()).status).toBe(200);
  await expect(post()).rejects.toMatchObject({ code: 'blocked_address' });
  // Nothing listens there: the kept connection, which leads to 127.0.0.1, is not used.
  await expect(post()).rejects.toMatchObject({ code: 'refused' });
  expect((await post()).status).toBe(200);
  expect(receiver.requests.map(({ connection }) => connection)).toEqual([0, 0]);
});

test('the next address is tried if the first refuses, and none but these', async () => {
  use({ resolve: resolveTo('127.0.0.2', '127.0.0.1'), isAllowed: () => true });
  expect((await post()).status).toBe(200);
  const manyAddresses = ['::1', '::1', '::1', '::1', '127.0.0.1'];
  use({ resolve: resolveTo(...manyAddresses), isAllowed: () => true });
  expect((await post()).status).toBe(200);
  use({ resolve: resolveTo('127.0.0.2', '127.0.0.3'), isAllowed: () => true });
  await expect(post()).rejects.toMatchObject({ code: 'refused' });
});

test('a redirect to metadata is a result, and not followed', async () => {
  receiver.respond((_, response) => {
    response.writeHead(302, { Location: 'http://169.254.169.254/latest/meta-data/' }).end('moved');
  });
  const { status, headers, body } = await post();
  expect([status, headers, body.toString()]).toEqual([302, {}, 'moved']);
  expect(receiver.requests).toHaveLength(1);
});

test('reads 16 KiB of a response of 1 GB, then closes the connection', async () => {
  const gigabyte = 2 ** 30;
  receiver.respond((_, response) => {
    response.writeHead(200, { 'Content-Length': String(gigabyte) });
    const chunk = Buffer.alloc(65_536, 'x');
    const write = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', write);
    write();
  });
  const { status, body } = await post();
  expect([status, body.length]).toEqual([200, 16_384]);
  const [socket] = receiver.connections;
  await until('the connection is closed', () => socket?.destroyed === true);
  expect(socket?.bytesWritten).toBeLessThan(gigabyte / 16);

  receiver.respond((_, response) => void response.end('0123456789'));
  expect((await post({ maxResponseBytes: 10 })).body.toString()).toBe('0123456789');
  expect((await post({ maxResponseBytes: 9 })).body.toString()).toBe('012345678');
});

test('the deadline is for the whole request: a response of 1 byte per second is late, and its connection closed', async () => {
  receiver.respond((_, response) => {
    const writing = setInterval(() => response.write('x'), 1_000);
    response.on('close', () => clearInterval(writing));
    response.write('x');
  });
  await expect(post({ timeoutMs: 1_300 })).rejects.toMatchObject({
    code: 'timeout',
    message: `${RECEIVER_HOST} did not respond within 1.3 s.`,
  });
  await until('the connection is closed', () => receiver.connections[0]?.destroyed === true);
  use({ resolve: () => new Promise<never>(() => {}) });
  await expect(post({ timeoutMs: 100 })).rejects.toMatchObject({ code: 'timeout' });
});

test('the limit of the connection includes TLS', async () => {
  const silent = createServer((socket) => void socket.on('error', () => {}).resume());
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  use({ port: (silent.address() as AddressInfo).port });
  await expect(post({ connectTimeoutMs: 200 })).rejects.toMatchObject({
    code: 'timeout',
    message: `${RECEIVER_HOST} did not accept a connection within 0.2 s.`,
  });
  silent.close();
});

test.each([
  ['too many headers', `HTTP/1.1 200 OK\r\n${'X-A: 0123456789\r\n'.repeat(5_000)}\r\n`, 'invalid_response'],
  ['a header without end', `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(100_000)}`, 'invalid_response'],
  ['bytes that are not HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'invalid_response'],
  ['no response', '', 'reset'],
  ['half a body', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf', 'reset'],
  [
    'an unexpected change of protocol',
    'HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    'reset',
  ],
])('%s: %#', async (_, bytes, code) => {
  receiver.respond((_request, _response, socket) => void socket.end(bytes));
  await expect(post()).rejects.toMatchObject({ code });
  expect(receiver.requests).toHaveLength(1);
});

test('a body after 204 is not part of the response, nor of the next one', async () => {
  for (const late of [false, true]) {
    receiver.respond((_request, _response, socket) => {
      socket.write(`HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n${late ? '' : 'hello'}`);
      if (late) setTimeout(() => socket.write('hello'), 20);
    });
    const { status, body } = await post();
    expect([status, body.length]).toEqual([204, 0]);
    if (late) await new Promise((resolve) => setTimeout(resolve, 60));
    receiver.respond((_request, _response, socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    expect((await post()).body.toString()).toBe('ok');
  }
});

test('a connection is kept, and used again', async () => {
  for (let count = 0; count < 3; count += 1) await post();
  expect(receiver.requests.map(({ connection }) => connection)).toEqual([0, 0, 0]);
});

test('a kept connection is closed after 4 s, but not one that waits for its response', async () => {
  receiver.respond((_, response) => void setTimeout(() => response.end('late'), 4_500));
  const late = post();
  await until('the first request', () => receiver.requests.length === 1);
  receiver.respond((_, response) => void response.end('ok'));
  await post();
  const from = performance.now();
  await until('the connection is closed', () => receiver.connections[1]?.destroyed === true);
  expect(performance.now() - from).toBeGreaterThan(3_500);
  expect((await late).body.toString()).toBe('late');
});

test('a request on a kept connection that the host closes is sent once more, on a new one', async () => {
  await Promise.all([post(), post()]);
  expect(receiver.connections).toHaveLength(2);
  receiver.respond((_request, response, socket) => {
    if (receiver.requests.length === 3) socket.destroy();
    else response.end('second');
  });
  expect((await post()).body.toString()).toBe('second');
  expect(receiver.requests.at(-1)).toMatchObject({ body: BODY.toString(), connection: 2 });
  expect(receiver.requests).toHaveLength(4);
});

test('a reset of a new connection, or of the second one, is an error', async () => {
  receiver.respond((_request, _response, socket) => void socket.destroy());
  await expect(post()).rejects.toMatchObject({ code: 'reset' });
  expect(receiver.requests).toHaveLength(1);
  receiver.respond((_, response) => void response.end('ok'));
  await post();
  receiver.respond((_request, _response, socket) => void socket.destroy());
  await expect(post()).rejects.toMatchObject({ code: 'reset' });
  expect(receiver.requests).toHaveLength(4);
});

test('a response that starts is not asked for again, if it breaks off on a kept connection', async () => {
  await post();
  receiver.respond((_request, _response, socket) => {
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf');
  });
  await expect(post()).rejects.toMatchObject({ code: 'reset' });
  expect(receiver.requests).toHaveLength(2);
});

test('http and other ports reach what the operator lists, and nothing else', async () => {
  const server = createHttpServer((_, response) => void response.end('plain'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  use(INTERNET, AllowList.parse(`127.0.0.1:${port}`));
  expect((await post({}, `http://127.0.0.1:${port}/`)).body.toString()).toBe('plain');
  use(INTERNET, AllowList.parse(`127.0.0.0/8, 127.0.0.1:${port + 1}`));
  await expect(post({}, `http://127.0.0.1:${port}/`)).rejects.toMatchObject({ code: 'blocked_address' });
  server.close();
  server.closeAllConnections();
});

test('a header that HTTP does not allow is not a failure of the host', async () => {
  await expect(post({ headers: { 'X-A': 'a\r\nX-B: b' } })).rejects.toThrow(TypeError);
  expect(receiver.requests).toHaveLength(0);
});
