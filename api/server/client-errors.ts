import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { uuidv7 } from 'uuidv7';
import { errorBody, RequestError } from '../http/errors.js';
import { endAndLinger, lingerAfterAnswer } from '../http/linger.js';

const KNOWN: Record<string, () => RequestError> = {
  HPE_HEADER_OVERFLOW: () =>
    new RequestError(431, 'headers_too_large', 'The headers of this request are too large.'),
  ERR_HTTP_REQUEST_TIMEOUT: () =>
    new RequestError(408, 'request_timeout', 'The request did not arrive in time.'),
};

/** Connections on which something could not be parsed. Node reports each further piece of data as another error. */
const failed = new WeakSet<Duplex>();

/**
 * Responds to what Node's parser rejects before there is a request: the same error body, then the connection is closed.
 * Requests that came before it on the connection get their own responses first.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET') return void socket.destroy();
  if (failed.has(socket)) return;
  failed.add(socket);
  afterWholeRequests(socket, (cutOff) => {
    // The response to the request that breaks off here has begun: nothing can be put in the middle of it.
    if (cutOff?.headersSent) return void socket.destroy();
    const refusal =
      KNOWN[error.code ?? '']?.() ??
      new RequestError(400, 'malformed_request', 'This is no HTTP request that can be read.');
    refuseSocket(socket, refusal);
  });
}

/** Calls `next` when every request that arrived whole has its response; with the response of one that did not, if any. */
function afterWholeRequests(socket: Duplex, next: (cutOff: ServerResponse | null) => void): void {
  const response = responseOf(socket);
  if (!response?.req.complete) {
    next(response);
    return;
  }
  // Node takes up the next pipelined request at the same event, before this listener.
  response.once('finish', () => afterWholeRequests(socket, next));
}

/** Node keeps the response that is being sent, or waited for, at its socket. */
const responseOf = (socket: Duplex): (ServerResponse & { req: IncomingMessage }) | null =>
  (socket as { _httpMessage?: (ServerResponse & { req: IncomingMessage }) | null })._httpMessage ?? null;

/** Writes a response by hand where there is no request, and closes the connection. */
function refuseSocket(socket: Duplex, refusal: RequestError): void {
  // It may be closing already, after the last response.
  if (!socket.writable) return void endAndLinger(socket);
  const body = JSON.stringify(errorBody(refusal, uuidv7()));
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    ...refusal.details.headers,
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.write(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`,
  );
  endAndLinger(socket);
}

/** Answers a request that is refused before any route is asked; then the connection ends. */
export function refuseRequest(res: ServerResponse, refusal: RequestError): void {
  if (!res.req.complete) lingerAfterAnswer(res.req);
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    ...refusal.details.headers,
    Connection: 'close',
  };
  res.writeHead(refusal.status, headers).end(JSON.stringify(errorBody(refusal, uuidv7())));
}
