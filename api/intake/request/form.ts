import { isSpace, QUOTE } from '../../../workers/json/marks.js';
import { RequestError, tooLarge } from '../../http/errors.js';
import { findFault, startsLikeJson, tooDeep } from './document.js';
import { unescaper } from './unescape.js';

const FORM_TYPE = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** No sender is known to send more than 100. */
const MAX_FIELDS = 1_000;
const [AMPERSAND, EQUALS] = [0x26, 0x3d];

/**
 * Returns whether a body that is not valid JSON is a form. Broken JSON is not one: many clients, such as `curl -d`, send JSON with the
 * type of a form.
 */
export const isForm = (contentType: string | undefined, body: Buffer): boolean =>
  contentType !== undefined &&
  FORM_TYPE.test(contentType) &&
  body.includes(EQUALS) &&
  !startsLikeJson(body) &&
  body[firstOf(body)] !== QUOTE;

/** A field as the body has it: the offsets of its name, of the end of its name, of its value, and of its end. */
type Field = readonly [name: number, nameEnd: number, value: number, end: number];

/**
 * Returns the JSON text of a form. A form with a single field that holds a JSON object or list is that JSON: GitHub, Slack and
 * Travis CI send `payload={…}`. Any other form becomes an object of texts; a repeated field becomes a list of texts. Each byte is
 * decoded once, and nothing is decoded of a form with too many fields.
 * @param charset of the unescaped bytes; null for UTF-8
 * @throws RequestError 413 for more than 1,000 fields, or as soon as the JSON would have more than `limit` bytes; 400 `too_deep`
 */
export function formJson(body: Buffer, charset: string | null, limit: number): string {
  const fields = fieldsOf(body);
  const decode = unescaper(body, charset);
  let left = limit;
  const take = (bytes: number) => {
    left -= bytes;
    if (left < 0) throw tooLarge(limit, 'form');
  };
  if (fields.length === 1) {
    const [[, , value, end]] = fields as [Field];
    const { text } = decode(value, end);
    take(Buffer.byteLength(text));
    if (isEmbedded(text)) return text;
    left = limit;
  }
  const values = new Map<string, string[]>();
  for (const [start, nameEnd, valueStart, end] of fields) {
    const [name, value] = [decode(start, nameEnd), decode(valueStart, end)];
    take(name.jsonBytes + value.jsonBytes);
    const known = values.get(name.text);
    if (known) known.push(value.text);
    else values.set(name.text, [value.text]);
  }
  return asObject(values);
}

/** Lists the fields of a form. @throws RequestError 413 if there are too many */
function fieldsOf(body: Buffer): Field[] {
  const fields: Field[] = [];
  let bodyEnd = body.length;
  while (bodyEnd > 0 && isSpace(body[bodyEnd - 1] as number)) bodyEnd--;
  let start = firstOf(body);
  let equals = -1;
  for (let at = start; at <= bodyEnd; at++) {
    if (at < bodyEnd && body[at] !== AMPERSAND) {
      if (equals < 0 && body[at] === EQUALS) equals = at;
      continue;
    }
    if (at > start) fields.push(equals < 0 ? [start, at, at, at] : [start, equals, equals + 1, at]);
    if (fields.length > MAX_FIELDS) throw tooManyFields();
    start = at + 1;
    equals = -1;
  }
  return fields;
}

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
