import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { FetchContext } from '../../../../workers/feeds/sources/source.js';
import { AllowList } from '../../../../workers/outbound/allow-list.js';
import { INTERNET } from '../../../../workers/outbound/network.js';
import { OutboundClient } from '../../../../workers/outbound/outbound-client.js';
import { failureOf, fetchBy, readBy } from '../../../support/feeds/fetch-source.js';
import { type Receiver, type Respond, startReceiver } from '../../../support/outbound/receiver.js';

const FILE = 'https://hr.example.com/out/people.csv';
const SECRET = 'Bearer secret-token';
const CSV = 'email,integrationId,externalUserId\nada@example.com,7,ada\n';

let receiver: Receiver;
let outbound: OutboundClient;
beforeAll(async () => {
  receiver = await startReceiver(['hr.example.com', 'other.example.com']);
  outbound = new OutboundClient(receiver.network);
});
beforeEach(() => {
  receiver.requests.length = 0;
});
afterAll(async () => {
  outbound.close();
  await receiver.stop();
});

const https = (more: object = {}) => ({ kind: 'https', url: FILE, ...more });
const read = (more: object = {}, changes: Partial<FetchContext> = {}) =>
  readBy(https(more), { outbound, ...changes });
const fail = (more: object = {}, changes: Partial<FetchContext> = {}) =>
  failureOf(https(more), { outbound, ...changes });

test('returns name, version, time, type and bytes of a file', async () => {
  receiver.respond((request, response) => {
    expect(request.headers).toMatchObject({ authorization: SECRET, 'accept-encoding': 'gzip' });
    expect(request.url).toBe('/out/people.csv?a=1&sig=a%2Bb');
    response
      .writeHead(200, {
        ETag: '"v1"',
        'Last-Modified': 'Sat, 28 Nov 2026 22:00:00 GMT',
        'Content-Type': 'text/csv',
      })
      .end(CSV);
  });
  const url = `${FILE}?a=1`;
  expect(await read({ url, headers: { authorization: SECRET }, query: { sig: 'a+b' } })).toMatchObject({
    name: 'people.csv',
    version: '"v1"',
    modifiedAt: new Date('2026-11-28T22:00:00Z'),
    contentType: 'text/csv',
    text: CSV,
  });
});

test.each([
  ['"v1"', 'if-none-match'],
  ['W/"v1"', 'if-none-match'],
  ['Sat, 28 Nov 2026 22:00:00 GMT', 'if-modified-since'],
])('asks whether version %s is still the current one', async (known, header) => {
  receiver.respond((request, response) => {
    const isKnown = request.headers[header] === known;
    response.writeHead(isKnown ? 304 : 200, { ETag: known }).end(isKnown ? undefined : CSV);
  });
  expect(await fetchBy(https(), { outbound, known })).toBe('unchanged');
  expect((await read()).text).toBe(CSV);
});

test('a server that ignores the question is compared by its ETag, and not by the time alone', async () => {
  const time = 'Sat, 28 Nov 2026 22:00:00 GMT';
  receiver.respond((_, response) => void response.writeHead(200, { ETag: '"v1"' }).end(CSV));
  expect(await fetchBy(https(), { outbound, known: '"v1"' })).toBe('unchanged');
  expect((await read({}, { known: '"v0"' })).version).toBe('"v1"');
  receiver.respond((_, response) => void response.writeHead(200, { 'Last-Modified': time }).end(CSV));
  expect((await read({}, { known: time })).text).toBe(CSV);
});

test('304 without a question is an error', async () => {
  receiver.respond((_, response) => void response.writeHead(304).end());
  expect(await fail()).toMatchObject({ code: 'rejected', isTemporary: false });
});

test.each([
  [401, 'auth', false],
  [403, 'auth', false],
  [404, 'not_found', false],
  [418, 'rejected', false],
  [204, 'rejected', false],
  [206, 'rejected', false],
  [429, 'unavailable', true],
  [500, 'unavailable', true],
  [503, 'unavailable', true],
])('status %s is the error %s', async (status, code, isTemporary) => {
  receiver.respond((_, response) => void response.writeHead(status).end());
  const error = await fail({ headers: { authorization: SECRET } });
  expect(error).toMatchObject({ code, isTemporary });
  expect(error.message).toMatch(`hr.example.com responded with ${status}`);
});

