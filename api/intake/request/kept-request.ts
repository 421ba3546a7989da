import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { RequestValues } from '../../../workers/mapping/index.js';
import { keptName, mayBeSecret } from './kept-name.js';

/** What is read of a request. */
export type KeptRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders'>;

/** How much is kept of one request. The bytes are those of all names and values. */
const MAX_HEADERS = 32;
const MAX_PARAMETERS = 32;
const MAX_BYTES = 4 * 1024;

/** Text that JSON writes as it is, in one byte a character. Most values of headers are. */
const PLAIN = /^[ !#-[\]-~]*$/;

/**
 * Returns, as JSON of an `EventRequest`, what is stored of a request besides its body. Values whose names may be those of secrets
 * are left out. So are values beyond the limits, which sets `truncated`. Writes the JSON itself, because every event waits for it:
 * building an object and stringifying it takes twice as long.
 */
export function keptRequest(req: KeptRequest): string {
  const { method = 'POST', url = '' } = req;
  const room = new Room();
  const type = req.headers['content-type'];
  const contentType = type === undefined ? null : room.json(type, '');
  const query = keptQuery(url, room);
  const headers = keptHeaders(req, room);
  const truncated = room.exceeded ? ',"truncated":true' : '';
  return `{"method":"${method}","contentType":${contentType},"query":${query},"headers":{${headers}}${truncated}}`;
}

/** The bytes that are left. A value that does not fit is left out, and a smaller one after it may still fit. */
class Room {
  exceeded = false;
  #left = MAX_BYTES;

  take(bytes: number): boolean {
    const fits = bytes <= this.#left;
    if (fits) this.#left -= bytes;
    else this.exceeded = true;
    return fits;
  }

  /** Returns the value of a header as JSON, or null if it does not fit. */
  json(value: string, name: string): string | null {
    if (PLAIN.test(value)) return this.take(name.length + value.length) ? `"${value}"` : null;
    const text = decode(value);
    return this.take(name.length + Buffer.byteLength(text)) ? JSON.stringify(text) : null;
  }
}

function keptQuery(url: string, room: Room): string {
  const start = url.indexOf('?');
  if (start < 0) return '{}';
  const query = noValues();
  let count = 0;
  for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
    if (mayBeSecret(name)) continue;
    count += 1;
    if (count > MAX_PARAMETERS) room.exceeded = true;
    else if (room.take(Buffer.byteLength(name) + Buffer.byteLength(value))) add(query, name, value);
  }
  return JSON.stringify(query);
}

/**
 * Returns the members of the object of headers. Reads the names as sent, because their decisions are known, and the values from
 * `headers`, where Node joins those of a repeated header.
 */
function keptHeaders({ rawHeaders, headers }: KeptRequest, room: Room): string {
  const names: string[] = [];
  let members = '';
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = keptName(rawHeaders[at] as string);
    if (name === null || names.includes(name)) continue;
    if (names.push(name) > MAX_HEADERS) {
      room.exceeded = true;
      break;
    }
    const value = room.json(headers[name] as string, name);
    if (value !== null) members += members === '' ? `"${name}":${value}` : `,"${name}":${value}`;
  }
  return members;
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
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : value;
}
