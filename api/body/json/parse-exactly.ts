import { LosslessNumber, parse } from 'lossless-json';
import { BODY, summary } from '../../http/error-details.js';
import { badRequest } from '../../http/errors.js';
import { parseJson } from '../read-body.js';

const MAX_NAME_SHOWN = 100;

/**
 * Parses a small JSON body without loss: a number that is not written in plain digits stays a `LosslessNumber`, and a
 * repeated key is rejected. `JSON.parse` would round the number and keep the last value of the key.
 *
 * @throws RequestError 400 `malformed_json`, `empty_body`, `too_deep`, or `invalid_body` for a repeated key
 */
export function parseExactly(body: Buffer): unknown {
  // Reports the place of a syntax error, which the parser below reports in other words.
  parseJson(body);
  try {
    return parse(new TextDecoder().decode(body), undefined, { parseNumber, onDuplicateKey });
  } catch (error) {
    if (error instanceof RangeError) throw badRequest('too_deep', 'The body is nested too deeply.');
    throw error;
  }
}

const parseNumber = (literal: string): unknown =>
  /^-?(0|[1-9][0-9]{0,15})$/.test(literal) ? Number(literal) : new LosslessNumber(literal);

function onDuplicateKey({ key }: { key: string }): never {
  const field = key.slice(0, MAX_NAME_SHOWN);
  const errors = [{ field, code: 'duplicate_key', message: 'appears more than once' }];
  throw badRequest('invalid_body', summary(BODY, errors), errors);
}
