import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isPublicAddress } from '../../../workers/outbound/addresses.js';
import { INTERNET, type Network } from '../../../workers/outbound/network.js';
import { OutboundClient } from '../../../workers/outbound/outbound-client.js';
import { SNS_HOST, type SnsServer, startSnsServer } from '../../support/sns/sns-server.js';

const LIMITS = { timeoutMs: 2_000, maxBytes: 1_000 };
const PAGE = `https://${SNS_HOST}/page`;

let sns: SnsServer;
beforeAll(async () => {
  sns = await startSnsServer();
  sns.respond('/page', (_, response) => void response.end('content'));
});
afterAll(() => sns.stop());

const get = (url: string, changes: Partial<Network> = {}, limits = LIMITS) =>
  new OutboundClient({ ...sns.network, ...changes }).get(url, limits);

test('returns status and body over verified TLS', async () => {
  const { status, body } = await get(PAGE);
  expect([status, body.toString()]).toEqual([200, 'content']);
  expect((await get(`https://${SNS_HOST}/absent`)).status).toBe(404);
});

test.each([
  'http://sns.eu-central-1.amazonaws.com/page',
  'https://sns.eu-central-1.amazonaws.com:8443/page',
  'https://user@sns.eu-central-1.amazonaws.com/page',
  'https://user:password@sns.eu-central-1.amazonaws.com/page',
  'https://127.0.0.1/page',
  'https://2130706433/page',
  'https://0x7f.1/page',
  'https://[::1]/page',
  'https://[::ffff:169.254.169.254]/page',
  'file:///etc/passwd',
  'nonsense',
])('rejects a URL that is not https with a host name: %s', async (url) => {
  await expect(get(url)).rejects.toMatchObject({ code: 'invalid_url' });
});

test.each([
  ['127.0.0.1'],
  ['10.0.0.1'],
  ['169.254.169.254'],
  ['::1'],
  ['fd00:ec2::254'],
  ['203.0.113.1', '127.0.0.1'],
  ['93.184.216.34', '192.168.1.1'],
])('connects to no host with an address that is not public: %s %s', async (...addresses) => {
  const before = sns.requests.length;
  const resolve = async () => addresses.filter(Boolean).map((address) => ({ address, family: 4 }));
  const attempt = get(PAGE, { resolve, isAllowed: INTERNET.isAllowed });
  await expect(attempt).rejects.toMatchObject({ code: 'blocked_address' });
  expect(sns.requests).toHaveLength(before);
});

test.each([
  ['93.184.216.34', true],
  ['2606:2800:220:1:248:1893:25c8:1946', true],
  ['64:ff9b::5db8:d822', true],
  ['64:ff9b::7f00:1', false],
  ['::ffff:10.0.0.1', false],
  ['::ffff:93.184.216.34', true],
  ['0.0.0.0', false],
  ['100.64.0.1', false],
  ['172.31.255.255', false],
  ['198.18.0.1', false],
  ['224.0.0.1', false],
  ['240.0.0.1', false],
  ['255.255.255.255', false],
  ['::', false],
  ['fe80::1', false],
  ['ff02::1', false],
  ['2002:7f00:1::', false],
  ['2002:5db8:d822::', false],
  ['::7f00:1', false],
  ['64:ff9b:1::5db8:d822', false],
  ['2001:db8::1', false],
  ['sns.eu-central-1.amazonaws.com', false],
])('knows whether %s is public: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});

test('looks a name up once, so that a second lookup cannot lead elsewhere', async () => {
  let lookups = 0;
  const resolve = async () => {
    lookups += 1;
    return [{ address: lookups === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
  };
  expect((await get(PAGE, { resolve })).status).toBe(200);
  expect(lookups).toBe(1);
});

test('rejects a certificate for another host, and one that no trusted authority signed', async () => {
  await expect(get('https://sns.us-east-1.amazonaws.com/page')).rejects.toMatchObject({
    code: 'tls',
  });
  const { ca: _, ...untrusting } = sns.network;
  await expect(new OutboundClient(untrusting).get(PAGE, LIMITS)).rejects.toMatchObject({
    code: 'tls',
  });
});

test('follows no redirect', async () => {
  sns.respond('/moved', (_, response) => void response.writeHead(302, { Location: PAGE }).end());
  const before = sns.requests.length;
  const attempt = get(`https://${SNS_HOST}/moved`);
  await expect(attempt).rejects.toMatchObject({ code: 'redirect' });
  expect(sns.requests).toHaveLength(before + 1);
});

test('stops at the size limit, even if the response never ends', async () => {
  sns.respond('/endless', (_, response) => {
    const writing = setInterval(() => response.write('x'.repeat(900)), 1);
    response.on('close', () => clearInterval(writing));
  });
  await expect(get(`https://${SNS_HOST}/endless`)).rejects.toMatchObject({ code: 'too_large' });
});

test('stops at the time limit while resolving, waiting and reading', async () => {
  sns.respond('/silent', () => {});
  sns.respond('/slow', (_, response) => void response.write('x'));
  const limits = { ...LIMITS, timeoutMs: 200 };
  const never = () => new Promise<never>(() => {});
  for (const attempt of [
    get(PAGE, { resolve: never }, limits),
    get(`https://${SNS_HOST}/silent`, {}, limits),
    get(`https://${SNS_HOST}/slow`, {}, limits),
  ])
    await expect(attempt).rejects.toMatchObject({
      code: 'timeout',
      message: `${SNS_HOST} did not respond within 0.2 s.`,
    });
});

test('reports names without addresses and closed ports', async () => {
  const resolve = () => Promise.reject(new Error('ENOTFOUND'));
  await expect(get(PAGE, { resolve })).rejects.toMatchObject({ code: 'dns' });
  await expect(get(PAGE, { port: 1 })).rejects.toMatchObject({
    code: 'refused',
    message: `The request to ${SNS_HOST} failed (ECONNREFUSED).`,
  });
});
