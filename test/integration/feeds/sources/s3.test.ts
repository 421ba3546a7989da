import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { FetchContext } from '../../../../workers/feeds/sources/source.js';
import { AllowList } from '../../../../workers/outbound/allow-list.js';
import { INTERNET } from '../../../../workers/outbound/network.js';
import { OutboundClient } from '../../../../workers/outbound/outbound-client.js';
import { failureOf, fetchBy, readBy } from '../../../support/feeds/fetch-source.js';
import { startS3, type TestS3 } from '../../../support/servers/s3.js';

const CSV = 'email\nada@example.com\n';
const KEY = "hr/größe (1)/people's.csv";

let s3: TestS3;
let outbound: OutboundClient;
const servers: Server[] = [];
beforeAll(async () => {
  s3 = await startS3();
});
beforeEach(() => {
  s3.server.behavior = 'works';
  s3.server.objects.clear();
  s3.server.objects.set(`people/${KEY}`, {
    body: Buffer.from(CSV),
    modifiedAt: new Date('2026-11-28T22:00:00Z'),
  });
  outbound = allowing(s3.server.port);
});
afterEach(() => {
  outbound.close();
  for (const server of servers.splice(0)) server.close();
});
afterAll(() => s3.stop());

const allowing = (port: number) => new OutboundClient(INTERNET, AllowList.parse(`127.0.0.1:${port}`));
const source = (more: object = {}) => ({
  kind: 's3',
  bucket: 'people',
  key: KEY,
  region: 'eu-central-1',
  endpoint: `http://127.0.0.1:${s3.server.port}`,
  accessKeyId: 'muster-feeds',
  secretAccessKey: 'secret-key',
  ...more,
});
const fail = async (more: object = {}, changes: Partial<FetchContext> = {}) => {
  const error = await failureOf(source(more), { outbound, ...changes });
  expect(error.message).not.toMatch('secret-key');
  return error;
};

/** Starts a server that responds to everything in one way, instead of the store. */
async function instead(listener: RequestListener): Promise<object> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  outbound.close();
  outbound = allowing(port);
  return { endpoint: `http://127.0.0.1:${port}` };
}

test('returns an object, and knows it again by its ETag', async () => {
  const file = await readBy(source(), { outbound });
  expect(file).toMatchObject({
    name: "people's.csv",
    modifiedAt: new Date('2026-11-28T22:00:00Z'),
    text: CSV,
  });
  expect(await fetchBy(source(), { outbound, known: file.version })).toBe('unchanged');
  expect((await readBy(source(), { outbound, known: '"other"' })).text).toBe(CSV);
});

test('signs the request with the keys of the feed, not with those of the process', async () => {
  let authorization: string | undefined;
  const other = await instead((request, response) => {
    authorization = request.headers.authorization;
    response.end(CSV);
  });
  await readBy(source(other), { outbound });
  expect(authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=muster-feeds\/\d{8}\/eu-central-1\/s3\//);
});

test.each([
  ['https://169.254.169.254'],
  ['http://127.0.0.1:1'],
  ['https://10.0.0.1:9000'],
  ['https://localhost'],
])('a store at %s is not asked', async (endpoint) => {
  expect(await fail({ endpoint })).toMatchObject({ code: 'blocked_address', isTemporary: false });
});

test('a name that leads to a private address is checked when it is connected to, also for Amazon', async () => {
  const resolved: string[] = [];
  const resolve = async (host: string) => {
    resolved.push(host);
    return [{ address: '10.0.0.1', family: 4 }];
  };
  const private10 = new OutboundClient({ ...INTERNET, resolve });
  expect(await fail({ endpoint: null }, { outbound: private10 })).toMatchObject({ code: 'blocked_address' });
  expect(resolved).toEqual(['people.s3.eu-central-1.amazonaws.com']);
});

test.each<[number, string, string, boolean]>([
  [404, 'NoSuchKey', 'not_found', false],
  [403, 'AccessDenied', 'auth', false],
  [403, 'SignatureDoesNotMatch', 'auth', false],
  [403, 'InvalidObjectState', 'rejected', false],
  [301, 'PermanentRedirect', 'rejected', false],
  [400, 'AuthorizationHeaderMalformed', 'rejected', false],
  [503, 'SlowDown', 'unavailable', true],
  [500, 'InternalError', 'unavailable', true],
])('%s %s is the error %s', async (status, name, code, isTemporary) => {
  const other = await instead((_, response) => {
    response.writeHead(status, { 'Content-Type': 'application/xml' });
    response.end(`<?xml version="1.0"?><Error><Code>${name}</Code><Message>no</Message></Error>`);
  });
  const error = await fail(other);
  expect(error).toMatchObject({ code, isTemporary });
  expect(error.message).toMatch(`responded with ${status} (${name})`);
});

test('a missing object of the store is not found', async () => {
  expect(await fail({ key: 'absent' })).toMatchObject({ code: 'not_found' });
});

test('an object that ends early is never a file', async () => {
  s3.server.behavior = 'closes in bodies';
  expect(await fail()).toMatchObject({ code: 'incomplete', isTemporary: true });
});

test('has deadlines and a limit', async () => {
  s3.server.behavior = 'stalls';
  const deadlines = { responseMs: 200, stallMs: 200 };
  expect(await fail({}, { deadlines })).toMatchObject({ code: 'timeout', isTemporary: true });
  s3.server.behavior = 'stalls in bodies';
  expect(await fail({}, { deadlines })).toMatchObject({ code: 'timeout' });
  s3.server.behavior = 'works';
  expect(await fail({}, { maxBytes: 10 })).toMatchObject({ code: 'too_large' });
});

test('an error without an end is not read to its end', async () => {
  const other = await instead((_, response) => {
    response.writeHead(500);
    const writing = setInterval(() => response.write('x'.repeat(10_000)), 1);
    response.on('close', () => clearInterval(writing));
  });
  expect(await fail(other)).toMatchObject({ code: 'too_large' });
});

test('a stop ends it before and in the object', async () => {
  for (const behavior of ['stalls', 'stalls in bodies'] as const) {
    s3.server.behavior = behavior;
    const stop = new AbortController();
    const reason = new Error('stopped');
    const reading = readBy(source(), { outbound, stopped: stop.signal });
    setTimeout(() => stop.abort(reason), 100);
    await expect(reading).rejects.toBe(reason);
  }
});
