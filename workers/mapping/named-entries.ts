import { isObject, type JsonObject, type JsonValue } from './values.js';

/**
 * What an element of a list is called, and what it says, where the list is one of names and values: `"env:production"`
 * (Datadog), `["browser", "Firefox"]` (Sentry), `{"name": "env", "value": "production"}` (CloudWatch, Azure),
 * `{"key": …, "value": …}` (OpenTelemetry, AWS tags).
 */
export function namedEntry(element: JsonValue): [name: string, value: JsonValue] | null {
  if (typeof element === 'string') return fromText(element);
  if (Array.isArray(element)) return fromPair(element);
  return isObject(element) ? fromObject(element) : null;
}

/** Names of tags are short; the rest is prose that holds a colon. */
const LONGEST_NAME = 200;

function fromText(text: string): [string, string] | null {
  const colon = text.slice(0, LONGEST_NAME).indexOf(':');
  if (colon < 1 || text.startsWith('//', colon + 1)) return null;
  return [text.slice(0, colon), text.slice(colon + 1)];
}

function fromPair(pair: JsonValue[]): [string, JsonValue] | null {
  const [name, value] = pair;
  return pair.length === 2 && typeof name === 'string' && value !== undefined ? [name, value] : null;
}

function fromObject(object: JsonObject): [string, JsonValue] | null {
  const name = own(object, NAMES);
  const value = own(object, VALUES);
  return typeof name === 'string' && value !== undefined ? [name, value] : null;
}

const NAMES = ['name', 'key', 'Name', 'Key'];
const VALUES = ['value', 'Value'];

function own(object: JsonObject, keys: string[]): JsonValue | undefined {
  const key = keys.find((key) => Object.hasOwn(object, key));
  return key === undefined ? undefined : object[key];
}
