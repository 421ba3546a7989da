import { once } from 'node:events';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
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
  headers: IncomingMessage['headers'];
  /** The JSON of the body; null when it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: from elsewhere; whoever takes a field from it says what it should be.
  body: any;
}

/** Asks and reads the whole answer. @throws Away when the connection breaks, or what `body` failed with */
export async function ask(access: Access, call: Call, stop: AbortSignal): Promise<Answer> {
  const { response, end } = await open(access, call, stop);
  try {
    const body = await text(response);
    return { status: response.statusCode as number, headers: response.headers, body: parsed(body) };
  } catch (error) {
    throw explained(error, access, stop);
  } finally {
    end();
  }
}

/** An answer whose body is still to be read, and what lets go of the connection afterwards. */
export interface OpenAnswer {
  response: IncomingMessage;
  end(): void;
}

/** Asks, and answers as soon as the headers are there: a refusal may come while the body is still on its way. */
export async function open(access: Access, call: Call, stop: AbortSignal): Promise<OpenAnswer> {
  const { method, path, headers, body } = call;
  const url = new URL(path, access.base);
  // A connection for each call: one kept open may have been closed by the other side in the meantime.
  const request = (url.protocol === 'https:' ? tlsRequest : plainRequest)(url, {
    method,
    headers: { authorization: `ApiKey ${access.key}`, ...headers },
    agent: false,
    timeout: idleMs,
    signal: stop,
  });
  request.on('timeout', () => request.destroy(new Error(`nothing moved for ${idleMs / 1_000} s`)));
  // After the answer an error of the sending side says nothing any more.
  request.on('error', () => undefined);
  body?.on('error', (error) => request.destroy(error));
  if (body) body.pipe(request);
  else request.end();
  try {
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return { response, end: () => request.destroy() };
  } catch (error) {
    throw explained(error, access, stop);
  } finally {
    body?.unpipe(request);
    body?.destroy();
  }
}

const unreachedCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

function explained(error: unknown, { base }: Access, stop: AbortSignal): unknown {
  if (stop.aborted || error instanceof UploadFailure) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (isLasting(code)) return new UploadFailure(`${base.origin} cannot be asked: ${message}.`);
  const unreached = unreachedCodes.has(code);
  const what = unreached ? 'cannot be reached' : 'broke the connection';
  return new Away(`${base.origin} ${what} (${code || message})`, { unreached });
}

/** Certificates, and a protocol that is not the one spoken there: the next try would end the same. */
function isLasting(code: string): boolean {
  return /CERT|SSL|TLS|^HPE_|SELF_SIGNED|^ERR_INVALID/.test(code);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
