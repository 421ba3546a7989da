import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { FetchContext } from '../../../../workers/feeds/sources/source.js';
import { OutboundClient } from '../../../../workers/outbound/outbound-client.js';
import { failureOf, fetchBy, readBy } from '../../../support/feeds/fetch-source.js';
import { type Receiver, startReceiver } from '../../../support/outbound/receiver.js';

const LIST = 'https://hr.example.com/members?per_page=2';
const COLUMNS = ['email', 'id', 'profile.login'];

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

interface Served {
  body: string | Buffer;
  headers?: Record<string, string | string[]>;
}

/** Serves pages by their path with query; others are absent. */
function serve(pages: Record<string, Served | string>) {
  receiver.respond((request, response) => {
    const page = pages[request.url ?? ''];
    if (page === undefined) return void response.writeHead(404).end();
    const { body, headers = {} } = typeof page === 'string' ? { body: page } : page;
    response.writeHead(200, headers).end(body);
  });
}

const list = (json: object = {}, more: object = {}) => ({
  kind: 'https',
  url: LIST,
  json: { items: '', ...json },
  ...more,
});
const context = (changes: Partial<FetchContext> = {}) => ({ outbound, columns: COLUMNS, ...changes });
const read = async (json: object = {}, more: object = {}) => (await readBy(list(json, more), context())).text;
const fail = (json: object = {}, changes: Partial<FetchContext> = {}, more: object = {}) =>
  failureOf(list(json, more), context(changes));

test('a list becomes CSV with the columns, and numbers keep their digits', async () => {
  serve({
    '/members?per_page=2': `[
      {"email": "ada@example.com", "id": 12345678901234567890, "profile": {"login": "ada"}, "other": {}},
      {"email": "a \\"b\\", c\\n@x", "id": 1.10, "profile": {"login": true}},
      {"email": null, "id": 1E400, "profile": null},
      {"profile.login": "whole key"},
      {"__proto__": {"email": "polluted"}, "profile": [1]}
    ]`,
  });
  expect(await readBy(list(), context())).toMatchObject({
    name: 'hr.example.com.csv',
    version: null,
    contentType: 'text/csv; charset=utf-8',
    text: [
      'email,id,profile.login',
      'ada@example.com,12345678901234567890,ada',
      '"a ""b"", c\n@x",1.10,true',
      ',1E400,',
      ',,whole key',
      ',,',
      '',
    ].join('\n'),
  });
});

test('an empty list is a header, and one empty cell is a row', async () => {
  serve({ '/members?per_page=2': '{"data": {"members": []}}' });
  expect(await read({ items: 'data.members' })).toBe('email,id,profile.login\n');
  serve({ '/members?per_page=2': '[{}, {"email": "x"}]' });
  expect((await readBy(list(), context({ columns: ['email'] }))).text).toBe('email\n""\nx\n');
});

test('follows the links to the next pages, with headers and parameters', async () => {
  const link = (path: string) => ({
    link: `<https://hr.example.com/first>; rel="first", <${path}>; title="a, b"; rel="prev next"`,
  });
  serve({
    '/members?per_page=2&token=t': {
      body: '[{"id": 1}]',
      headers: link('https://hr.example.com/members?page=2'),
    },
    '/members?page=2&token=t': {
      body: gzipSync('[{"id": 2}]'),
      headers: { ...link('/members?page=3'), 'content-encoding': 'gzip' },
    },
    '/members?page=3&token=t': {
      body: '[{"id": 3}]',
      headers: { link: ['<https://hr.example.com/>; rel=first', '<x>; rel=prev'] },
    },
  });
  expect(await read({ next: { by: 'link' } }, { query: { token: 't' } })).toBe(
    'email,id,profile.login\n,1,\n,2,\n,3,\n',
  );
});

test('follows a cursor until it is absent or empty', async () => {
  const page = (id: number, cursor: string) => `{"items": [{"id": ${id}}], "meta": {"next": ${cursor}}}`;
  const next = { by: 'cursor', path: 'meta.next', parameter: 'after' };
  for (const end of ['null', '""']) {
    serve({
      '/members?per_page=2': page(1, '"a+b=="'),
      '/members?per_page=2&after=a%2Bb%3D%3D': page(2, '12345678901234567890'),
      '/members?per_page=2&after=12345678901234567890': page(3, end),
    });
    expect(await read({ items: 'items', next })).toBe('email,id,profile.login\n,1,\n,2,\n,3,\n');
  }
});

