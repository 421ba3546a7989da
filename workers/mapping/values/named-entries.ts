import { isObject, type JsonObject, type JsonValue, limitText } from './json-value.js';

/**
 * Returns the name and the value of an element of a list of names and values, or null if it has another form. Recognizes
 * `"env:production"` (Datadog), `"env=production"` (Prometheus), `["browser", "Firefox"]` (Sentry) and
 * `{"name": "env", "value": "production"}` (CloudWatch, Azure), also with `key` (OpenTelemetry, AWS tags), `label` or `tag`
 * (Zabbix) in place of `name`.
 */
export function namedEntry(element: JsonValue): [name: string, value: JsonValue] | null {
  if (typeof element === 'string') return fromText(element);
  if (Array.isArray(element)) return fromPair(element);
  return isObject(element) ? fromObject(element) : null;
}

/** Returns the pieces of a text such as `env:production, team:storage` (Datadog's `$TAGS`). Each may be a named entry. */
export const splitEntries = (text: string): string[] =>
  limitText(text)
    .split(',')
    .map((piece) => piece.trim());

/** Names of tags are short. A longer text before the separator is prose that contains a colon. */
const MAX_NAME = 200;

const SEPARATOR = /[:=]/;

function fromText(text: string): [string, string] | null {
  const at = text.slice(0, MAX_NAME).search(SEPARATOR);
  if (at < 1 || text.startsWith('//', at + 1)) return null;
  return [text.slice(0, at), text.slice(at + 1)];
}

function fromPair(pair: JsonValue[]): [string, JsonValue] | null {
  const [name, value] = pair;
  return pair.length === 2 && typeof name === 'string' && value !== undefined ? [name, value] : null;
}

function fromObject(object: JsonObject): [string, JsonValue] | null {
  const name = firstOwn(object, NAMES);
  const value = firstOwn(object, VALUES);
  return typeof name === 'string' && value !== undefined ? [name, value] : null;
}

const NAMES = ['name', 'key', 'Name', 'Key', 'label', 'Label', 'tag', 'Tag'];
const VALUES = ['value', 'Value'];

function firstOwn(object: JsonObject, keys: string[]): JsonValue | undefined {
  const key = keys.find((key) => Object.hasOwn(object, key));
  return key === undefined ? undefined : object[key];
}
