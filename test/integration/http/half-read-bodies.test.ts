import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { RecordCheck } from '../../../api/body/json/check-records.js';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

const KIB = 1024;
const LONG = 300 * KIB;
const SHORT = 60 * KIB;
const identities = '/v2/developers/identities';

let stack: Stack;
let key: string;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  key = await stack.key();
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => stack.stop());

/** Opens a separate connection and sends text. `said` is what the server has sent so far. */
function open(bytes: string) {
  let text = '';
  const socket = connect(stack.port, '127.0.0.1', () => socket.write(bytes));
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => {});
  return { socket, said: () => text };
}

const head = (length: number, ...headers: string[]) =>
  `${[`PATCH ${identities} HTTP/1.1`, 'Host: x', `Authorization: ApiKey ${key}`, `Content-Length: ${length}`, ...headers].join('\r\n')}\r\n\r\n`;
const multipart = 'Content-Type: multipart/form-data; boundary=b';
const isJson = 'Content-Type: application/json';
const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n';

const statuses = (text: string): string[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status as string);

/** Makes the next write to the store fail once it has read data and `isTime` returns true. */
function failStore(isTime: () => boolean = () => true): void {
  jest.spyOn(stack.files, 'write').mockImplementationOnce(async (_, source) => {
    const body = source as Readable;
    body.on('error', () => {});
    if (isTime()) await once(body, 'readable');
    else body.resume();
    await until('it is time to fail', isTime);
    body.destroy();
    throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  });
}

const brokenGzip = [
  'broken gzip',
  '400',
  (length: number) => head(length, multipart, 'Content-Encoding: gzip'),
  () => {},
] as const;

const cases = [
  brokenGzip,
  ['a second file', '400', (length: number) => `${head(length, multipart) + part}x\r\n${part}`, () => {}],
  [
    'a transfer encoding that is broken',
    '400',
    (length: number) =>
      `${head(length, multipart) + part.replace('\r\n\r\n', '\r\nContent-Transfer-Encoding: base64\r\n\r\n')}?`,
    () => {},
  ],
  [
    'a store that fails during a JSON upload',
    '503',
    (length: number) => `${head(length, isJson)}[{"email":"ann@example.com","integrationId":1,"identity":"`,
    failStore,
  ],
  [
    'a store that fails during a CSV upload',
    '503',
    (length: number) => head(length, multipart) + part,
    failStore,
  ],
] as const;

test.each(cases)(
  'responds to a half-read long body, and closes the connection: %s',
  async (_, status, beginning, prepare) => {
    prepare();
    const { socket, said } = open(beginning(LONG) + 'x'.repeat(LONG / 2));
    await until('the connection is closed', () => socket.closed);
    expect(statuses(said())).toEqual([status]);
    expect(said()).toMatch(/\r\nconnection: close\r\n/i);
  },
);

test.each(cases)(
  'discards the rest of a half-read short body, and responds to the next request on the connection: %s',
  async (_, status, beginning, prepare) => {
    prepare();
    const connection = once(stack.server, 'connection') as Promise<[Socket]>;
    const start = `${beginning(SHORT)}${'x'.repeat(KIB)}`;
    const { socket, said } = open(start);
    const [accepted] = await connection;
    await until('the upload has a response', () => statuses(said()).length === 1);
    let left = SHORT - (start.length - start.indexOf('\r\n\r\n') - 4);
    // In several pieces, because the server stops reading when a few of them wait for the handler.
    for (let sent = start.length; left > 0; ) {
      const piece = 'x'.repeat(Math.min(left, 20 * KIB));
      left -= piece.length;
      sent += piece.length;
      socket.write(piece);
      await until('the piece has arrived', () => accepted.bytesRead >= sent);
    }
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await until('the next request has a response', () => statuses(said()).length === 2);
    expect(statuses(said())).toEqual([status, '200']);
    expect(said().split('\r\n\r\n')[0]).not.toMatch(/\r\nconnection: close/i);
    socket.destroy();
  },
);

test('a store that fails before an invalid body is read to its end does not make its retry a different request', async () => {
  const take = jest.spyOn(RecordCheck.prototype, 'take');
  failStore(() => take.mock.contexts.some((check) => (check as RecordCheck).isOver));
  const body = '['.repeat(SHORT);
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'half-read' };
  const { socket, said } = open(
    head(body.length, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)) +
      body.slice(0, SHORT / 2),
  );
  await until('the first request has a response', () => statuses(said()).length === 1);
  expect(statuses(said())).toEqual(['503']);
  socket.destroy();
  const retry = await new Client(stack.url, key).send('PATCH', identities, { headers, body });
  expect([retry.status, retry.body.code]).toEqual([400, 'too_deep']);
});
