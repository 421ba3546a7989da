import http, { type Agent, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https, { type RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import { OutboundError, toOutboundError } from './outbound-error.js';
import type { Target } from './target.js';

export interface ExchangeOptions {
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string>>;
  body: Buffer | null;
  /** False: a connection of its own. */
  agent: Agent | false;
  /** Instead of it, if its connection was closed by the host. */
  freshAgent: Agent | false;
  ca: string | undefined;
  signal: AbortSignal;
  /** For TCP and TLS together. */
  connectTimeoutMs: number;
  maxBytes: number;
}

export type OpenOptions = Omit<ExchangeOptions, 'maxBytes'>;

/** How long the parts of a request took, in ms. A kept connection takes 0 to connect. */
export interface ExchangeTimings {
  connect: number;
  tls: number;
  /** From the connection to the headers of the response. */
  firstByte: number;
}

/** A response whose body is not read yet. */
export interface OpenResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** Fails with an OutboundError, or with the reason of the signal, if it ends early. It must be read or destroyed. */
  body: IncomingMessage;
  timings: ExchangeTimings;
}

export interface Received extends Omit<OpenResponse, 'body'> {
  /** At most `maxBytes`. */
  body: Buffer;
  /** Whether the body was longer. The connection is closed then. */
  isCut: boolean;
}

/** A failure before the request was sent: another address may succeed. */
export class UnsentError extends Error {
  override readonly cause: OutboundError;

  constructor(cause: OutboundError) {
    super(cause.message);
    this.cause = cause;
  }
}

const MAX_HEADER_BYTES = 16_384;

/**
 * Sends one request to one address and reads the response.
 * @throws UnsentError, OutboundError, or TypeError for a header that HTTP does not allow
 */
export async function exchange(target: Target, address: string, options: ExchangeOptions): Promise<Received> {
  const { status, headers, body: incoming, timings } = await openExchange(target, address, options);
  try {
    const { body, isCut } = await readUpTo(incoming, options.maxBytes);
    return { status, headers, body, isCut, timings };
  } catch (error) {
    throw error instanceof Error ? toOutboundError(target.host, error, true) : error;
  }
}

/**
 * Sends one request to one address, and returns the response when its headers have come. The certificate is checked against the name of the host.
 * @throws UnsentError, OutboundError, or TypeError for a header that HTTP does not allow
 */
export function openExchange(target: Target, address: string, options: OpenOptions): Promise<OpenResponse> {
  const { url, host, port } = target;
  const { body, connectTimeoutMs, headers, freshAgent, signal, ...rest } = options;
  const isSecure = url.protocol === 'https:';
  const request: RequestOptions = {
    ...rest,
    // An address as the host keeps Node from looking up the name again. The name remains in `Host` and in TLS.
    host: address,
    port,
    servername: isIP(host) ? '' : host.replace(/\.$/, ''),
    path: url.pathname + url.search,
    headers: { 'User-Agent': 'Muster', ...headers, Host: url.host },
    rejectUnauthorized: true,
    maxHeaderSize: MAX_HEADER_BYTES,
  };
  return new Promise((resolve, reject) => {
    const outgoing = isSecure ? https.request(request) : http.request(request);
    // Given to Node, it would cost a tenth of the request.
    signal.addEventListener('abort', () => outgoing.destroy(signal.reason), { once: true });
    const startedAt = performance.now();
    let connectedAt = startedAt;
    let readyAt = startedAt;
    let isReady = false;
    let response: IncomingMessage | null = null;
    const becomeReady = () => {
      readyAt = performance.now();
      isReady = true;
    };

    outgoing.once('socket', (socket) => {
      if (outgoing.reusedSocket) return becomeReady();
      const late = setTimeout(() => {
        const message = `${host} did not accept a connection within ${connectTimeoutMs / 1_000} s.`;
        if (!isReady) outgoing.destroy(new OutboundError('timeout', message));
      }, connectTimeoutMs);
      outgoing.once('close', () => clearTimeout(late));
      // The proxy has connected to the host by now.
      if (target.isProxied) connectedAt = performance.now();
      socket.once('connect', () => {
        connectedAt = performance.now();
        if (!isSecure) becomeReady();
      });
      socket.once('secureConnect', becomeReady);
    });
    outgoing.once('response', (incoming) => {
      response = incoming;
      const timings = {
        connect: Math.round(connectedAt - startedAt),
        tls: Math.round(isSecure && connectedAt > startedAt ? readyAt - connectedAt : 0),
        firstByte: Math.round(performance.now() - readyAt),
      };
      // Without a listener, Node would forget why the body ends early.
      incoming.on('error', () => {});
      resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: incoming, timings });
    });
    outgoing.on('error', (error) => {
      // What follows a complete response, such as a body after 204, is not part of it. The connection is closed.
      if (response?.complete) return;
      // The host closed the kept connection while the request was on its way, so it is sent again at once on another one.
      if (outgoing.reusedSocket && !response && isStale(error))
        return resolve(openExchange(target, address, { ...options, agent: freshAgent }));
      const failure = toOutboundError(host, error, isReady);
      response?.destroy(failure);
      reject(isReady || failure.code === 'tls' ? failure : new UnsentError(failure));
    });
    // After 101 Node closes the connection without an error.
    outgoing.once('close', () => {
      if (!response) reject(new OutboundError('reset', `${host} sent no valid response.`));
    });
    outgoing.end(body);
  });
}

/** A kept connection can also hold bytes that the host sent after its last response. */
const isStale = ({ code = '' }: NodeJS.ErrnoException): boolean => /^(ECONNRESET|EPIPE|HPE_.*)$/.test(code);

async function readUpTo(
  response: IncomingMessage,
  maxBytes: number,
): Promise<Pick<Received, 'body' | 'isCut'>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    bytes += chunk.length;
    // Leaving the loop closes the connection.
    if (bytes > maxBytes) break;
  }
  return { body: Buffer.concat(chunks, Math.min(bytes, maxBytes)), isCut: bytes > maxBytes };
}