test('rejects a web page', async () => {
  receiver.respond(
    (_, response) => void response.setHeader('Content-Type', 'text/html; charset=utf-8').end('<h1>Log in'),
  );
  expect(await fail()).toMatchObject({ code: 'invalid_content', message: expect.stringContaining('login') });
});

/** Redirects a URL, and sends the headers of all other requests as the file. */
const redirect =
  (locations: Record<string, string>): Respond =>
  (request, response) => {
    const { host, authorization = 'none' } = request.headers;
    const location = locations[`${host}${request.url}`] ?? locations[request.url ?? ''];
    if (location) response.writeHead(302, { Location: location }).end();
    else response.end(`${host}${request.url} ${authorization}`);
  };

test('follows redirects, and sends secrets to the origin of the settings only', async () => {
  const secrets = { headers: { authorization: SECRET }, query: { token: 'secret' } };
  receiver.respond(redirect({ '/out/people.csv?token=secret': '/new.csv' }));
  expect((await read(secrets)).text).toBe(`hr.example.com/new.csv?token=secret ${SECRET}`);
  receiver.respond(redirect({ '/out/people.csv?token=secret': 'https://other.example.com/signed?x=1' }));
  expect(await read(secrets)).toMatchObject({
    name: 'people.csv',
    text: 'other.example.com/signed?x=1 none',
  });
  // Who was given the request by another host may not choose where the secrets go.
  receiver.respond(
    redirect({
      'hr.example.com/out/people.csv?token=secret': 'https://other.example.com/a',
      'other.example.com/a': `https://hr.example.com/public`,
    }),
  );
  expect((await read(secrets)).text).toBe('hr.example.com/public none');
});

test.each([
  ['https://169.254.169.254/latest/meta-data', 'blocked_address'],
  ['http://169.254.169.254/latest/meta-data', 'redirect'],
  ['https://10.0.0.1/', 'blocked_address'],
  ['https://[::1]/', 'blocked_address'],
  ['https://hr.example.com:8443/', 'blocked_address'],
  ['https://user:p4ss@other.example.com/', 'redirect'],
  ['file:///etc/passwd', 'redirect'],
  ['https://', 'redirect'],
])('does not follow a redirect to %s', async (location, code) => {
  receiver.respond(redirect({ '/out/people.csv': location }));
  const error = await fail();
  expect(error).toMatchObject({ code, isTemporary: false });
  expect(error.message).not.toMatch(/p4ss|meta-data/);
  expect(receiver.requests).toHaveLength(1);
});

test('ends a chain of redirects', async () => {
  receiver.respond((_, response) => void response.writeHead(302, { Location: '/out/people.csv' }).end());
  expect(await fail()).toMatchObject({ code: 'redirect' });
  expect(receiver.requests).toHaveLength(6);
});

