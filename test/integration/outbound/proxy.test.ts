import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { AllowList } from '../../../workers/outbound/allow-list.js';
import { INTERNET, type Network } from '../../../workers/outbound/network.js';
import { OutboundClient } from '../../../workers/outbound/outbound-client.js';
import { checkTarget } from '../../../workers/outbound/target.js';
import { RECEIVER_HOST, type Receiver, startReceiver } from '../../support/outbound/receiver.js';

type Respond = (socket: Socket, request: IncomingMessage) => void;

let receiver: Receiver;
let respond: Respond;
const asked: string[] = [];
const proxy = createServer();
const sockets = new Set<Socket>();
proxy.on('connection', (socket) => sockets.add(socket));
proxy.on('connect', (request, socket: Socket) => {
  asked.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`);
  socket.on('error', () => {});
  respond(socket, request);
});

/** Whatever the name is, the tunnel leads to the receiver. */
const tunnel: Respond = (socket) => {
  const host = connect(receiver.network.port, '127.0.0.1');
  sockets.add(host);
  host.on('error', () => socket.destroy());
  socket.on('close', () => host.destroy());
  socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
  socket.pipe(host).pipe(socket);
};
const status =
  (code: number): Respond =>
  (socket) =>
    void socket.end(`HTTP/1.1 ${code} No\r\nContent-Length: 2\r\n\r\nno`);

beforeAll(async () => {
  receiver = await startReceiver();
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
});
beforeEach(() => {
  respond = tunnel;
  asked.length = 0;
  receiver.requests.length = 0;
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => proxy.close(resolve));
  await receiver.stop();
});

const proxyUrl = (login = '') => new URL(`http://${login}127.0.0.1:${(proxy.address() as AddressInfo).port}`);

async function post(
  url = `https://${RECEIVER_HOST}/hook`,
  { network = {}, allow = '', by = proxyUrl(), times = 1 }: Partial<Options> = {},
) {
  const client = new OutboundClient({ ...receiver.network, ...network }, AllowList.parse(allow), by);
  try {
    for (let time = 1; time < times; time++) await client.post(url, { body: Buffer.from('a') });
    return await client.post(url, { body: Buffer.from('a') });
  } finally {
    client.close();
  }
}

interface Options {
  network: Partial<Network>;
  allow: string;
  by: URL;
  times: number;
}

test('requests go through the proxy by name, with TLS to the host, on a tunnel that is kept', async () => {
  const { status } = await post(undefined, { by: proxyUrl('us%40er:p%3Ass@'), times: 2 });
  expect(status).toBe(200);
  const login = Buffer.from('us@er:p:ss').toString('base64');
  expect(asked).toEqual([`${RECEIVER_HOST}:${receiver.network.port} Basic ${login}`]);
  expect(receiver.requests.map(({ host }) => host)).toEqual([RECEIVER_HOST, RECEIVER_HOST]);
});

test('a host that closes a kept tunnel gets the request once more, through the proxy', async () => {
  const client = new OutboundClient(receiver.network, undefined, proxyUrl());
  const send = () => client.post(`https://${RECEIVER_HOST}/`, { body: Buffer.from('a') });
  await send();
  receiver.respond((_, response, socket) => {
    socket.destroy();
    response.destroy();
    receiver.respond((_, next) => void next.end('ok'));
  });
  expect((await send()).status).toBe(200);
  expect(asked).toHaveLength(2);
  client.close();
});

test.each<[what: string, respond: Respond, code: string, isOurs: boolean]>([
  ['wants a password', status(407), 'proxy', true],
  ['refuses', status(403), 'proxy', true],
  ['does not reach the host', status(502), 'refused', false],
  ['waits for the host in vain', status(504), 'timeout', false],
  ['closes the connection', (socket) => void socket.destroy(), 'proxy', true],
  ['closes the tunnel', (socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\n'), 'reset', false],
  ['speaks another protocol', (socket) => void socket.end('SSH-2.0\r\n'), 'proxy', true],
])('a proxy that %s', async (_, how, code, isOurs) => {
  respond = how;
  await expect(post()).rejects.toMatchObject({ code, isOurs });
  expect(receiver.requests).toEqual([]);
});

test('a proxy that does not respond is at fault, but not if it responds about other hosts', async () => {
  respond = (socket, request) => {
    const isOther = request.url?.startsWith('muster.invalid');
    if (isOther && request.headers['proxy-authorization']) status(502)(socket, request);
  };
  const [hanging, waiting] = [post(), post(undefined, { by: proxyUrl('user:secret@') })];
  await Promise.all([
    expect(hanging).rejects.toMatchObject({ code: 'proxy', isOurs: true }),
    expect(waiting).rejects.toMatchObject({ code: 'timeout', isOurs: false }),
  ]);
}, 20_000);

test('a proxy that is away is not the fault of the host', async () => {
  const by = new URL('http://user:secret@127.0.0.1:9');
  await expect(post(undefined, { by })).rejects.toMatchObject({
    code: 'proxy',
    isOurs: true,
    message: expect.not.stringContaining('secret'),
  });
});

test('a name that only the proxy knows is its business; one that is private here is not sent there', async () => {
  const unknown = { resolve: async () => [], isAllowed: INTERNET.isAllowed };
  expect((await post(undefined, { network: unknown })).status).toBe(200);
  asked.length = 0;
  const isPrivate = { isAllowed: INTERNET.isAllowed };
  await expect(post(undefined, { network: isPrivate })).rejects.toMatchObject({ code: 'blocked_address' });
  await expect(post('https://169.254.169.254/', { network: unknown })).rejects.toMatchObject({
    code: 'blocked_address',
  });
  for (const url of ['http://hooks.example.com/', 'https://localhost./', 'https://a.LOCALHOST/'])
    await expect(post(url, { network: unknown, allow: 'a' })).rejects.toMatchObject({ code: 'dns' });
  const check = (url: string) => checkTarget(url, AllowList.EMPTY, { ...INTERNET, ...unknown }, proxyUrl());
  expect(await check('https://hooks.example.com/')).toBeNull();
  expect(await check('https://10.0.0.1/')).toContain('not public');
  expect(asked).toEqual([]);
});

test('hosts that the operator lists are reached without the proxy', async () => {
  const url = `https://127.0.0.1:${receiver.network.port}/`;
  for (const allow of [`127.0.0.1:${receiver.network.port}`, '127.0.0.1'])
    expect((await post(url, { allow })).status).toBe(200);
  expect(asked).toEqual([]);
  const network = { resolve: async () => [{ address: '127.0.0.1', family: 4 }] };
  expect(
    (await post(`https://localhost:${receiver.network.port}/`, { allow: '127.0.0.1', network })).status,
  ).toBe(200);
  expect(asked).toEqual([]);
});
