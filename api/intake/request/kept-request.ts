import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { EventRequest, RequestValues } from '../../../workers/mapping/index.js';

/** What is read of a request. */
export type KeptRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/** How much is kept of one request. The bytes are those of all names and values. */
const MAX_HEADERS = 32;
const MAX_PARAMETERS = 32;
const MAX_BYTES = 4 * 1024;

/** Headers that say something about the event. The others are about the connection, or were added on the way. */
const KEPT_HEADER = /^(?:x-|ce-|webhook-|user-agent$|content-type$)/;

/** Names of secrets, and of headers with addresses of people. They are never stored. */
const SECRET_NAME = /auth|token|secret|signature|cookie|key|forwarded|passw|credential|^sig$/i;

/**
 * Returns, as JSON of an `EventRequest`, what is stored of a request besides its body. Values whose names may be those of secrets
 * are left out. So are values beyond the limits, which sets `truncated`.
 */
export function keptRequest({ method = 'POST', url = '', headers }: KeptRequest): string {
  const room = new Room();
  const contentType = headers['content-type'];
  const request: EventRequest = {
    method,
    contentType: contentType !== undefined && room.take(contentType) ? decode(contentType) : null,
    query: keptQuery(url, room),
    headers: keptHeaders(headers, room),
  };
  if (room.exceeded) request.truncated = true;
  return JSON.stringify(request);
}

/** The bytes that are left. A value that does not fit is left out, and a smaller one after it may still fit. */
class Room {
  exceeded = false;
  #left = MAX_BYTES;

  take(value: string, name = ''): boolean {
    const bytes = Buffer.byteLength(name) + Buffer.byteLength(value);
    const fits = bytes <= this.#left;
    if (fits) this.#left -= bytes;
    else this.exceeded = true;
    return fits;
  }
}

function keptQuery(url: string, room: Room): RequestValues {
  const start = url.indexOf('?');
  if (start < 0) return {};
  const query = noValues();
  let count = 0;
  for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
    if (SECRET_NAME.test(name)) continue;
    count += 1;
    if (count > MAX_PARAMETERS) room.exceeded = true;
    else if (room.take(value, name)) add(query, name, value);
  }
  return query;
}

/** Node joins the values of a repeated header. */
function keptHeaders(headers: IncomingHttpHeaders, room: Room): RequestValues {
  const kept = noValues();
  let count = 0;
  for (const name in headers) {
    if (!KEPT_HEADER.test(name) || SECRET_NAME.test(name)) continue;
    const value = decode(String(headers[name]));
    count += 1;
    if (count > MAX_HEADERS) room.exceeded = true;
    else if (room.take(value, name)) kept[name] = value;
  }
  return kept;
}

/** Has no prototype, so `__proto__` is a name like any other. */
const noValues = (): RequestValues => Object.create(null);

function add(values: RequestValues, name: string, value: string): void {
  const known = values[name];
  if (known === undefined) values[name] = value;
  else values[name] = Array.isArray(known) ? [...known, value] : [known, value];
}

/** Node reads the bytes of a header as Latin-1. Most senders of other characters mean UTF-8. */
function decode(value: string): string {
  if (!/[\x80-\xff]/.test(value)) return value;
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : value;
}
