import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { uuidv7 } from 'uuidv7';
import { badRequest, errorBody, RequestError, requestTimeout } from '../http/errors.js';
import { endAndLinger, lingerAfterResponse } from '../http/linger.js';

const headersTooLarge = (): RequestError =>
  new RequestError(431, 'headers_too_large', 'The headers of this request are too large.');

const malformedRequest = (): RequestError =>
  badRequest('malformed_request', 'The request is not valid HTTP.');

const BY_CODE: Record<string, () => RequestError> = {
  HPE_HEADER_OVERFLOW: headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: requestTimeout,
};

/** Connections with a parse error. Node emits another error for each further piece of data on them. */
const failed = new WeakSet<Duplex>();

/**
 * Responds to what Node's HTTP parser rejects, when there is no request yet, and closes the connection. Earlier requests
 * on the connection get their own responses first.
 */
export function respondToClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET') return void socket.destroy();
  if (failed.has(socket)) return;
  failed.add(socket);
  afterCompleteRequests(socket, (incomplete) => {
    // The response to the incomplete request has begun, so nothing else can be written.
    if (incomplete?.headersSent) return void socket.destroy();
    rejectSocket(socket, (BY_CODE[error.code ?? ''] ?? malformedRequest)());
  });
}

/**
 * Calls `next` once every request that arrived completely has its response.
 * @param next gets the response to the request that did not arrive completely; null if there is none
 */
function afterCompleteRequests(socket: Duplex, next: (incomplete: ServerResponse | null) => void): void {
  const response = responseOf(socket);
  if (!response?.req.complete) {
    next(response);
    return;
  }
  // Node starts the next pipelined request at the same event, before this listener.
  response.once('finish', () => afterCompleteRequests(socket, next));
}

/** Returns the response that Node is sending or waiting for on this socket. Node keeps it in a private property. */
const responseOf = (socket: Duplex): (ServerResponse & { req: IncomingMessage }) | null =>
  (socket as { _httpMessage?: (ServerResponse & { req: IncomingMessage }) | null })._httpMessage ?? null;

const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

/** Writes a response without a request to respond to, and closes the connection. */
function rejectSocket(socket: Duplex, error: RequestError): void {
  // It may be closing already, after the last response.
  if (!socket.writable) return void endAndLinger(socket);
  const body = JSON.stringify(errorBody(error, uuidv7()));
  const headers = {
    ...JSON_TYPE,
    'Content-Length': Buffer.byteLength(body),
    ...error.details.headers,
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.write(
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`,
  );
  endAndLinger(socket);
}

/** Rejects a request before it is routed, and closes the connection. */
export function rejectRequest(res: ServerResponse, error: RequestError): void {
  if (!res.req.complete) lingerAfterResponse(res.req);
  const headers = { ...JSON_TYPE, ...error.details.headers, Connection: 'close' };
  res.writeHead(error.status, headers).end(JSON.stringify(errorBody(error, uuidv7())));
}
