import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { standInConsole } from '../../support/browser/console.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

const PAGE = '<!doctype html><script type="module" src="/console/assets/index-B3xk.js"></script>\n';
const GUIDE = '<!doctype html><h1>Alert webhooks</h1>\n';
const SCRIPT = `document.title = ${JSON.stringify('Muster '.repeat(200))};\n`;

let folder: string;
let stack: Stack;
let client: Client;
beforeAll(async () => {
  folder = standInConsole({
    'index.html': PAGE,
    'guide/alerts.html': GUIDE,
    'assets/index-B3xk.js': SCRIPT,
    'assets/index-Qd1.css': 'body { margin: 0 }',
    'assets/letters-9a.woff2': 'a font',
    '.fingerprint': 'of the build',
  });
  stack = await startStack({ worker: false, consoleFolder: folder });
  client = new Client(stack.url, null);
});
afterAll(async () => {
  await stack.stop();
  rmSync(folder, { recursive: true });
});

const asset = '/console/assets/index-B3xk.js';

/** Returns the response as sent: fetch would add headers, normalize paths and decode the body. */
async function wire(path: string, headers: Record<string, string> = {}) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(stack.url + path, { headers }, resolve).on('error', reject);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
}

test.each([
  '/',
  '/integrations',
  '/integrations/',
  '/integrations/0190-a/mapping?sample=template',
  '/alerts?state=failed',
  '/alerts/%zz',
  '/events',
  '/identities',
  '/jobs/1',
  '/keys',
  '/health',
])('the page is served at %s', async (path) => {
  const response = await client.get(path);
  expect([response.status, response.text]).toEqual([200, PAGE]);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-cache');
});

test.each([
  '/nothing',
  '/integrationsx',
  '/index.html',
  '/console',
  '/console/assets',
  '/console/assets/',
  '/guide',
  '/guide/nothing',
  '/v2/alert',
])('an unknown path has the error body: %s', async (path) => {
  const { status, body } = await client.get(path);
  expect([status, body.code]).toEqual([404, 'not_found']);
});

test('sends the page once, then 304 while it is unchanged', async () => {
  const etag = (await client.get('/')).headers.get('etag') as string;
  expect(etag).toMatch(/^"[\w-]{20,}"$/);
  const again = await wire('/jobs', { 'if-none-match': etag });
  expect([again.status, again.body.toString(), again.headers.etag]).toEqual([304, '', etag]);
  expect((await wire('/jobs', { 'if-none-match': '"another"' })).status).toBe(200);
});

test('serves the documentation, with the policy of the console', async () => {
  const { status, text, headers } = await client.get('/guide/alerts');
  expect([status, text]).toEqual([200, GUIDE]);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  const again = await wire('/guide/alerts', { 'if-none-match': headers.get('etag') as string });
  expect(again.status).toBe(304);
});

test('HEAD returns the same headers without a body; other methods are rejected', async () => {
  const head = await client.send('HEAD', '/');
  expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', `${PAGE.length}`]);
  for (const path of ['/', '/keys/new', asset]) {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const response = await client.send(method, path);
      expect([response.status, response.body.code]).toEqual([405, 'method_not_allowed']);
      expect(response.headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'HEAD']);
    }
  }
});

test('page and assets have a policy that only allows scripts of this server', async () => {
  for (const path of ['/', asset]) {
    const { headers } = await client.get(path);
    const policy = headers.get('content-security-policy') as string;
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
});

test('an asset may be cached forever, and has its media type', async () => {
  const types = {
    'index-B3xk.js': /^text\/javascript/,
    'index-Qd1.css': /^text\/css/,
    'letters-9a.woff2': /^font\/woff2$/,
  };
  for (const [name, type] of Object.entries(types)) {
    const { status, headers } = await client.get(`/console/assets/${name}`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(type);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  }
});

test('an asset is compressed as the client accepts it', async () => {
  const decoders = { br: brotliDecompressSync, gzip: gunzipSync };
  const asked = { 'gzip, deflate, br, zstd': 'br', gzip: 'gzip', 'br;q=0, gzip': 'gzip', '*': 'br' } as const;
  for (const [accept, coding] of Object.entries(asked)) {
    const { headers, body } = await wire(asset, { 'accept-encoding': accept });
    expect([accept, headers['content-encoding'], headers.vary]).toEqual([accept, coding, 'Accept-Encoding']);
    expect(decoders[coding](body).toString()).toBe(SCRIPT);
    expect(headers['content-length']).toBe(String(body.length));
  }
  for (const asks of [{}, { 'accept-encoding': 'identity' }, { 'accept-encoding': 'deflate' }]) {
    const { headers, body } = await wire(asset, asks);
    expect([headers['content-encoding'], headers.vary]).toEqual([undefined, 'Accept-Encoding']);
    expect(body.toString()).toBe(SCRIPT);
  }
  const font = await wire('/console/assets/letters-9a.woff2', { 'accept-encoding': 'br, gzip' });
  expect([font.headers['content-encoding'], font.body.toString()]).toEqual([undefined, 'a font']);
});

test.each([
  '../index.html',
  '..%2findex.html',
  '%2e%2e/.fingerprint',
  '..%2f.fingerprint',
  '..%5cindex.html',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  'index-B3xk.js%00',
  'index-B3xk.js.br',
  'constructor',
  '__proto__',
  '.',
])('serves only files of the console: %s', async (name) => {
  const { status, body } = await wire(`/console/assets/${name}`);
  expect([status, JSON.parse(body.toString()).status]).toEqual([404, 'error']);
});

test('says how to build the console, and serves it once it is built', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'muster-console-'));
  const other = await startStack({ worker: false, consoleFolder: join(empty, 'console') });
  try {
    const visitor = new Client(other.url, null);
    for (const path of ['/', '/keys', asset]) {
      const { status, body } = await visitor.get(path);
      expect([status, body.code]).toEqual([503, 'console_not_built']);
      expect(body.message).toContain('npm run build');
    }
    expect((await visitor.get('/healthz')).status).toBe(200);
    cpSync(folder, join(empty, 'console'), { recursive: true });
    expect((await visitor.get('/keys')).text).toBe(PAGE);
  } finally {
    await other.stop();
    rmSync(empty, { recursive: true });
  }
});

test('a new build removes no assets of the console that is being served', async () => {
  await client.get('/');
  writeFileSync(join(folder, 'index.html'), 'another page');
  rmSync(join(folder, 'assets'), { recursive: true });
  expect((await client.get('/')).text).toBe(PAGE);
  expect((await client.get(asset)).text).toBe(SCRIPT);
});
