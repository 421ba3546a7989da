/**
 * Occurrences are stored as texts that compare by their characters: `n…` for a number, `t…` for a time. Texts of different kinds do not
 * compare, so a mapping that changes from one to the other starts over.
 */

/** Longest text of {@link comparableOf}. */
export const MAX_COMPARABLE = 80;

/** An occurrence without a value: it ended, and nothing compares with it. */
export const NO_VALUE = '';
/** The occurrence of an alert whose items have values of different kinds. Nothing compares with it. */
export const MIXED = '?';

/** Returns the text by which a number or an RFC 3339 time compares, or null if the value is neither. */
export const comparableOf = (value: string): string | null => numberOf(value) ?? timeOf(value);

/** Returns whether an occurrence is the same as another one or an older one. False if they do not compare. */
export const isNotNewer = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && comparable(one, other) && one <= other;

/** Returns whether an occurrence is older than another one. False if they do not compare. */
export const isOlder = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && comparable(one, other) && one < other;

/** Returns the newer of two occurrences, and the second one if they do not compare. */
export function newerOf(one: string | null, other: string | null): string | null {
  if (other === null) return one;
  if (other === NO_VALUE || other === MIXED) return one ?? NO_VALUE;
  return isOlder(other, one) ? one : other;
}

/** Returns the newest occurrence of items, whatever their order. */
export function newestOf(one: string | null, other: string | null): string | null {
  if (one === null || other === null || one === other) return one ?? other;
  if (!comparable(one, other)) return MIXED;
  return one < other ? other : one;
}

const comparable = (one: string, other: string): boolean => !!one && !!other && one[0] === other[0];

const NUMBER = /^([-+]?)(\d{1,60})(?:\.(\d{1,60}))?(?:[eE]([-+]?\d{1,2}))?$/;
/** Digits on either side of the decimal point. */
const MAX_DIGITS = 30;

/** `n`, then `1` and the count of digits and the digits; of a negative number `0` and the complement of the rest. */
function numberOf(value: string): string | null {
  const parts = NUMBER.exec(value);
  if (!parts) return null;
  const [, sign, whole = '', decimals = '', exponent = '0'] = parts;
  const point = whole.length + Number(exponent);
  const all = whole + decimals;
  const left = (point > 0 ? all.slice(0, point).padEnd(point, '0') : '').replace(/^0+/, '');
  const right = withoutEndZeros(point > 0 ? all.slice(point) : '0'.repeat(-point) + all);
  if (left.length > MAX_DIGITS || right.length > MAX_DIGITS) return null;
  const text = `${String(left.length).padStart(2, '0')}${left}.${right}`;
  if (sign !== '-' || left + right === '') return `n1${text}`;
  // A text that goes on must come first among negative numbers: `~` is above every digit.
  return `n0${text.replace(/\d/g, (digit) => String(9 - Number(digit)))}~`;
}

const TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,30}))?(?:[Zz]|([-+])(\d\d):(\d\d))$/;
const MINUTE_MS = 60_000;
/** What programs in Go send in place of no time. */
const ZERO_TIME = '0001-01-01T00:00:00';

/** `t`, the time in UTC, then the digits of the fraction. */
function timeOf(value: string): string | null {
  const parts = TIME.exec(value);
  if (!parts) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  const [fraction = '', sign, hours = '0', minutes = '0'] = parts.slice(7);
  if (hour > 23 || minute > 59 || second > 60 || Number(hours) > 23 || Number(minutes) > 59) return null;
  const time = new Date(0);
  time.setUTCFullYear(year, month - 1, day);
  if (time.getUTCMonth() !== month - 1 || time.getUTCDate() !== day) return null;
  time.setUTCHours(hour, minute, second);
  const offset = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
  const instant = new Date(time.getTime() + (sign === '-' ? offset : -offset));
  const text = instant.toISOString().slice(0, -'.000Z'.length);
  // A time zone can lead out of the years that have four digits.
  if (text.length !== ZERO_TIME.length || text === ZERO_TIME) return null;
  return `t${text}.${withoutEndZeros(fraction)}`;
}

function withoutEndZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
