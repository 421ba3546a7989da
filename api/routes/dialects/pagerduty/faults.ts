import type { RequestError } from '../../../http/errors.js';
import { type Body, invalidEvent, type Reply } from '../dialect.js';

/** A fault of an event. The messages are those that clients of PagerDuty know, as far as they are public. */
interface Fault {
  field: string;
  message: string;
}

const KEY_LENGTH = 32;

/**
 * Returns the routing key of a body or header; null if there is none.
 * @throws RequestError 400 if it cannot be one
 */
export function checkedKey(field: string, value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  const key = typeof value === 'object' ? '' : String(value);
  const faults: Fault[] = [];
  if (key.length !== KEY_LENGTH)
    faults.push({
      field,
      message: `Length of '${field}' is incorrect (should be ${KEY_LENGTH} characters)`,
    });
  if (!/^[0-9A-Za-z]*$/.test(key))
    faults.push({ field, message: `'${field}' cannot contain non-alphanumeric characters.` });
  if (faults.length > 0) throw invalidEvent(400, faults);
  return key;
}

/** Collects the faults of an event. */
export class Check {
  readonly #faults: Fault[] = [];

  /** Returns the text of a member that is required. */
  text(body: Body, name: string, field = name): string {
    const value = body[name];
    if (typeof value === 'string' && value.trim() !== '') return value;
    if (typeof value === 'number') return String(value);
    const isMissing = value === undefined || value === null || typeof value === 'string';
    this.fault(field, isMissing ? `'${field}' is missing or blank` : `'${field}' must be a string`);
    return '';
  }

  /** Checks that a member has one of these words. */
  word(body: Body, name: string, words: readonly string[], field = name): void {
    const value = this.text(body, name, field);
    if (value !== '' && !words.includes(value))
      this.fault(
        field,
        `'${field}' is invalid (must be one of the following: ${words.map((word) => `'${word}'`).join(', ')})`,
      );
  }

  fault(field: string, message: string): void {
    this.#faults.push({ field, message });
  }

  /** @throws RequestError 400 with all faults */
  done(): void {
    if (this.#faults.length > 0) throw invalidEvent(400, this.#faults);
  }
}

/** Longest deduplication key. */
const MAX_KEY = 255;

/**
 * Returns the deduplication key of an event; null if it has none: an empty one counts as none.
 * @param required for all but triggers
 */
export function keyOf(check: Check, body: Body, field: string, required: boolean): string | null {
  const value = body[field];
  if (value === undefined || value === null || value === '') {
    if (required) check.fault(field, `'${field}' is missing or blank`);
    return null;
  }
  const key = check.text(body, field);
  if (key.length > MAX_KEY)
    check.fault(field, `Length of '${field}' is incorrect (should be at most ${MAX_KEY} characters)`);
  return key;
}

/** Codes of bodies that are no JSON object. */
const UNREADABLE: ReadonlySet<string> = new Set([
  'malformed_json',
  'empty_body',
  'malformed_body',
  'too_deep',
]);

/** Returns the response to a request that is rejected. `throttled`: the status while an integration is over its limit. */
export function rejectionOf(error: RequestError, throttled: number): Reply {
  const { code, message, details } = error;
  const { 'WWW-Authenticate': _, ...headers } = details.headers ?? {};
  const reply = (status: number, body: object): Reply => ({ status, body, headers });
  if (code === 'over_limit')
    return reply(throttled, {
      status: 'throttle exceeded',
      message: 'Requests for this service are arriving too quickly. Please retry later.',
      errors: [message],
    });
  if (error.status >= 500)
    return reply(error.status, {
      status: 'internal error',
      message: 'Event was not accepted',
      errors: [message],
    });
  if (UNREADABLE.has(code))
    return reply(400, {
      status: 'unrecognized object',
      message: 'Event object format is unrecognized',
      errors: ['JSON parse error', message],
    });
  const messages = details.errors?.map((one) => one.message) ?? [];
  // Clients read the first one.
  const errors = messages.length > 0 ? messages : [KEY_FAULTS[code] ?? message];
  // Clients take 401, 403 and 404 for something else than a fault of the event.
  const status = error.status === 401 ? 400 : error.status;
  return reply(status, { status: 'invalid event', message: 'Event object is invalid', errors });
}

const KEY_FAULTS: Readonly<Record<string, string>> = {
  missing_key: "'routing_key' is missing or blank",
  unknown_key: 'Invalid routing key',
};
