import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { uuidv7 } from 'uuidv7';
import { errorBody, RequestError } from './errors.js';

const KNOWN: Record<string, () => RequestError> = {
  HPE_HEADER_OVERFLOW: () =>
    new RequestError(431, 'headers_too_large', 'The headers of this request are too large.'),
  ERR_HTTP_REQUEST_TIMEOUT: () =>
    new RequestError(408, 'request_timeout', 'The request did not arrive in time.'),
};

/** Answers what Node's parser refuses before there is a request: the same error body, then the connection ends. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) return void socket.destroy();
  const refusal =
    KNOWN[error.code ?? '']?.() ??
    new RequestError(400, 'malformed_request', 'This is no HTTP request that can be read.');
  const body = JSON.stringify(errorBody(refusal, uuidv7()));
  socket.end(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n` +
      'Content-Type: application/json; charset=utf-8\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** Answers a request that is refused before any route is asked; then the connection ends. */
export function refuseRequest(res: ServerResponse, refusal: RequestError): void {
  const headers = { 'Content-Type': 'application/json; charset=utf-8', Connection: 'close' };
  res.writeHead(refusal.status, headers).end(JSON.stringify(errorBody(refusal, uuidv7())));
}

/** An answer that is on its way must not have another one in the middle of it. Node keeps it at its socket. */
const isAnswering = (socket: Duplex): boolean =>
  (socket as { _httpMessage?: { headersSent: boolean } | null })._httpMessage?.headersSent ?? false;
