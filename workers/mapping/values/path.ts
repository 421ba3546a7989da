import { isMessageVariable, type MessageVariable } from './message-fields.js';
import { REQUEST_PARTS } from './request.js';

/**
 * Where a path starts: at the whole payload, at the item of a split, at the request that carried the payload, at what the lookups of the mapping
 * found, or at the element of the enclosing section. In what is drawn of a message, at one of its variables or such an element. In the recipe of a
 * feed, at the row of its file.
 */
export type PathRoot = 'webhook' | 'item' | 'request' | 'lookup' | 'element' | 'row' | MessageVariable;

/** What a path may start at. */
export interface PathOptions {
  /** Whether it starts at a variable of a message. */
  isMessage?: boolean;
  /** The names of the lookups of the mapping. Without any, `lookup` is a key like any other. */
  lookups?: ReadonlySet<string>;
}

/** A parsed path of a template. */
export interface Path {
  text: string;
  root: PathRoot;
  keys: readonly string[];
}

/** A key that needs no brackets. */
const PLAIN_KEY = /^[\p{L}\p{N}_$@](?:[\p{L}\p{N}_$@:/ -]*[\p{L}\p{N}_$@:/-])?$/u;

const FIRST = /[^.[\]{}"'\p{Cc}]+/uy;
const NEXT = /\.([^.[\]{}"'\p{Cc}]+)|\[(\d{1,9})\]|\[("(?:[^"\\\p{Cc}]|\\.)*")\]|\['([^'\p{Cc}]*)'\]/uy;

/**
 * Parses a path: `webhook.tags[0].name`, `webhook.tags.0.name`, `webhook.labels["a.b"]`, or `.` for the element of a section.
 * JSON escapes are valid between `["` and `"]`. Returns null if the text is not a path.
 */
export function parsePath(text: string, options: PathOptions = {}): Path | null {
  if (text === '.') return { text, root: 'element', keys: [] };
  const keys: string[] = [];
  let at = 0;
  if (text[0] !== '[') {
    FIRST.lastIndex = 0;
    const first = FIRST.exec(text)?.[0];
    if (first === undefined) return null;
    keys.push(first.trim());
    at = first.length;
  }
  while (at < text.length) {
    NEXT.lastIndex = at;
    const match = NEXT.exec(text);
    const key = match && keyOf(match);
    if (!match || key === null) return null;
    keys.push(key);
    at += match[0].length;
  }
  return { text, ...splitRoot(keys, { isBracketed: text[0] === '[', ...options }) };
}

function keyOf([, plain, index, quoted = '', single]: RegExpExecArray): string | null {
  if (plain !== undefined) return plain;
  if (index !== undefined) return String(Number(index));
  if (single !== undefined) return single;
  try {
    return JSON.parse(quoted);
  } catch {
    return null;
  }
}

function splitRoot(
  keys: string[],
  { isBracketed, isMessage, lookups }: PathOptions & { isBracketed: boolean },
): Pick<Path, 'root' | 'keys'> {
  const [first = '', ...rest] = keys;
  if (isBracketed) return { root: 'element', keys };
  if (isMessage) return isMessageVariable(first) ? { root: first, keys: rest } : { root: 'element', keys };
  if (first === 'webhook' || first === 'item') return { root: first, keys: rest };
  if (first === 'request' && isRequestPart(rest[0])) return { root: first, keys: rest };
  if (first === 'lookup' && lookups && lookups.size > 0) return { root: first, keys: rest };
  return { root: 'element', keys };
}

/** Other keys after `request` belong to a payload or an element that has a key `request` of its own. */
const isRequestPart = (key: string | undefined): boolean => key === undefined || REQUEST_PARTS.includes(key);

/**
 * Parses a path in the payload, with or without `webhook` in front. A first key `request` is a key of the payload. Returns null
 * if the text is not such a path.
 */
export function parsePayloadPath(text: string): Path | null {
  const path = parsePath(text);
  if (!path || path.root === 'item' || text === '.') return null;
  const keys = path.root === 'request' ? ['request', ...path.keys] : path.keys;
  return { text, root: 'webhook', keys };
}

/** Returns a path as a template writes it: `webhook.alerts[0].labels["a.b"]`. */
export function formatPath(root: string, keys: readonly (string | number)[]): string {
  return keys.reduce<string>((path, key) => `${path}${formatKey(key)}`, root);
}

/** Returns a path as `expandJson` has it: `Records.body`, `["a.b"].c`. Only a first key `webhook` or `item` needs the root. */
export function formatPayloadPath(keys: readonly (string | number)[]): string {
  if (keys[0] === 'webhook' || keys[0] === 'item') return formatPath('webhook', keys);
  return formatPath('', keys).replace(/^\./, '');
}

function formatKey(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`;
  if (PLAIN_KEY.test(key)) return `.${key}`;
  // Braces would close the tag, and control characters are invisible.
  const quoted = JSON.stringify(key).replace(/[{}\p{Cc}]/gu, escapeCharacter);
  return `[${quoted}]`;
}

const escapeCharacter = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A longer path is not readable, and the error that names it has to fit its column. */
const MAX_SUGGESTED = 300;

/** Returns a path that is short enough to be suggested, or null. */
export const suggestible = (path: string | null): string | null =>
  path !== null && path.length <= MAX_SUGGESTED ? path : null;
