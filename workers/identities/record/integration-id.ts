import { isLosslessNumber } from 'lossless-json';
import { empty, missing, type ValueError } from './errors.js';
import { isLostValue, lostValue } from './lost-value.js';
import { withoutPadding } from './padding.js';

/** Matches most cells. */
const PLAIN_INTEGER = /^[1-9][0-9]{0,15}$/;

/**
 * Checks an `integrationId` in JSON.
 *
 * @param raw a JSON value; a number that is not written in plain digits as a `LosslessNumber`, so that it is rejected
 * @returns an integer from 1 to 2^53−1, or an error `integration_id_missing`, `integration_id_invalid`
 */
export function checkIntegrationId(raw: unknown): number | ValueError {
  if (raw === undefined || raw === null) return missing('integration_id');
  if (isLosslessNumber(raw)) return checkIntegrationIdLiteral(raw.value);
  if (typeof raw !== 'number') return INTEGRATION_ID_NOT_A_NUMBER;
  if (Number.isSafeInteger(raw) && raw > 0) return raw;
  return Number.isInteger(raw) && raw > 0 ? INTEGRATION_ID_TOO_LARGE : INTEGRATION_ID_OUT_OF_RANGE;
}

/**
 * Checks a JSON number as it was written. `JSON.parse` rounds first: it reads 6.9999999999999999999 as 7.
 *
 * @param literal a JSON number, such as `17` or `1.7e1`
 * @returns an integer from 1 to 2^53−1 that was written in plain digits, or an error `integration_id_invalid`
 */
export function checkIntegrationIdLiteral(literal: string): number | ValueError {
  if (/^[1-9][0-9]*$/.test(literal)) return parseIntegrationId(literal);
  return /^(0|-[0-9]+)$/.test(literal) ? INTEGRATION_ID_OUT_OF_RANGE : INTEGRATION_ID_NOT_PLAIN;
}

/**
 * Checks an `integrationId` in CSV.
 *
 * @param cell a CSV cell: `1e3`, `1.0`, `+5` and `007` are invalid; padding is removed, see {@link withoutPadding}
 * @returns an integer from 1 to 2^53−1, or an error `integration_id_missing`, `integration_id_invalid`,
 *   `integration_id_damaged`
 */
export function parseIntegrationId(cell: string): number | ValueError {
  if (PLAIN_INTEGER.test(cell)) {
    const value = Number(cell);
    return value <= Number.MAX_SAFE_INTEGER ? value : INTEGRATION_ID_TOO_LARGE;
  }
  const bare = withoutPadding(cell.trim()).trim();
  if (bare !== cell) return parseIntegrationId(bare);
  if (cell === '') return empty('integration_id');
  if (cell === '0') return INTEGRATION_ID_ZERO;
  if (isLostValue(cell)) return lostValue('integration_id', cell);
  return /^[1-9][0-9]*$/.test(cell) ? INTEGRATION_ID_TOO_LARGE : INTEGRATION_ID_INVALID;
}

const invalid = (message: string): ValueError => ({ code: 'integration_id_invalid', message });

const INTEGRATION_ID_NOT_A_NUMBER = invalid('must be an integer, without quotes');
const INTEGRATION_ID_INVALID = invalid(
  'must be an integer in plain digits, without a sign, a decimal point or leading zeros',
);
const INTEGRATION_ID_NOT_PLAIN = invalid(
  'must be an integer in plain digits, without a decimal point or an exponent',
);
const INTEGRATION_ID_ZERO = invalid('must be 1 or greater');
const INTEGRATION_ID_OUT_OF_RANGE = invalid('must be an integer of 1 or greater');
const INTEGRATION_ID_TOO_LARGE = invalid(
  'must be at most 9007199254740991, the largest integer that every JSON parser keeps exact',
);
