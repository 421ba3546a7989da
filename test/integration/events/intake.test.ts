import { createHmac } from 'node:crypto';
import { OutgoingMessage } from 'node:http';
import { connect } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { ALERT, makeWebhook, receiptOf, sendEvent, type TestWebhook } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

let stack: Stack;
let client: Client;
let webhook: TestWebhook;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
  webhook = await makeWebhook(client);
});
afterAll(() => stack.stop());

const MIB = 1024 * 1024;

async function send(body: unknown, headers: Record<string, string> = {}, path = webhook.path) {
  const response = await sendEvent(stack.url, path, body, headers);
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

test.each([
  ['an object', '{"a":1}'],
  ['an array', '[1,2]'],
  ['a string', '"hello"'],
  ['a number', ' 12.50 '],
  ['null', 'null'],
  ['names of prototype properties', '{"__proto__":{"polluted":true},"constructor":{"prototype":1}}'],
  ['text beyond the basic plane', '{"a":"\u{1F525} \\ud83d"}'],
  ['a byte order mark', '\uFEFF{"a":1}'],
  ['64 levels', '['.repeat(64) + ']'.repeat(64)],
  ['1 MiB exactly', JSON.stringify('x'.repeat(MIB - 2))],
])('accepts %s and stores its exact bytes', async (_, body) => {
  const response = await send(Buffer.from(body), { 'content-type': 'text/plain' });
  expect(response.status).toBe(202);
  const receipt = await receiptOf(client, response.body.eventId);
  expect(Buffer.from(receipt.raw).equals(Buffer.from(body))).toBe(true);
  expect(receipt.state).toBe('normalized');
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

const DOCUMENT = JSON.stringify(Array.from({ length: MIB / 16 }, (_, i) => ({ a: i, b: '' })));

/** Returns the longest time that the event loop was held during some work, in ms. */
async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await sleep(5);
  await work();
  await sleep(5);
  delay.disable();
  return delay.max / 1e6;
}

test.each([
  ['an empty body', Buffer.from(''), 400, 'empty_body'],
  ['a cut-off document', Buffer.from('{"a":1'), 400, 'malformed_json'],
  ['two documents', Buffer.from('{}{}'), 400, 'malformed_json'],
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400, 'malformed_json'],
  ['65 levels', Buffer.from('['.repeat(65) + ']'.repeat(65)), 400, 'too_deep'],
  ['very deep nesting', Buffer.from('[{"a":'.repeat(MIB / 6)), 400, 'too_deep'],
  ['a body one byte over 1 MiB', Buffer.from(JSON.stringify('x'.repeat(MIB - 1))), 413, 'too_large'],
])('rejects %s without blocking the event loop', async (_, body, status, code) => {
  const response = await send(body);
  expect([response.status, response.body.code]).toEqual([status, code]);
  expect(response.body).toMatchObject({ status: 'error', errors: [], errorCount: 0 });
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  // Parsing JSON of this size holds the loop too. Both are measured again if something else held it.
  let [held, floor] = [Number.POSITIVE_INFINITY, 0];
  for (let attempt = 0; attempt < 10 && held > 5 * floor; attempt++) {
    floor = Math.max(floor, await longestBlock(async () => JSON.parse(DOCUMENT)));
    held = Math.min(held, await longestBlock(() => send(body)));
  }
  expect(held).toBeLessThan(5 * floor);
});

test('records a body that is not JSON with its first 8 KiB and the reason', async () => {
  const { id, path } = await makeWebhook(client);
  await send(`oops ${'y'.repeat(20_000)}`, {}, path);
  await send(Buffer.from([0xff, 0xfe]), {}, path);
  const rejected = async () => (await client.get(`/v2/events?webhookId=${id}&state=rejected`)).body.data;
  await until('both are recorded', async () => (await rejected()).length === 2);
  const details = [];
  for (const event of await rejected()) details.push((await client.get(`/v2/events/${event.id}`)).body.data);
  details.sort((a, b) => b.bytes - a.bytes);
  expect(details[0]).toMatchObject({
    bytes: 8_192,
    rawEncoding: 'utf-8',
    alertIds: [],
    faults: [{ code: 'malformed_json' }],
  });
  expect(details[1]).toMatchObject({
    raw: '//4=',
    rawEncoding: 'base64',
    faults: [{ code: 'malformed_json' }],
  });
});

test('counts a body that is not JSON towards the rate limit, and does not record it beyond the limit', async () => {
  const { id, path } = await makeWebhook(client, {
    rateLimit: { eventsPerMinute: 2, overLimitStatus: 429 },
  });
  const statuses = [];
  for (let i = 0; i < 4; i++) statuses.push((await send('{', {}, path)).status);
  expect(statuses).toEqual([400, 400, 429, 429]);
  await rejectedOf(id, 2);
});

const sentBody = (body: string) => ({ body: Buffer.from(body), coding: null, limit: MIB, reserve: () => {} });

test('records a body that is not JSON only while the buffer has room, and releases the room afterwards', async () => {
  const { id, path } = await makeWebhook(client);
  const { intake, settings } = stack.api;
  const target = await intake.directory.find(path.split('/').at(-1) as string);
  const share = settings.intakeBufferBytes / 4;
  const reject = (body: string) =>
    expect(
      intake.accept(
        target,
        { req: { headers: {}, rawHeaders: [] }, res: new OutgoingMessage() },
        sentBody(body),
      ),
    ).rejects.toMatchObject({ code: 'malformed_json' });
  expect(intake.buffer.reserve(id, share)).toBe(true);
  await reject('no room');
  intake.buffer.release(id, share);
  await reject('room');
  expect(intake.buffer.reserve(id, share)).toBe(false);
  expect(await rejectedOf(id, 1)).toMatchObject([{ bytes: 4 }]);
  expect(intake.buffer.reserve(id, share)).toBe(true);
  intake.buffer.release(id, share);
});

/** Waits for this number of rejected events of an integration, and returns them. */
async function rejectedOf(id: string, count: number) {
  const read = async () => (await client.get(`/v2/events?webhookId=${id}&state=rejected`)).body.data;
  await until('the rejected events are recorded', async () => (await read()).length >= count);
  const events = await read();
  expect(events).toHaveLength(count);
  return events;
}

test('rejects a body with an unknown Content-Encoding', async () => {
  const response = await send(brotliCompressSync(JSON.stringify(ALERT)), { 'content-encoding': 'br' });
  expect([response.status, response.body.code]).toEqual([415, 'unsupported_media_type']);
  expect(response.headers.get('accept-encoding')).toBe('gzip, deflate, identity');
});

test.each([
  [
    'ISO-8859-1',
    Buffer.from('{"a":"Störung"}', 'latin1'),
    'application/json; charset=iso-8859-1',
    'identity',
  ],
  [
    'UTF-16 with a byte order mark',
    Buffer.from('\uFEFF{"a":"Störung"}', 'utf16le'),
    'application/json',
    'identity',
  ],
  [
    'a field of multipart/form-data',
    Buffer.from('--b\r\nContent-Disposition: form-data; name="payload"\r\n\r\n{"a":"Störung"}\r\n--b--\r\n'),
    'multipart/form-data; boundary=b',
    'identity',
  ],
  [
    'a field of multipart/form-data in base64 and gzip',
    Buffer.from(
      `--b\r\nContent-Transfer-Encoding: base64\r\nContent-Encoding: gzip\r\n\r\n${gzipSync('{"a":"Störung"}').toString('base64')}\r\n--b--\r\n`,
    ),
    'multipart/form-data; boundary=b',
    'identity',
  ],
  ['x-gzip', gzipSync('{"a":"Störung"}'), 'application/json', 'x-gzip'],
])('stores JSON from %s as UTF-8', async (_, body, type, coding) => {
  const response = await send(body, { 'content-type': type, 'content-encoding': coding });
  expect(response.status).toBe(202);
  expect((await receiptOf(client, response.body.eventId)).raw).toBe('{"a":"Störung"}');
});

test('obeys what the headers say about a body, and records one that they do not fit', async () => {
  const encoding = { 'content-transfer-encoding': 'quoted-printable' };
  const { body } = await send(Buffer.from('{"a":"St=C3=B6rung"}'), encoding);
  expect((await receiptOf(client, body.eventId)).raw).toBe('{"a":"Störung"}');
  const { id, path } = await makeWebhook(client);
  const digest = { 'content-md5': 'A'.repeat(22).concat('==') };
  const wrong = await client.send('POST', path, { body: Buffer.from('{}'), headers: digest });
  expect([wrong.status, wrong.body.code]).toEqual([400, 'digest_mismatch']);
  expect((await rejectedOf(id, 1))[0]).toMatchObject({ state: 'rejected' });
});

test('unknown, deleted and mistyped URLs get the same response', async () => {
  const gone = await makeWebhook(client);
  await client.send('DELETE', `/v2/webhooks/${gone.id}`);
  await until('the deletion takes effect', async () => (await send(ALERT, {}, gone.path)).status === 404);
  const paths = [gone.path, `/api/v1/webhook/${'A'.repeat(32)}`, '/api/v1/webhook/short', '/api/v1/webhook/'];
  for (const path of paths) {
    const { status, body } = await send(ALERT, {}, path);
    const { requestId: _, ...rest } = body;
    expect([status, rest]).toEqual([
      404,
      {
        status: 'error',
        message: 'This webhook does not exist.',
        code: 'not_found',
        errors: [],
        errorCount: 0,
      },
    ]);
  }
  const other = await client.json('PUT', webhook.path, {});
  expect([other.status, other.headers.get('allow')]).toEqual([405, 'POST']);
});

test.each(['webhook-id', 'svix-id', 'Idempotency-Key', 'X-GitHub-Delivery', 'x-amz-sns-message-id'])(
  'deduplicates events with the same %s',
  async (header) => {
    const once = await send(ALERT, { [header]: 'delivery-1' });
    const again = await send(ALERT, { [header]: 'delivery-1' });
    const other = await send(ALERT, { [header]: 'delivery-2' });
    expect(again.body).toEqual(once.body);
    expect(once.body.eventId).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(other.body.eventId).not.toBe(once.body.eventId);
    await receiptOf(client, other.body.eventId);
    await receiptOf(client, once.body.eventId);
  },
);

test('stores a corrected redelivery of a body that was rejected', async () => {
  const headers = { 'webhook-id': 'corrected' };
  expect((await send('{', headers)).status).toBe(400);
  const response = await send(ALERT, headers);
  expect((await receiptOf(client, response.body.eventId)).state).toBe('normalized');
});

test('accepts only signed events if a signature is required', async () => {
  const secret = 'a shared secret 123';
  const body = JSON.stringify(ALERT);
  const github = await makeWebhook(client, { signature: { scheme: 'github', secret } });
  const mac = createHmac('sha256', secret).update(body).digest('hex');
  expect((await send(body, { 'x-hub-signature-256': `sha256=${mac}` }, github.path)).status).toBe(202);
  for (const headers of [{}, { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }]) {
    const response = await send(body, headers, github.path);
    expect([response.status, response.body.code]).toEqual([401, 'bad_signature']);
  }
  const key = Buffer.from('0123456789abcdef0123456789abcdef');
  const whsec = `whsec_${key.toString('base64')}`;
  const standard = await makeWebhook(client, { signature: { scheme: 'standard-webhooks', secret: whsec } });
  const signed = (seconds: number) => {
    const timestamp = String(Math.floor(Date.now() / 1_000) + seconds);
    const signature = createHmac('sha256', key).update(`msg_1.${timestamp}.${body}`).digest('base64');
    return {
      'webhook-id': 'msg_1',
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,AAAA v1,${signature}`,
    };
  };
  expect((await send(body, signed(0), standard.path)).status).toBe(202);
  expect((await send(`${body} `, signed(0), standard.path)).status).toBe(401);
  expect((await send(body, signed(-600), standard.path)).status).toBe(401);
});

test.each([503, 429])(
  'responds with %d and Retry-After to an integration over its rate limit',
  async (status) => {
    const { path } = await makeWebhook(client, {
      rateLimit: { eventsPerMinute: 3, overLimitStatus: status },
    });
    for (const left of [2, 1, 0]) {
      const { status, headers } = await send(ALERT, {}, path);
      expect([status, headers.get('ratelimit-policy')]).toEqual([202, '"events";q=3;w=60']);
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"events";r=${left};t=(?:[1-5]?[0-9]|60)$`));
    }
    for (const _ of ['asked Redis', 'knows it']) {
      const { status: got, body, headers } = await send(ALERT, {}, path);
      expect([got, body.code]).toEqual([status, 'over_limit']);
      const seconds = Number(headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(0);
      expect([headers.get('ratelimit-policy'), headers.get('ratelimit')]).toEqual([
        '"events";q=3;w=60',
        `"events";r=0;t=${seconds}`,
      ]);
    }
    const { headers } = await send(ALERT, {}, (await makeWebhook(client)).path);
    expect([headers.get('ratelimit-policy'), headers.get('ratelimit')]).toEqual([null, null]);
  },
);

test('pings count towards the rate limit of their integration, and say what is left', async () => {
  const { id, path } = await makeWebhook(client, { rateLimit: { eventsPerMinute: 2 } });
  await client.json('PUT', `/v2/webhooks/${id}/heartbeats/nightly`, { schedule: { periodSeconds: 3_600 } });
  await stack.api.intake.directory.refresh();
  await send(ALERT, {}, path);
  const shown = [];
  for (const _ of [1, 2]) {
    const { status, headers } = await client.get(`${path}/heartbeat/nightly`);
    shown.push([status, headers.get('ratelimit-policy'), headers.get('ratelimit')?.split(';t=')[0]]);
  }
  const rest = ['"events";q=2;w=60', '"events";r=0'];
  expect(shown).toEqual([
    [202, ...rest],
    [503, ...rest],
  ]);
});

/** Sends the headers and the start of a body, and closes the connection. */
const breakOff = (path: string, begin: string) =>
  new Promise<void>((resolve) => {
    const socket = connect(stack.port, '127.0.0.1', () => {
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 20000\r\n\r\n${begin}`, () =>
        socket.end(),
      );
    });
    socket.on('close', () => resolve()).resume();
  });

const eventsOf = async (id: string) => (await client.get(`/v2/events?webhookId=${id}`)).body.data;

test('records the first 8 KiB of a body that is cut off as a rejected event', async () => {
  const { id, path } = await makeWebhook(client);
  const begin = `{"a":"${'x'.repeat(9_000)}`;
  await breakOff(path, begin);
  await until('the event is recorded', async () => (await eventsOf(id)).length === 1);
  const [{ id: eventId }] = await eventsOf(id);
  expect(await receiptOf(client, eventId)).toMatchObject({
    state: 'rejected',
    alertIds: [],
    raw: begin.slice(0, 8 * 1024),
    faults: [{ field: null, code: 'incomplete_body', message: 'The body was cut off before its end.' }],
  });
});

test('does not record a body that is cut off if a signature is required, or beyond the rate limit', async () => {
  const signed = await makeWebhook(client, {
    signature: { scheme: 'github', secret: 'a long enough secret' },
  });
  const limited = await makeWebhook(client, { rateLimit: { eventsPerMinute: 1, overLimitStatus: 503 } });
  await breakOff(signed.path, '{');
  await breakOff(limited.path, '{"first":');
  await until('the first is recorded', async () => (await eventsOf(limited.id)).length === 1);
  await breakOff(limited.path, '{"second":');
  const later = await makeWebhook(client);
  await receiptOf(client, (await send(ALERT, {}, later.path)).body.eventId);
  expect(await eventsOf(signed.id)).toEqual([]);
  expect(await eventsOf(limited.id)).toHaveLength(1);
});

test('GET and HEAD of a webhook URL respond with 200 and store nothing', async () => {
  const { id, path } = await makeWebhook(client);
  for (const url of [path, `${path}/`]) {
    const found = await fetch(stack.url + url);
    expect([found.status, found.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(await found.text()).toBe('This is a Muster webhook URL. Send events to it with POST.\n');
    const head = await fetch(stack.url + url, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  }
  expect(await eventsOf(id)).toEqual([]);
  expect((await client.get(`/v2/webhooks/${id}`)).body.data.lastUsedAt ?? null).toBeNull();
});

test.each(['GET', 'HEAD'])('%s of an unknown webhook URL responds with 404, like POST', async (method) => {
  for (const path of [`${webhook.path.slice(0, -1)}!`, `/api/v1/webhook/${'A'.repeat(32)}`]) {
    const [probed, sent] = [await fetch(stack.url + path, { method }), await send(ALERT, {}, path)];
    expect([probed.status, sent.status]).toEqual([404, 404]);
    if (method === 'GET') {
      const { requestId: _, ...body } = (await probed.json()) as Record<string, unknown>;
      const { requestId: __, ...expected } = sent.body;
      expect(body).toEqual(expected);
    }
  }
});

test('the log contains neither payloads nor tokens', async () => {
  const marked = JSON.stringify({ secret: 'payload-marker-17' });
  await send(marked);
  await send(`${marked}oops`);
  await send(ALERT, {}, `${webhook.path.slice(0, -1)}!`);
  const log = stack.lines.join('\n');
  expect(log).not.toContain('payload-marker-17');
  expect(log).not.toContain(webhook.path.split('/').at(-1));
});

test('the 404 for an unknown event tells whether it may still be in the queue', async () => {
  const response = await client.get('/v2/events/01a1f89f-0b39-792e-80b5-57ab2e2af000');
  expect([response.status, ['not_found', 'not_stored_yet'].includes(response.body.code)]).toEqual([
    404,
    true,
  ]);
});
