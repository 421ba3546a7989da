import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

const LIMIT = 3;
let stack: Stack;
let key: string;
beforeAll(async () => {
  stack = await startStack({
    worker: false,
    env: { REQUEST_TIMEOUT_S: '1', MAX_CONNECTIONS: String(LIMIT) },
  });
  key = await stack.key();
});
afterAll(() => stack.stop());

/** Sends bytes, and keeps its half of the connection open whatever the server does. */
function open(bytes: string | Buffer): { socket: Socket; said: () => string } {
  let text = '';
  const socket = connect({ port: stack.port, host: '127.0.0.1', allowHalfOpen: true }, () =>
    socket.write(bytes),
  );
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => {});
  return { socket, said: () => text };
}

const connections = (): Promise<number> =>
  promisify(stack.server.getConnections.bind(stack.server))() as Promise<number>;
const noneOpen = () => until('all connections are closed', async () => (await connections()) === 0);

/** Resolves to everything that the server sends until it closes its half. */
async function conversation(bytes: string | Buffer): Promise<string> {
  const { socket, said } = open(bytes);
  await once(socket, 'end');
  socket.destroy();
  await noneOpen();
  return said();
}

const statuses = (text: string): string[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status as string);

const get = (path: string, ...headers: string[]) =>
  `${[`GET ${path} HTTP/1.1`, 'Host: x', `Authorization: ApiKey ${key}`, ...headers].join('\r\n')}\r\n\r\n`;
const post = (body: string, ...headers: string[]) =>
  `${['POST /v2/keys HTTP/1.1', 'Host: x', `Authorization: ApiKey ${key}`, 'Content-Type: application/json', ...headers].join('\r\n')}\r\n\r\n${body}`;
const newKey = JSON.stringify({ name: 'one', scopes: ['admin'] });
const identities = '/v2/developers/identities';

test.each([
  ['a read', () => `${get(identities)}GARBAGE\r\n\r\n`, ['200', '400']],
  ['a read that is not there', () => `${get('/v2/jobs/x')}\0\x01\x02`, ['404', '400']],
  [
    'three pipelined requests',
    () => `${get(identities)}${get('/healthz')}${get(identities)}}{`,
    ['200', '200', '200', '400'],
  ],
  [
    'a request with a body',
    () => `${post(newKey, `Content-Length: ${newKey.length}`)}more\r\n\r\n`,
    ['201', '400'],
  ],
  [
    'the last request of a connection',
    () => `${get(identities, 'Connection: close')}GARBAGE\r\n\r\n`,
    ['200'],
  ],
  ['half a request', () => `${get(identities)}${get('/healthz').slice(0, 20)}`, ['200']],
])('%s followed by garbage gets its own response', async (_, bytes, wanted) => {
  const { socket, said } = open(bytes());
  await until('all requests have responses', () => statuses(said()).length >= wanted.length);
  expect(statuses(said())).toEqual(wanted);
  socket.destroy();
  await noneOpen();
});

test('responds once with 400 to a body that turns into garbage', async () => {
  const text = await conversation(post('5\r\n{"nam\r\nGARBAGE\r\n', 'Transfer-Encoding: chunked'));
  expect(statuses(text)).toEqual(['400']);
  expect(text).toContain('malformed_request');
});

test('a client that keeps sending garbage can still read the response', async () => {
  const text = await conversation(Buffer.concat([Buffer.from(get(identities)), Buffer.alloc(4 << 20, 'x')]));
  expect(statuses(text)).toEqual(['200', '400']);
});

test.each([
  ['a request that is not HTTP', () => 'HELLO\r\n\r\n', '400'],
  ['a body that does not arrive', () => post('{', 'Content-Length: 9000'), '408'],
  [
    'an event whose body does not arrive',
    () => 'POST /api/v1/webhook/x HTTP/1.1\r\nHost: x\r\nContent-Length: 99999\r\n\r\n{',
    '404',
  ],
])('after %s the connection closes, even if the client never closes its half', async (_, bytes, status) => {
  const { socket, said } = open(bytes());
  await once(socket, 'end');
  expect(statuses(said())).toEqual([status]);
  await noneOpen();
  socket.destroy();
});

test('responds with 408 to headers that arrive too slowly, and closes the connection', async () => {
  const { socket, said } = open('GET / HTTP/1.1\r\n');
  const drip = setInterval(() => socket.write('x: y\r\n'), 200);
  await once(socket, 'end').finally(() => clearInterval(drip));
  expect(statuses(said())).toEqual(['408']);
  expect(said()).toMatch(/"code":"request_timeout"/);
  await noneOpen();
  socket.destroy();
});

test('responds with 503 on connections beyond the limit, and serves the others', async () => {
  const served = Array.from({ length: LIMIT }, () => open(get('/healthz')));
  await until('those within the limit are served', () =>
    served.every(({ said }) => statuses(said()).length === 1),
  );
  const beyond = open(get('/healthz'));
  await once(beyond.socket, 'end');
  expect(statuses(beyond.said())).toEqual(['503']);
  expect(beyond.said()).toMatch(/"code":"overloaded"/);
  expect(beyond.said()).toMatch(/retry-after: \d/i);
  served[0]?.socket.write(get('/healthz'));
  await until(
    'a connection within the limit is served again',
    () => statuses(served[0]?.said() ?? '').length === 2,
  );
  for (const { socket } of [...served, beyond]) socket.destroy();
  await noneOpen();
  const after = open(get('/healthz'));
  await until('there is room again', () => statuses(after.said()).includes('200'));
  after.socket.destroy();
});