test('a private address, another port and http: need an entry of the operator', async () => {
  const network = { ...receiver.network, isAllowed: INTERNET.isAllowed };
  const server = createServer((_, response) => void response.end(CSV)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://localhost:${port}/people.csv`;
  try {
    const closed = new OutboundClient(network);
    expect(await fail({}, { outbound: closed })).toMatchObject({ code: 'blocked_address' });
    expect(await fail({ url }, { outbound: closed })).toMatchObject({ code: 'blocked_address' });
    const open = new OutboundClient(network, AllowList.parse(`localhost:${port}`));
    expect((await read({ url }, { outbound: open })).text).toBe(CSV);
  } finally {
    server.close();
  }
});

test.each<[string, Respond, string]>([
  [
    'before its length',
    (_, response, socket) => {
      response.setHeader('Content-Length', CSV.length).write(CSV.slice(0, 20), () => socket.end());
    },
    'incomplete',
  ],
  [
    'before its last chunk',
    (_, response, socket) => {
      response.write(CSV, () => socket.end());
    },
    'incomplete',
  ],
  [
    'by a reset',
    (_, response, socket) => {
      response.setHeader('Content-Length', CSV.length).write(CSV.slice(0, 20), () => socket.destroy());
    },
    'incomplete',
  ],
  [
    'without a length',
    (_, __, socket) => {
      socket.end(`HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${CSV}`);
    },
    'incomplete',
  ],
  [
    'in HTTP/1.0',
    (_, __, socket) => {
      socket.end(`HTTP/1.0 200 OK\r\n\r\n${CSV}`);
    },
    'incomplete',
  ],
  [
    'with a chunk that is none',
    (_, __, socket) => {
      socket.end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nemail\r\nnonsense\r\n`);
    },
    'invalid_response',
  ],
])('a body that ends %s is never a file', async (_, respond, code) => {
  receiver.respond(respond);
  const { code: found, isTemporary } = await fail();
  expect([found, isTemporary]).toEqual([code, code === 'incomplete']);
});

test('passes gzip on as it came, and rejects other encodings', async () => {
  receiver.respond((_, response) => void response.setHeader('Content-Encoding', 'gzip').end(gzipSync(CSV)));
  expect((await read()).text).toBe(gzipSync(CSV).toString());
  receiver.respond((_, response) => void response.setHeader('Content-Encoding', 'br').end('x'));
  expect(await fail()).toMatchObject({ code: 'invalid_content' });
});

test('rejects what is too large before it reads it, or as soon as it is', async () => {
  let sent = 0;
  receiver.respond((_, response) => void response.writeHead(200, { 'Content-Length': 1_001 }).flushHeaders());
  expect(await fail({}, { maxBytes: 1_000 })).toMatchObject({ code: 'too_large', isTemporary: false });
  receiver.respond((_, response) => {
    const writing = setInterval(() => {
      sent += 900;
      response.write('x'.repeat(900));
    }, 1);
    response.on('close', () => clearInterval(writing));
  });
  expect(await fail({}, { maxBytes: 10_000 })).toMatchObject({ code: 'too_large' });
  expect(sent).toBeLessThan(1_000_000);
});

test('has deadlines for the response, for each pause, and for the whole file', async () => {
  const deadlines = { responseMs: 200, stallMs: 200, totalMs: 1_000 };
  receiver.respond(() => {});
  expect((await fail({}, { deadlines })).message).toBe('hr.example.com did not respond within 0.2 s.');
  receiver.respond((_, response) => void response.write('x'));
  expect((await fail({}, { deadlines })).message).toMatch('sent nothing for 0.2 s');
  receiver.respond((_, response) => {
    const writing = setInterval(() => response.write('x'), 50);
    response.on('close', () => clearInterval(writing));
  });
  const error = await fail({}, { deadlines });
  expect(error).toMatchObject({ code: 'timeout', isTemporary: true });
  expect(error.message).toMatch('took longer than 1 s');
});

test('a slow reader does not count as a pause', async () => {
  const content = 'x'.repeat(900_000);
  receiver.respond((_, response) => void response.end(content));
  const file = await fetchBy(https(), { outbound, deadlines: { stallMs: 100 } });
  if (file === 'unchanged') throw new Error('unchanged');
  let bytes = 0;
  for await (const chunk of file.content) {
    if (bytes === 0) await new Promise((resolve) => setTimeout(resolve, 400));
    bytes += chunk.length;
  }
  expect(bytes).toBe(content.length);
});

test.each(['before the response', 'in the body'])('a stop ends it %s', async (when) => {
  const stop = new AbortController();
  const arrived = new Promise<void>((resolve) =>
    receiver.respond((_, response) => {
      if (when === 'in the body') response.write('x');
      resolve();
    }),
  );
  const reading = fail({}, { stopped: stop.signal });
  await arrived;
  const reason = new Error('stopped');
  setTimeout(() => stop.abort(reason), 20);
  await expect(reading).rejects.toBe(reason);
});

test('content that nobody wants closes its connection', async () => {
  const closed = new Promise<void>((resolve) =>
    receiver.respond((_, response) => {
      response.on('close', resolve);
      response.write('x');
    }),
  );
  const file = await fetchBy(https(), { outbound });
  if (file !== 'unchanged') file.content.destroy();
  await closed;
});

test('errors of the network say what to look at', async () => {
  const resolve = () => Promise.reject(new Error('ENOTFOUND'));
  const withChanges = (changes: object) => ({
    outbound: new OutboundClient({ ...receiver.network, ...changes }),
  });
  expect(await fail({}, withChanges({ resolve }))).toMatchObject({
    code: 'dns',
    message: 'The host hr.example.com has no address. Check the spelling of the host.',
    isTemporary: true,
  });
  expect(await fail({}, withChanges({ port: 1 }))).toMatchObject({ code: 'refused', isTemporary: true });
  expect(await fail({}, withChanges({ ca: undefined }))).toMatchObject({ code: 'tls', isTemporary: false });
});
