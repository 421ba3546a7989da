import { isObject, type JsonValue } from '../values/json-value.js';
import { formatPath } from '../values/path.js';

/** A sender's statement that its payload is incomplete. */
export interface StatedTruncation {
  path: string;
  /** How many things it left out; null if it does not say. */
  count: number | null;
}

/**
 * The names under which senders say so: `truncatedAlerts` of Alertmanager and Grafana, `truncated` of Bitbucket, GitHub and AWS Step
 * Functions, `IsTruncated` of AWS, `omitted` of CloudTrail, `conditionalParametersTrimmed` of Adobe, `commits_truncated`,
 * `incomplete_results`.
 */
const NAME =
  /^_*(?:(?:[Ii]s|[Ww]as|[Hh]as)_?)?[Tt]runcated(?:$|_|[A-Z])|(?:[a-z]|_)Truncated$|_truncated$|[a-z]Trimmed$|^[Oo]mitted$|^(?:[Ii]s_?)?[Ii]ncomplete(?:_?[Rr]esults)?$/;
/**
 * Numbers of whole alerts that other senders left out: `omittedAlerts`, `alerts_dropped`, `numSkippedEvents`. Without such a noun it is
 * a measurement, such as `dropped_packets`, and so it is below the top or an object there.
 */
const [VERB, NOUN] = [
  '(?:omitted|dropped|discarded|skipped)',
  '(?:alert|event|item|entry|entrie|notification|incident|problem|record|result)s?',
];
const LEFT_OUT = new RegExp(
  `^_*(?:(?:num|number|total)_(?:of_)?)?(?:${VERB}_${NOUN}|${NOUN}_${VERB}|omitted(?=_count))(?:_count)?$`,
);
const LEFT_OUT_DEPTH = 1;
/** Objects whose names a user chooses: a label may be called anything. */
const CHOSEN_NAMES =
  /^(?:(?:common|group|alert|resource)_?)?(?:labels|annotations|tags|attributes|dimensions)$|^(?:custom|user)_?(?:details|fields|data|properties)$/i;
/** Azure leaves the results of a search out of an alert of more than 256 KB. */
const INCLUDED = /^includedSearchResults$/i;
/** Of other names, a number or a text is not how many things are missing: `truncatedAt`, `truncated_title`. */
const COUNTED = /(?:ed|s|[Cc]ount)$/;
const TRUE = /^(?:true|yes)$/i;
const FALSE = /^(?:false|no)$/i;
const WHOLE_NUMBER = /^\d{1,9}$/;

/** Every name contains one of these. Most payloads contain none, and need not be parsed. */
export const MAY_STATE_TRUNCATION =
  /truncated|trimmed|omitted|dropped|discarded|skipped|incomplete|includedSearchResults/i;

/** A statement is near the top. Deeper values belong to what the payload is about. */
const MAX_DEPTH = 4;
const MAX_ELEMENTS = 10;
const MAX_VALUES = 2_000;

/** Returns the first statement of a payload that something was left out of it, or null. Reads at most 2,000 values. */
export function statedTruncation(payload: JsonValue): StatedTruncation | null {
  let left = MAX_VALUES;
  const search = (value: JsonValue, keys: (string | number)[]): StatedTruncation | null => {
    if (keys.length > MAX_DEPTH) return null;
    const entries = entriesOf(value).slice(0, left);
    left -= entries.length;
    for (const [key, inner] of entries) {
      const count = typeof key === 'string' ? leftOut(key, inner, keys.length) : 0;
      if (count !== 0) return { path: formatPath('webhook', [...keys, key]), count };
    }
    for (const [key, inner] of entries) {
      const found = CHOSEN_NAMES.test(String(key)) ? null : search(inner, [...keys, key]);
      if (found) return found;
    }
    return null;
  };
  return search(payload, []);
}

function entriesOf(value: JsonValue): [string | number, JsonValue][] {
  if (Array.isArray(value)) return [...value.slice(0, MAX_ELEMENTS).entries()];
  return isObject(value) ? Object.entries(value) : [];
}

const inWords = (name: string): string => name.replace(/([a-z\d])(?=[A-Z])/g, '$1_').toLowerCase();

/** Returns how many things a property says were left out: null if it does not say how many, 0 for none. */
function leftOut(name: string, value: JsonValue, depth: number): number | null {
  if (INCLUDED.test(name)) return FALSE.test(String(value)) ? null : 0;
  if (!NAME.test(name) && !(depth <= LEFT_OUT_DEPTH && LEFT_OUT.test(inWords(name)))) return 0;
  if (value === true || (typeof value === 'string' && TRUE.test(value))) return null;
  if (!COUNTED.test(name)) return 0;
  if (Array.isArray(value)) return value.length;
  if (isObject(value)) return saysSomething(Object.values(value)) ? null : 0;
  const isCount = typeof value !== 'string' || WHOLE_NUMBER.test(value);
  const number = typeof value === 'boolean' || !isCount ? 0 : Number(value);
  return number > 0 ? number : 0;
}

/** Returns whether an object says that something was left out: by a flag or else a number in it, or by being there. */
function saysSomething(values: readonly JsonValue[]): boolean {
  const flags = values.filter((value) => typeof value === 'boolean');
  if (flags.length > 0) return flags.includes(true);
  const numbers = values.map(Number).filter((number) => !Number.isNaN(number));
  return numbers.length > 0 ? numbers.some((number) => number > 0) : values.length > 0;
}
