import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { ALERT, makeWebhook, sendEvent } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

const MIB = 1024 * 1024;
const BODY_BYTES = 200_000;

/** A JSON document of `BODY_BYTES` bytes. */
const large = JSON.stringify('x'.repeat(BODY_BYTES - 2));

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({
    worker: false,
    env: { INTAKE_BUFFER_BYTES: String(4 * MIB), INTAKE_MAX_BYTES: String(MIB / 2) },
  });
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

/** Announces a body with Content-Length, and sends only its first byte. */
function announce(path: string): Socket {
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${BODY_BYTES}\r\n\r\n"`;
  const socket = connect(stack.port, '127.0.0.1', () => socket.write(head));
  return socket.on('error', () => {});
}

/** Returns whether another body of this size fits. Checks without a request, which could take the place of a held body. */
function hasRoom(id: string): boolean {
  const { buffer } = stack.api.intake;
  if (!buffer.reserve(id, BODY_BYTES)) return false;
  buffer.release(id, BODY_BYTES);
  return true;
}

const send = async (path: string, body: unknown = ALERT) => {
  const response = await sendEvent(stack.url, path, body);
  const { code } = (await response.json()) as { code?: string };
  return { status: response.status, code, retryAfter: response.headers.get('retry-after') };
};
const accepted = { status: 202, code: undefined, retryAfter: null };
const overloaded = { status: 503, code: 'overloaded', retryAfter: '5' };

test('responds with 503 to an integration that fills a quarter of the buffer, and accepts events of others', async () => {
  const [greedy, other] = [await makeWebhook(client), await makeWebhook(client)];
  const held = Array.from({ length: 5 }, () => announce(greedy.path));
  await until('its quarter of the buffer is full', () => !hasRoom(greedy.id));
  expect(await send(greedy.path, large)).toEqual(overloaded);
  expect(await send(other.path, large)).toEqual(accepted);
  // A small event still fits, because the quarter counts bytes, not events.
  expect(await send(greedy.path)).toEqual(accepted);
  for (const socket of held) socket.destroy();
  await until('its events are accepted again', async () => (await send(greedy.path, large)).status === 202);
});

test('rejects a body without Content-Length as soon as it exceeds the free space', async () => {
  const [greedy, other] = [await makeWebhook(client), await makeWebhook(client)];
  const held = Array.from({ length: 5 }, () => announce(greedy.path));
  await until('its quarter of the buffer is full', () => !hasRoom(greedy.id));
  const chunk = 'x'.repeat(20_000);
  const text = await new Promise<string>((resolve) => {
    let response = '';
    const head = `POST ${greedy.path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const socket = connect(stack.port, '127.0.0.1', () => socket.write(head));
    const more = setInterval(() => socket.write(`4e20\r\n${chunk}\r\n`), 5);
    socket.setEncoding('utf8').on('data', (part) => {
      response += part;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(more);
      resolve(response);
    });
  });
  expect(text).toMatch(/^HTTP\/1.1 503 /);
  expect(text.toLowerCase()).toContain('\r\nretry-after: 5\r\n');
  expect(JSON.parse(text.split('\r\n\r\n')[1] as string).code).toBe('overloaded');
  expect(await send(other.path, large)).toEqual(accepted);
  for (const socket of held) socket.destroy();
});
