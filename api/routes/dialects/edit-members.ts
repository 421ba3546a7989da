import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  isSpace,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from '../../../workers/json/marks.js';

/**
 * Returns the text of a JSON object with other members. Members that stay keep their text, so that no number loses digits.
 * @param text a JSON object, without fault
 * @param changes by name; undefined removes the member
 */
export function editMembers(text: string, changes: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(changes).flatMap(([name, value]) =>
    value === undefined ? [] : `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  // Members between two that are changed are one part.
  let [start, end] = [-1, -1];
  const endPart = () => {
    if (start >= 0) parts.push(text.slice(start, end));
    start = -1;
  };
  eachMember(text, (name, at, ending) => {
    if (Object.hasOwn(changes, name)) return endPart();
    if (start < 0) start = at;
    end = ending;
  });
  endPart();
  return `{${parts.join(',')}}`;
}

const LONG = 1_000;

/**
 * Returns the value of a member of a JSON object without parsing the others; undefined if there is none. A long value is not parsed.
 * @param text a JSON object, without fault
 */
export function memberOf(text: string, name: string): unknown {
  let [start, end] = [-1, -1];
  // Of members with the same name, the last counts, as for JSON.parse.
  eachMember(text, (one, at, ending) => {
    if (one === name) [start, end] = [at, ending];
  });
  if (start < 0) return undefined;
  const value = text.slice(text.indexOf(':', endOfString(text, start)) + 1, end);
  return value.length > LONG ? value : JSON.parse(value);
}

/** Calls a function with the name of each member of a JSON object, the position of its name, and where its value ends. */
function eachMember(text: string, visit: (name: string, start: number, end: number) => void): void {
  let depth = 1;
  let start = text.indexOf('{') + 1;
  for (let at = start; depth > 0; at++) {
    const mark = text.charCodeAt(at);
    if (mark === QUOTE) at = endOfString(text, at);
    else if (mark === OPEN_OBJECT || mark === OPEN_ARRAY) depth += 1;
    else if (mark === CLOSE_OBJECT || mark === CLOSE_ARRAY) depth -= 1;
    if (depth > 0 && !(mark === COMMA && depth === 1)) continue;
    while (isSpace(text.charCodeAt(start))) start += 1;
    if (start < at) visit(nameAt(text, start), start, at);
    start = at + 1;
  }
}

/** Returns the position of the quote that ends a text. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

function nameAt(text: string, start: number): string {
  const end = endOfString(text, start);
  const name = text.slice(start + 1, end);
  return name.includes('\\') ? JSON.parse(text.slice(start, end + 1)) : name;
}
