import { once } from 'node:events';
import * as plain from 'node:http';
import * as tls from 'node:https';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Access } from './access.js';
import { Away, UploadFailure } from './failure.js';
import { greet, sendOnlyOver } from './greet.js';

/** A connection over which nothing moves for so long is taken for lost. */
const idleMs = 60_000;

export interface Call {
  method: 'GET' | 'PATCH';
  /** Relative to the base, without a slash in front. */
  path: string;
  headers?: Record<string, string>;
  body?: Readable;
}

/** An answer that was read to its end. */
export interface Answer {
  status: number;
  headers: plain.IncomingMessage['headers'];
  /** The JSON of the body; null when it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: from elsewhere; whoever takes a field from it says what it should be.
  body: any;
}

/**
 * Asks, and reads the whole answer. A refusal is read also when it comes while the body is still on its way.
 * @param sink takes the body of a 200, which is then null in the answer
 * @throws Away when the connection breaks; UploadFailure when no try can go better, or what `body` failed with
 */
export async function ask(
  access: Access,
  call: Call,
  stop: AbortSignal,
  sink?: () => Writable,
): Promise<Answer> {
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
  /** Makes a request, to be ended by the caller. */
  request(path: string, options?: { method: string; headers: Record<string, string> }): plain.ClientRequest;
  close(): void;
}

/**
 * One for each call: an older one may have been closed by the other side in the meantime. It is kept alive all the
 * same, because a server that was told to close it would cut off a refusal that comes while the body is sent.
 */
function connect({ base }: Access, signal: AbortSignal): Connection {
  const client = base.protocol === 'https:' ? tls : plain;
  const agent = new client.Agent({ keepAlive: true, maxSockets: 1 });
  const requests: plain.ClientRequest[] = [];
  return {
    request: (path, options = { method: 'GET', headers: {} }) => {
      const request = client.request(new URL(path, base), { ...options, agent, timeout: idleMs, signal });
      requests.push(request);
      request.on('timeout', () => request.destroy(new Error(`nothing moved for ${idleMs / 1_000} s`)));
      // After the response, an error of the sending side means nothing any more.
      request.on('error', () => undefined);
      return request;
    },
    close: () => {
      for (const request of requests) request.destroy();
      agent.destroy();
    },
  };
}

/** Sends the call, to a service that has to prove itself only once it has done so, over the same connection. */
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
  const what = unreached ? 'cannot be reached' : 'broke the connection';
  return new Away(`${base.origin} ${what} (${code || message})`, { unreached });
}

/** A certificate, another protocol than the one spoken there, a full disk here: the next try would end the same. */
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
