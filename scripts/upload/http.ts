import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import * as plain from 'node:http';
import * as tls from 'node:https';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { greetingProof, serverAddressAtClient } from '../../api/access/greeting.js';
import type { Access } from './access.js';
import { Unavailable, UploadFailure } from './failure.js';

/** A connection without any data for this long counts as lost. */
const idleMs = 60_000;

export interface Call {
  method: 'GET' | 'PATCH' | 'PUT' | 'POST' | 'DELETE';
  /** Relative to the base, without a slash in front. */
  path: string;
  headers?: Record<string, string>;
  body?: Readable;
}

/** A complete response. */
export interface CompleteResponse {
  status: number;
  headers: plain.IncomingMessage['headers'];
  /** The JSON of the body, or null if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: from another process; the code that reads a field checks it.
  body: any;
}

/**
 * Sends a request and reads the whole response, also one that arrives while the body is still being sent.
 * @param sink receives the body of a 200, which is then null in the response
 * @throws Unavailable if the connection breaks, UploadFailure if no attempt can succeed, or the error of `body`
 */
export async function ask(
  access: Access,
  call: Call,
  stop: AbortSignal,
  sink?: () => Writable,
): Promise<CompleteResponse> {
  const connection = connect(access, stop);
  try {
    const request = await begin(access, call, connection);
    const [response] = (await once(request, 'response')) as [plain.IncomingMessage];
    call.body?.unpipe(request);
    const { statusCode: status = 0, headers } = response;
    if (sink && status === 200) await pipeline(response, sink());
    return { status, headers, body: response.readableEnded ? null : parsed(await text(response)) };
  } catch (error) {
    throw explained(error, access, stop);
  } finally {
    call.body?.destroy();
    connection.close();
  }
}

interface Connection {
  /** Creates a request. The caller ends it. */
  request(path: string, options?: { method: string; headers: Record<string, string> }): plain.ClientRequest;
  close(): void;
}

/**
 * Opens a connection for one call, because the server may have closed an older one. It is still kept alive: a server that is told
 * to close it would cut off an error response that arrives while the body is being sent.
 */
function connect({ base }: Access, signal: AbortSignal): Connection {
  const client = base.protocol === 'https:' ? tls : plain;
  const agent = new client.Agent({ keepAlive: true, maxSockets: 1 });
  const requests: plain.ClientRequest[] = [];
  return {
    request: (path, options = { method: 'GET', headers: {} }) => {
      const request = client.request(new URL(path, base), { ...options, agent, timeout: idleMs, signal });
      requests.push(request);
      request.on('timeout', () => request.destroy(new Error(`no data for ${idleMs / 1_000} s`)));
      // After the response, an error while sending has no meaning.
      request.on('error', () => undefined);
      return request;
    },
    close: () => {
      for (const request of requests) request.destroy();
      agent.destroy();
    },
  };
}

/** Sends the call. A service that has to prove its identity does so first, over the same connection. */
async function begin(
  { base, key, greetingKey }: Access,
  { method, path, headers, body }: Call,
  connection: Connection,
): Promise<plain.ClientRequest> {
  const proven = greetingKey && (await greet(greetingKey, base.origin, (to) => connection.request(to).end()));
  const authorization = `ApiKey ${key}`;
  const request = connection.request(path, { method, headers: { authorization, ...headers } });
  if (proven) sendOnlyOver(proven, request);
  body?.on('error', (error) => request.destroy(error));
  if (body) body.pipe(request);
  else request.end();
  return request;
}

const unreachedCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

function explained(error: unknown, { base }: Access, stop: AbortSignal): unknown {
  if (stop.aborted || error instanceof UploadFailure) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (isLasting(code)) return new UploadFailure(`${base.origin} failed: ${message}.`);
  const unreached = unreachedCodes.has(code);
  const what = unreached ? 'cannot be reached' : 'dropped the connection';
  return new Unavailable(`${base.origin} ${what} (${code || message})`, { unreached });
}

/** Returns true for errors that would repeat: an invalid certificate, the wrong protocol, a full local disk. */
function isLasting(code: string): boolean {
  return /CERT|SSL|TLS|^HPE_|SELF_SIGNED|^ENOSPC$|^EDQUOT$|^EIO$/.test(code);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

const longestGreeting = 4_096;

/**
 * Makes the server prove that it knows `key`, with a request that contains no secret.
 * @param send sends the request with an agent that has one connection and keeps it
 * @returns the connection over which the server proved its identity
 * @throws UploadFailure if the proof is missing or wrong
 */
async function greet(key: string, origin: string, send: (path: string) => ClientRequest): Promise<Socket> {
  const nonce = randomBytes(32).toString('hex');
  const request = send(`greeting?nonce=${nonce}`);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const { socket } = response;
  const expected = greetingProof(key, nonce, serverAddressAtClient(socket));
  if (isProof(await bodyOf(response), expected)) return socket;
  throw new UploadFailure(
    `${origin} could not prove that it is the Muster of DATA_DIR, so nothing was sent to it. ` +
      'If it is the right server, set both MUSTER_URL and MUSTER_API_KEY.',
  );
}

/** Returns the body, or an empty text if it is longer than any greeting: an unknown server may send without end. */
async function bodyOf(response: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of response.setEncoding('utf8')) {
    body += chunk;
    if (body.length > longestGreeting) return '';
  }
  return body;
}

function isProof(body: string, expected: string): boolean {
  try {
    const { proof } = JSON.parse(body) as { proof?: unknown };
    return typeof proof === 'string' && timingSafeEqual(Buffer.from(proof), Buffer.from(expected));
  } catch {
    return false;
  }
}

/** Sends a request only over that connection, because another program may listen on the port by now. */
function sendOnlyOver(socket: Socket, request: ClientRequest): void {
  request.on('socket', (given) => {
    if (given !== socket) request.destroy(new Error('the connection was closed after the greeting'));
  });
}
