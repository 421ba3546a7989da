import { isUtf8 } from 'node:buffer';
import { whereInJson } from '../body/where-in-json.js';
import { badRequest } from '../http/errors.js';

const MAX_DEPTH = 64;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The text of a body that is one JSON document of any kind; 400 with the reason for anything else. */
export function jsonText(body: Buffer): string {
  if (body.length === 0) throw badRequest('empty_body', 'The body is empty; send a JSON document.');
  if (!isUtf8(body)) throw badRequest('malformed_json', 'The body is not UTF-8.');
  if (isDeep(body)) throw badRequest('too_deep', `The body is nested more than ${MAX_DEPTH} levels deep.`);
  const text = body.toString('utf8');
  try {
    // A byte order mark is no JSON, but some senders put one there.
    JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    return text;
  } catch (error) {
    throw badRequest('malformed_json', `The body is not JSON: ${whereInJson(text, error as Error)}.`);
  }
}

/** Looks at the bytes alone, so that a bomb is never parsed. In UTF-8 no other character has such a byte in it. */
function isDeep(body: Buffer): boolean {
  if (body.length <= 2 * MAX_DEPTH) return false;
  let depth = 0;
  let inString = false;
  for (let i = 0; i < body.length; i++) {
    const byte = body[i] as number;
    if (inString) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (++depth > MAX_DEPTH) return true;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth--;
  }
  return false;
}
