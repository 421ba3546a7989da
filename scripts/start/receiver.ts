import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A receiver of messages, to try destinations with. */
export interface TryReceiver {
  /** Where it listens, as `OUTBOUND_ALLOW` has it. */
  host: string;
  /** What a destination sends to. A GET request shows the latest messages. */
  url: string;
  close(): void;
}

const MAX_MESSAGES = 100;
/** Of one message. */
const MAX_CHARACTERS = 65_536;
const SHOWN_HEADERS = /^(content-type|webhook-.*)$/;

/**
 * Starts a server on a free port of this machine that accepts every POST request, and lists the latest ones, one in each line. Its path is secret: it
 * is readable by who may read the data directory, and neither by other users of this machine nor by pages in a browser.
 */
export async function startReceiver(): Promise<TryReceiver> {
  const path = `/${randomBytes(16).toString('hex')}`;
  const messages: string[] = [];
  const take = async (request: IncomingMessage): Promise<void> => {
    const body = await textOf(request);
    const headers = Object.entries(request.headers).filter(([name]) => SHOWN_HEADERS.test(name));
    const receivedAt = new Date().toISOString();
    messages.push(JSON.stringify({ receivedAt, headers: Object.fromEntries(headers), body: parsed(body) }));
    if (messages.length > MAX_MESSAGES) messages.shift();
  };
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url !== path) response.writeHead(404).end();
    else if (request.method === 'GET')
      response
        .writeHead(200, { 'content-type': 'application/jsonl; charset=utf-8' })
        .end(messages.map((message) => `${message}\n`).join(''));
    else {
      await take(request);
      response.writeHead(204).end();
    }
  };
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, url: `http://${host}${path}`, close: () => void server.close().closeAllConnections() };
}

/** Reads a body to its end, and returns its start. */
async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) if (text.length < MAX_CHARACTERS) text += chunk;
  return text.slice(0, MAX_CHARACTERS);
}

/** Returns the value of JSON, or the text itself. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
