import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { alertIntake } from '../../../workers/queues/contracts/alert-intake.js';
import { queueDepths } from '../../../workers/queues/depth.js';
import { Client } from '../../support/api/client.js';
import { makeWebhook } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

let stack: Stack;
let key: string;
beforeAll(async () => {
  stack = await startStack({ worker: false, env: { REQUEST_TIMEOUT_S: '1' } });
  key = await stack.key();
});
afterAll(() => stack.stop());

/** Sends a beginning, then a byte from time to time or nothing, until the server closes. Resolves to what the server sent. */
function drip(beginning: string, more = 'x'): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(stack.port, '127.0.0.1', () => socket.write(beginning));
    const timer = setInterval(() => socket.write(more), 200);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', reject);
    socket.on('end', () => {
      clearInterval(timer);
      socket.destroy();
      resolve(text);
    });
  });
}

const request = (method: string, path: string, type: string) =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ApiKey ${key}\r\nContent-Type: ${type}\r\nContent-Length: 9000\r\n\r\n`;

test('responds with 408 to a slow body, and closes the connection', async () => {
  const text = await drip(`${request('POST', '/v2/keys', 'application/json')}{`);
  expect(text).toMatch(/^HTTP\/1.1 408 /);
  expect(JSON.parse(text.split('\r\n\r\n')[1] as string).code).toBe('request_timeout');
});

test('responds with 408 to an upload below the minimum rate, and stores nothing', async () => {
  const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\nemail,';
  const text = await drip(
    request('PATCH', '/v2/developers/identities', 'multipart/form-data; boundary=b') + part,
  );
  expect(text).toMatch(/^HTTP\/1.1 408 /);
  await until('the file is removed', () => readdirSync(join(stack.folder, 'files', 'uploads')).length === 0);
});

test.each([
  ['stalls', 'Content-Length: 9000\r\n\r\n{"a":', ''],
  ['drips in', 'Content-Length: 9000\r\n\r\n{"a":', 'x'],
  ['stalls between chunks', 'Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n', ''],
])(
  'responds with 408 to an event whose body %s, closes the connection, and frees its part of the buffer',
  async (_, beginning, more) => {
    const { id, path } = await makeWebhook(new Client(stack.url, key));
    const text = await drip(`POST ${path} HTTP/1.1\r\nHost: x\r\n${beginning}`, more);
    expect(text).toMatch(/^HTTP\/1.1 408 /);
    expect(text.toLowerCase()).toContain('\r\nconnection: close\r\n');
    expect(JSON.parse(text.split('\r\n\r\n')[1] as string).code).toBe('request_timeout');
    const { intake, settings } = stack.api;
    const share = settings.intakeBufferBytes / 4;
    expect(intake.buffer.reserve(id, share)).toBe(true);
    intake.buffer.release(id, share);
    expect(await queueDepths(stack.api.redis, stack.prefix, alertIntake.queues)).toMatchObject([
      { waiting: 0 },
      { waiting: 0 },
    ]);
  },
);
