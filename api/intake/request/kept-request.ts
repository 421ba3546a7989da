import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { RequestNames, RequestValues } from '../../../workers/mapping/index.js';
import { queryPairs } from '../../http/parse-query.js';
import { headerName, mayBeSecret } from './kept-name.js';

/** What is read of a request. */
export type KeptRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders'>;

/** How much is kept of one request. The bytes are those of all names and values. */
const MAX_HEADERS = 32;
const MAX_PARAMETERS = 32;
/** How many parameters are read at most, including those that are not kept. */
const MAX_READ = 100;
const MAX_BYTES = 4 * 1024;

/** Text that JSON writes as it is, in one byte a character. Most values of headers are. */
const PLAIN = /^[ !#-[\]-~]*$/;

/**
 * Returns, as JSON of an `EventRequest`, what is stored of a request besides its body. A value is kept if the mapping reads it or a
 * known sender documents it; of others only the name is, in `masked`. So are values that look like secrets. Names that may be
 * those of secrets, and what is beyond the limits, are left out; the latter sets `truncated`. Writes the JSON itself, because every
 * event waits for it: building an object and stringifying it takes twice as long.
 * @param read what the mapping of the integration reads
 */
export function keptRequest(req: KeptRequest, read: RequestNames): string {
  const { method = 'POST', url = '' } = req;
  const room = new Room();
  const type = req.headers['content-type'];
  const contentType = type === undefined ? null : room.json(type, '');
  const query = keptQuery(url, read, room);
  const headers = keptHeaders(req, read, room);
  const masked = maskedNames(query.masked, headers.masked);
  const truncated = room.exceeded ? ',"truncated":true' : '';
  return `{"method":"${method}","contentType":${contentType},"query":${query.json},"headers":{${headers.json}}${masked}${truncated}}`;
}

/** Returns the member `masked`, or nothing if no name is. The names of headers are tokens, which JSON writes as they are. */
function maskedNames(query: readonly string[], headers: readonly string[]): string {
  if (query.length === 0 && headers.length === 0) return '';
  return `,"masked":{"query":${JSON.stringify(query)},"headers":[${headers.length === 0 ? '' : `"${headers.join('","')}"`}]}`;
}

/** What is kept of the headers or the parameters: JSON of the values, and the names of masked ones. */
interface Kept {
  json: string;
  masked: readonly string[];
}

const NO_PARAMETERS: Kept = { json: '{}', masked: [] };

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

function keptQuery(url: string, { query: read }: RequestNames, room: Room): Kept {
  const start = url.indexOf('?');
  if (start < 0) return NO_PARAMETERS;
  const query = noValues();
  const masked = new Set<string>();
  let count = 0;
  const pairs = queryPairs(url.slice(start + 1), MAX_READ);
  if (pairs.length === MAX_READ) room.exceeded = true;
  for (const [name, value] of pairs) {
    if (mayBeSecret(name) || masked.has(name)) continue;
    if (++count > MAX_PARAMETERS) {
      room.exceeded = true;
      break;
    }
    const isKept = isRead(read, name) && !looksSecret(value);
    if (room.take(Buffer.byteLength(name) + (isKept ? Buffer.byteLength(value) : 0))) {
      if (isKept) add(query, name, value);
      else {
        masked.add(name);
        delete query[name];
      }
    }
  }
  return { json: JSON.stringify(query), masked: [...masked] };
}

/**
 * Returns the members of the object of headers. Reads the names as sent, because their decisions are known, and the values from
 * `headers`, where Node joins those of a repeated header.
 */
function keptHeaders(
  { rawHeaders, headers }: KeptRequest,
  { headers: read }: RequestNames,
  room: Room,
): Kept {
  const names: string[] = [];
  const masked: string[] = [];
  let json = '';
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = headerName(rawHeaders[at] ?? '');
    if (header === null) continue;
    const { name, listed, documented } = header;
    const wanted = documented || (listed ? isRead(read, name) : read !== 'all' && read.has(name));
    if (!(listed || wanted) || names.includes(name)) continue;
    if (names.push(name) > MAX_HEADERS) {
      room.exceeded = true;
      break;
    }
    const sent = headers[name] as string;
    // What is too long is not kept, so it need not be looked at.
    if (wanted && (sent.length > MAX_BYTES || !looksSecret(sent))) {
      const value = room.json(sent, name);
      if (value !== null) json += json === '' ? `"${name}":${value}` : `,"${name}":${value}`;
    } else if (room.take(name.length)) masked.push(name);
  }
  return { json, masked };
}

const isRead = (read: RequestNames['query'], name: string): boolean => read === 'all' || read.has(name);

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

/** A shorter text is neither a JSON Web Token nor a key that is hard to guess. */
const MIN_LENGTH = 32;
const JWT = /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8}/;
const UUID = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi;
/** The usual id of a delivery, told apart with one cheap test. */
const WHOLE_UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const LONG_WORD = /[\w+/=-]{32,}/g;
const CHANGE = /[a-z](?=[A-Z\d])|[A-Z](?=[a-z\d])|\d(?=[A-Za-z])/g;
/** Of the neighbours in random base62, 62% are of different classes; in base36 40%; in words, numbers and versions below 30%. */
const RANDOM_SHARE = 0.35;

/**
 * Returns whether a value looks like a secret, whatever its name: a JSON Web Token, or 32 characters or more without a space that
 * change between lower case, upper case and digits as often as random text. UUIDs are ids, not secrets.
 */
function looksSecret(value: string): boolean {
  if (value.length < MIN_LENGTH || WHOLE_UUID.test(value)) return false;
  if (value.includes('eyJ') && JWT.test(value)) return true;
  return value.match(LONG_WORD)?.some((word) => isRandom(word) && isRandom(word.replace(UUID, ''))) ?? false;
}

const isRandom = (word: string): boolean =>
  word.length >= MIN_LENGTH && (word.match(CHANGE)?.length ?? 0) > RANDOM_SHARE * word.length;
