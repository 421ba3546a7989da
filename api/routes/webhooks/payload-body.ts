import { isUtf8 } from 'node:buffer';
import { MAX_DEPTH, parsePayload } from '../../../workers/mapping/index.js';
import { parseJson } from '../../body/read-body.js';
import { badRequest } from '../../http/errors.js';

/** The limit for a body that contains a payload. */
export const PAYLOAD_BODY_MAX_BYTES = 1024 * 1024;

/** Parses JSON like the worker: numbers keep their digits. The body adds one level around the payload. */
export function parsePayloadExactly(body: Buffer): unknown {
  if (!isUtf8(body)) return parseJson(body);
  const parsed = parsePayload(body, MAX_DEPTH + 1);
  if ('value' in parsed) return parsed.value;
  if (parsed.error === 'not_json') return parseJson(body);
  throw badRequest('too_deep', `The payload is nested too deeply. At most ${MAX_DEPTH} levels are allowed.`);
}
