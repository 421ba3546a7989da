import { findJsonFault, type JsonFault } from '../../../workers/json/find-json-fault.js';
import { isSpace, OPEN_ARRAY, OPEN_OBJECT } from '../../../workers/json/marks.js';
import { MAX_DEPTH } from '../../../workers/mapping/index.js';
import { describeJsonFault } from '../../body/json/describe-json-error.js';
import { badRequest, type RequestError } from '../../http/errors.js';

/** Returns why UTF-8 bytes are not one JSON document that is nested deeply enough to be mapped; null if they are. */
export const findFault = (text: Buffer): JsonFault | null => findJsonFault(text, { maxDepth: MAX_DEPTH });

/** Returns whether bytes begin like a JSON object or array. */
export function startsLikeJson(text: Buffer): boolean {
  let at = 0;
  while (at < text.length && isSpace(text[at] ?? 0)) at++;
  return text[at] === OPEN_OBJECT || text[at] === OPEN_ARRAY;
}

export const tooDeep = (): RequestError =>
  badRequest('too_deep', `The body is nested too deeply. At most ${MAX_DEPTH} levels are allowed.`);

/** Returns the error for a text that is not JSON. */
export const malformedJson = (text: Buffer, fault: JsonFault): RequestError =>
  fault.expected === 'depth' ? tooDeep() : badRequest('malformed_json', describeJsonFault(text, fault));
