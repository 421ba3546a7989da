import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type Koa from 'koa';
import { badRequest, overloaded, RequestError } from '../http/errors.js';
import { noteExpectation } from '../http/expect.js';
import { type Call, callOf } from '../routes/dialects/address.js';
import { rejectCall, respondToCall, routeNameOf } from '../routes/dialects/respond.js';
import { isEvent, postEvent, respondToEvent } from '../routes/events/intake.js';
import type { ApiServices } from '../services.js';
import { rejectRequest, respondToClientError } from './client-errors.js';
import { traceEvent } from './trace-requests.js';

/**
 * Creates an HTTP server with the limits that apply before a request is complete. Bodies have their own limits, see
 * `middleware/limit-time.ts`: an upload may take long as long as data keeps arriving.
 */
export function createHttpServer(app: Koa, services: ApiServices): Server {
  const limits = { headersTimeout: 10_000, requestTimeout: 0, connectionsCheckingInterval: 1_000 };
  // Node would reject a request without Host with an empty body. The handler below does so with our error body.
  const options = { ...limits, requireHostHeader: false, keepAliveTimeout: 65_000 };
  const handle = app.callback();
  const server = createServer(options, (req, res) => {
    const call = callOf(req);
    const reject = (error: RequestError) => rejectEarly(call, res, error);
    if (isSurplus(req)) return reject(tooManyConnections());
    if (req.httpVersion === '1.1' && req.headers.host === undefined) return reject(noHost());
    if (!isChunkedAtMost(req)) return reject(unknownTransferCoding());
    // Events arrive in bursts of thousands a second. Each layer that other requests pass costs as much as an event.
    if (call) void traceEvent(req, res, routeNameOf(call), () => respondToCall(call, req, res, services));
    else if (isEvent(req))
      void traceEvent(req, res, postEvent.path, () => respondToEvent(req, res, services));
    else void handle(req, res);
  });
  const isSurplus = limitConnections(server, services.settings.maxConnections);
  server.on('checkContinue', (req, res) => {
    noteExpectation(req);
    server.emit('request', req, res);
  });
  server.on('checkExpectation', (req, res) => rejectEarly(callOf(req), res, unknownExpectation()));
  return server.on('clientError', respondToClientError);
}

/** Rejects a request before it is routed. */
const rejectEarly = (call: Call | null, res: ServerResponse, error: RequestError): void =>
  call ? rejectCall(call, res, error) : rejectRequest(res, error);

const noHost = (): RequestError =>
  badRequest('malformed_request', 'An HTTP/1.1 request must have a `Host` header.');

const tooManyConnections = (): RequestError => overloaded('This server has too many open connections');

/** Node's parser takes any list that ends with `chunked`, and decodes nothing else of it. */
const isChunkedAtMost = ({ headers }: IncomingMessage): boolean =>
  (headers['transfer-encoding'] ?? 'chunked').trim().toLowerCase() === 'chunked';

const unknownTransferCoding = (): RequestError =>
  new RequestError(
    501,
    'unsupported_transfer_coding',
    'Unsupported `Transfer-Encoding`: only `chunked` is supported. Announce compression in `Content-Encoding`.',
  );

const unknownExpectation = (): RequestError =>
  new RequestError(417, 'expectation_failed', 'Invalid `Expect`: only `100-continue` is supported.');

/** Makes every further response the last one of its connection (`Connection: close`). */
export function closeAfterResponses(server: Server): void {
  server.prependListener('request', (_req, res) => {
    res.shouldKeepAlive = false;
  });
}

/** Requests that are still running after this time are cut off, so that the process can shut down in order. */
const CUT_OFF_AFTER_MS = 15_000;

/** Waits for requests in progress. Closes each connection as soon as it is idle, or has got its response. */
export const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    closeAfterResponses(server);
    const closing = setInterval(() => server.closeIdleConnections(), 50);
    server.close(() => {
      clearInterval(closing);
      resolve();
    });
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), CUT_OFF_AFTER_MS).unref();
  });

/** File descriptors for everything except connections of clients: database, Redis, libraries, log. */
const RESERVED = 128;
/** A connection may need a second file descriptor, for the file that is uploaded or downloaded. */
const PER_CONNECTION = 2;
/** How many connections beyond the limit may wait for their 503 at the same time. Further ones are closed immediately. */
const MAX_SURPLUS = 32;

/**
 * Limits the connections of a server. Returns a function that tells whether a request came on a connection beyond the
 * limit, and must be rejected. Without a limit the process would run out of file descriptors, and opening a file or a
 * connection to the database would fail.
 *
 * @param limit by default, as many connections as the process has file descriptors for
 */
function limitConnections(server: Server, limit: number = defaultLimit()): (req: IncomingMessage) => boolean {
  const surplus = new WeakSet<Socket>();
  let open = 0;
  server.maxConnections = limit + MAX_SURPLUS;
  server.on('connection', (socket) => {
    if (++open > limit) surplus.add(socket);
    socket.once('close', () => open--);
  });
  return ({ socket }) => surplus.has(socket);
}

function defaultLimit(): number {
  return Math.max(1, Math.floor((maxFileDescriptors() - RESERVED - MAX_SURPLUS) / PER_CONNECTION));
}

/** Returns the soft limit of this process, which Node raises to the hard one at start; 1,024 on a system without /proc. */
function maxFileDescriptors(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const soft = /^Max open files\s+(\S+)/m.exec(limits)?.[1];
    return soft === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(soft) || 1_024;
  } catch {
    return 1_024;
  }
}
