import { isUtf8 } from 'node:buffer';
import { isTextDeeperThan } from '../../../workers/json/nesting.js';
import { MAX_DEPTH } from '../../../workers/mapping/index.js';
import { describeJsonError } from '../../body/describe-json-error.js';
import { badRequest, tooLarge } from '../../http/errors.js';
import { formJson, isForm } from './form.js';

const BYTE_ORDER_MARK = 0xfeff;

/**
 * Returns the JSON text of a body that is one JSON document of any type, whatever its content type, or a form.
 * @param limit the most bytes that the JSON text of a form may have, because escapes can make it longer than the form
 * @throws RequestError 400 `empty_body`, `malformed_json` or `too_deep`, or 413
 */
export function jsonText(body: Buffer, contentType: string | undefined, limit: number): string {
  if (body.length === 0) throw badRequest('empty_body', 'The body is empty. Send a JSON document.');
  if (!isUtf8(body)) throw badRequest('malformed_json', 'The body is not valid UTF-8.');
  const text = body.toString('utf8');
  rejectDeep(text);
  try {
    // A byte order mark is not JSON, but some senders add one.
    JSON.parse(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
    return text;
  } catch (error) {
    if (isForm(contentType, text)) return formText(text, limit);
    throw badRequest('malformed_json', describeJsonError(text, error as Error));
  }
}

function formText(form: string, limit: number): string {
  const text = formJson(form);
  rejectDeep(text);
  if (Buffer.byteLength(text) > limit) throw tooLarge(limit, 'form');
  return text;
}

function rejectDeep(text: string): void {
  if (!isTooDeep(text)) return;
  throw badRequest('too_deep', `The body is nested too deeply. At most ${MAX_DEPTH} levels are allowed.`);
}

/** A valid document that is too deep has at least two brackets per level, so a shorter text needs no check. */
const isTooDeep = (text: string): boolean => text.length > 2 * MAX_DEPTH && isTextDeeperThan(text, MAX_DEPTH);
