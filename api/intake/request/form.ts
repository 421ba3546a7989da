import { isUtf8 } from 'node:buffer';
import { isSpace, QUOTE } from '../../../workers/json/marks.js';
import { RequestError, tooLarge } from '../../http/errors.js';
import { type Field, fieldsOf, unescaper } from '../../http/unescape.js';
import { decodeText } from './charset.js';
import { findFault, startsLikeJson, tooDeep } from './document.js';

const FORM_TYPE = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** No sender is known to send more than 100. */
const MAX_FIELDS = 1_000;
const EQUALS = 0x3d;
const LESS_THAN = 0x3c;
const HYPHEN = 0x2d;
/** The bytes around a name and a value in JSON: quotes, a colon and a comma. */
const QUOTES = 6;

/**
 * Returns whether a body that is not valid JSON is a form. Broken JSON is not one: many clients, such as `curl -d`, send JSON with the
 * type of a form.
 */
export const isForm = (contentType: string | undefined, body: Buffer): boolean =>
  contentType !== undefined &&
  FORM_TYPE.test(contentType) &&
  body.includes(EQUALS) &&
  !startsLikeJson(body) &&
  !startsLikeMarkup(body) &&
  body[firstOf(body)] !== QUOTE;

/** Returns whether a body begins like XML or like a part of a multipart body. `curl -d` sends both with the type of a form. */
export function startsLikeMarkup(body: Buffer): boolean {
  const first = firstOf(body);
  return body[first] === LESS_THAN || (body[first] === HYPHEN && body[first + 1] === HYPHEN);
}

/**
 * Returns the JSON text of a form. A form with a single field that holds a JSON object or list is that JSON: GitHub, Slack and
 * Travis CI send `payload={…}`. Any other form becomes an object of texts; a repeated field becomes a list of texts. Each byte is
 * decoded once, and nothing is decoded of a form with too many fields.
 * @param charset of the unescaped bytes; null for UTF-8
 * @throws RequestError 413 for more than 1,000 fields, or as soon as the JSON would have more than `limit` bytes; 400 `too_deep`
 */
export function formJson(body: Buffer, charset: string | null, limit: number): string {
  const fields = formFields(body);
  const decode = unescaper(body, decoderOf(charset));
  let left = limit;
  const take = (bytes: number) => {
    left -= bytes;
    if (left < 0) throw tooLarge(limit, 'form');
  };
  const values = new Map<string, string[]>();
  for (const [start, nameEnd, valueStart, end] of fields) {
    const value = decode(valueStart, end);
    const bytes = Buffer.byteLength(value.text);
    if (fields.length === 1 && bytes <= limit && isEmbedded(value.text)) return value.text;
    const name = decode(start, nameEnd);
    take(Buffer.byteLength(name.text) + name.escapes + bytes + value.escapes + QUOTES);
    const known = values.get(name.text);
    if (known) known.push(value.text);
    else values.set(name.text, [value.text]);
  }
  return asObject(values);
}

/** Lists the fields of a form. @throws RequestError 413 if there are too many */
function formFields(body: Buffer): Field[] {
  let end = body.length;
  while (end > 0 && isSpace(body[end - 1] as number)) end--;
  const fields = fieldsOf(body, firstOf(body), end, MAX_FIELDS + 1);
  if (fields.length > MAX_FIELDS) throw tooManyFields();
  return fields;
}

/** Bytes that are not UTF-8 are Latin-1 if no charset is declared. */
const decoderOf =
  (charset: string | null) =>
  (bytes: Buffer): string =>
    charset === null ? bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1') : decodeText(bytes, charset);

/** Returns the offset of the first byte that is not a space. */
function firstOf(body: Buffer): number {
  let at = 0;
  while (at < body.length && isSpace(body[at] as number)) at++;
  return at;
}

const tooManyFields = () =>
  new RequestError(413, 'too_large', `The form has more than ${MAX_FIELDS.toLocaleString('en')} fields.`, {
    headers: { Connection: 'close' },
  });

/** Returns whether a field holds a JSON object or array. @throws RequestError 400 `too_deep` */
function isEmbedded(text: string): boolean {
  const bytes = Buffer.from(text);
  if (!startsLikeJson(bytes)) return false;
  const fault = findFault(bytes);
  if (fault?.expected === 'depth') throw tooDeep();
  return fault === null;
}

/** Writes the object member by member, so that `__proto__` is a name like any other. */
function asObject(fields: ReadonlyMap<string, string[]>): string {
  const members = [...fields].map(
    ([name, values]) => `${JSON.stringify(name)}:${JSON.stringify(values.length === 1 ? values[0] : values)}`,
  );
  return `{${members.join(',')}}`;
}
