import { once } from 'node:events';
import * as plain from 'node:http';
import * as tls from 'node:https';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Access } from './access.js';
import { Away, UploadFailure } from './failure.js';

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
  const { request, end } = begin(access, call, stop);
  try {
    const [response] = (await once(request, 'response')) as [plain.IncomingMessage];
    call.body?.unpipe(request);
    const { statusCode: status = 0, headers } = response;
    if (sink && status === 200) await pipeline(response, sink());
    return { status, headers, body: response.readableEnded ? null : parsed(await text(response)) };
  } catch (error) {
    throw explained(error, access, stop);
  } finally {
    call.body?.destroy();
    end();
  }
}

function begin({ base, key }: Access, { method, path, headers, body }: Call, signal: AbortSignal) {
  const url = new URL(path, base);
  const client = url.protocol === 'https:' ? tls : plain;
  // A connection for each call: an older one may have been closed by the other side in the meantime. It is kept alive
  // all the same, for a server that was told to close it would cut off a refusal that comes while the body is sent.
  const agent = new client.Agent({ keepAlive: true });
  const authorization = `ApiKey ${key}`;
  const request = client.request(url, {
    method,
    headers: { authorization, ...headers },
    agent,
    timeout: idleMs,
    signal,
  });
  request.on('timeout', () => request.destroy(new Error(`nothing moved for ${idleMs / 1_000} s`)));
  // After the answer an error of the sending side says nothing any more.
  request.on('error', () => undefined);
  body?.on('error', (error) => request.destroy(error));
  if (body) body.pipe(request);
  else request.end();
  const end = () => {
    request.destroy();
    agent.destroy();
  };
  return { request, end };
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