test.each([
  [
    'that repeats the cursor',
    { by: 'cursor', path: 'next', parameter: 'c' },
    '{"items": [], "next": "same"}',
    undefined,
    'back to a page',
  ],
  ['that links to itself', { by: 'link' }, '{"items": []}', '<?per_page=2>; rel=next', 'back to a page'],
  [
    'at another origin',
    { by: 'link' },
    '{"items": []}',
    '<https://other.example.com/x>; rel=next',
    'other.example.com',
  ],
  [
    'at http:',
    { by: 'link' },
    '{"items": []}',
    '<http://hr.example.com/x>; rel=next',
    'https://hr.example.com',
  ],
  ['that is none', { by: 'link' }, '{"items": []}', '<http://>; rel=next', 'invalid URL'],
  [
    'with a list as cursor',
    { by: 'cursor', path: 'next', parameter: 'c' },
    '{"items": [], "next": []}',
    undefined,
    'cursor at next',
  ],
])('a page %s is an error', async (_, next, body, link, message) => {
  receiver.respond((_request, response) => void response.writeHead(200, link ? { link } : {}).end(body));
  expect(await fail({ items: 'items', next })).toMatchObject({
    code: 'paging',
    isTemporary: false,
    message: expect.stringContaining(message),
  });
});

test('a list without an end is an error', async () => {
  receiver.respond((request, response) => {
    const page = Number(new URL(request.url ?? '', LIST).searchParams.get('page'));
    response.writeHead(200, { link: `<?page=${page + 1}>; rel=next` }).end('[]');
  });
  const error = await fail({ next: { by: 'link' } }, { maxPages: 5 });
  expect(error).toMatchObject({ code: 'paging', message: expect.stringContaining('more than') });
});

test.each([
  ['<html>', {}, 'is not JSON'],
  ['[{"id": 1}', {}, 'is not JSON'],
  [`${'['.repeat(100_000)}`, {}, 'is nested too deeply'],
  ['{"members": []}', {}, 'is not a list'],
  ['{"data": {}}', { items: 'data.members' }, 'has no list at data.members'],
  ['[{"id": 1}, 7]', {}, 'Item 2 of the list is not an object'],
  ['[{"id": 1}, {"id": [1]}]', {}, 'Item 2 of the list has an object or a list at id'],
])('rejects %p', async (body, json, message) => {
  serve({ '/members?per_page=2': body });
  expect(await fail(json)).toMatchObject({
    code: 'invalid_content',
    message: expect.stringContaining(message),
  });
});

test('a failure of a later page fails the file', async () => {
  const first = { body: '[{"id": 1}]', headers: { link: '<?page=2>; rel=next' } };
  serve({ '/members?per_page=2': first });
  expect(await fail({ next: { by: 'link' } })).toMatchObject({ code: 'not_found' });
  receiver.respond((request, response, socket) => {
    if (request.url?.includes('per_page')) response.writeHead(200, first.headers).end(first.body);
    else response.setHeader('Content-Length', 100).write('[', () => socket.end());
  });
  expect(await fail({ next: { by: 'link' } })).toMatchObject({ code: 'incomplete', isTemporary: true });
});

test('limits a page also when it is decompressed, and the file', async () => {
  serve({
    '/members?per_page=2': {
      body: gzipSync(Buffer.alloc(20_000_000, 0x20)),
      headers: { 'content-encoding': 'gzip' },
    },
  });
  expect(await fail()).toMatchObject({ code: 'too_large', message: expect.stringContaining('fewer items') });
  serve({ '/members?per_page=2': JSON.stringify(Array(1_000).fill({ email: 'ada@example.com' })) });
  expect(await fail({}, { maxBytes: 10_000 })).toMatchObject({ code: 'too_large' });
});

test('a stop ends it between and in pages, and so does a reader that goes away', async () => {
  const next = { by: 'link' };
  for (const how of ['stopped', 'destroyed']) {
    const second = new Promise<void>((resolve) => {
      receiver.respond((request, response) => {
        if (request.url?.includes('per_page'))
          return void response.writeHead(200, { link: '<?page=2>; rel=next' }).end('[]');
        response.on('close', resolve);
        if (how === 'stopped') stop.abort(new Error('stopped'));
        else if (file !== 'unchanged') file.content.destroy();
      });
    });
    const stop = new AbortController();
    const file = await fetchBy(list({ next }), context({ stopped: stop.signal }));
    if (file === 'unchanged') throw new Error('unchanged');
    file.content.on('error', () => {}).resume();
    await second;
  }
});
