import { isUtf8 } from 'node:buffer';
import { isSpace, QUOTE } from '../../../workers/json/marks.js';
import { badRequest, RequestError, tooLarge } from '../../http/errors.js';
import { type EncodedField, encodedFields, unescaper } from '../../http/parse-query.js';
import { decodeText, isUtf8Name } from './charset.js';
import { findFault, malformedJson, startsLikeJson, tooDeep } from './document.js';

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
 * decoded once, and nothing is decoded of a form with too many fields. The field `_charset_` names the charset, as HTML forms do.
 * @param declared the charset of the unescaped bytes that the sender has named
 * @throws RequestError 413 for more than 1,000 fields, or as soon as the JSON would have more than `limit` bytes; 400 `too_deep`,
 * `malformed_body` if a field is not in the charset, or one of a charset
 */
export function formJson(body: Buffer, declared: string | undefined, limit: number): string {
  const all = formFields(body);
  const fields = all.filter((field) => !isCharset(body, field));
  const decode = unescaper(body, decoderOf(charsetOfForm(body, all, declared)));
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
function formFields(body: Buffer): EncodedField[] {
  let end = body.length;
  while (end > 0 && isSpace(body[end - 1] ?? 0)) end--;
  const fields = encodedFields(body, firstOf(body), end, MAX_FIELDS + 1);
  if (fields.length > MAX_FIELDS) throw tooManyFields();
  return fields;
}

const CHARSET_FIELD = Buffer.from('_charset_');

const isCharset = (body: Buffer, [start, nameEnd]: EncodedField): boolean =>
  CHARSET_FIELD.equals(body.subarray(start, nameEnd));

/** @throws RequestError 400 `charset_conflict` if the form names another charset than the `Content-Type` */
function charsetOfForm(
  body: Buffer,
  fields: readonly EncodedField[],
  declared: string | undefined,
): string | undefined {
  const own = fields.find((field) => isCharset(body, field));
  if (!own) return declared;
  const charset = body.toString('latin1', own[2], own[3]).toLowerCase();
  const isSame = charset === declared || [charset, declared].every((one = '') => isUtf8Name(one));
  if (declared === undefined || isSame) return charset;
  throw badRequest(
    'charset_conflict',
    `\`Content-Type\` declares the charset ${declared}, but the field \`_charset_\` names ${charset.slice(0, 40)}. Send the right charset.`,
  );
}

/** Decodes the bytes of a field. @throws RequestError 400 `malformed_body` */
const decoderOf =
  (charset: string | undefined) =>
  (bytes: Buffer): string => {
    if (charset !== undefined && !isUtf8Name(charset)) return decodeText(bytes, charset);
    if (isUtf8(bytes)) return bytes.toString('utf8');
    const remedy =
      charset === undefined
        ? 'If the form is in another charset, declare it, as in `Content-Type: application/x-www-form-urlencoded; charset=iso-8859-1`.'
        : `It is sent with the charset ${charset}. Send the charset that it is in.`;
    throw badRequest('malformed_body', `A field of the form is not valid UTF-8. ${remedy}`);
  };

/** Returns the offset of the first byte that is not a space. */
function firstOf(body: Buffer): number {
  let at = 0;
  while (at < body.length && isSpace(body[at] ?? 0)) at++;
  return at;
}

const tooManyFields = () =>
  new RequestError(413, 'too_large', `The form has more than ${MAX_FIELDS.toLocaleString('en')} fields.`, {
    headers: { Connection: 'close' },
  });

/** How an object, or a list of objects, begins. `[FIRING:1] Disk full` begins otherwise. */
const DOCUMENT = /^\s*(?:\[\s*)?\{\s*"/;

/**
 * Returns whether the only field of a form holds a JSON object or array.
 * @throws RequestError 400 `too_deep`, or `malformed_json` if the field is to be a document and is broken
 */
function isEmbedded(text: string): boolean {
  const bytes = Buffer.from(text);
  if (!startsLikeJson(bytes)) return false;
  const fault = findFault(bytes);
  if (fault?.expected === 'depth') throw tooDeep();
  if (fault !== null && DOCUMENT.test(text)) throw malformedJson(bytes, fault);
  return fault === null;
}

/** Writes the object member by member, so that `__proto__` is a name like any other. */
function asObject(fields: ReadonlyMap<string, string[]>): string {
  const members = [...fields].map(
    ([name, values]) => `${JSON.stringify(name)}:${JSON.stringify(values.length === 1 ? values[0] : values)}`,
  );
  return `{${members.join(',')}}`;
}
