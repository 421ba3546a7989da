import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
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
  const kept = membersOf(text).filter((member) => !Object.hasOwn(changes, nameOf(member)));
  const added = Object.entries(changes).flatMap(([name, value]) =>
    value === undefined ? [] : `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  return `{${[...added, ...kept].join(',')}}`;
}

/** Returns the texts of the members of a JSON object. */
function membersOf(text: string): string[] {
  const members: string[] = [];
  let [depth, start] = [0, 0];
  for (let at = text.indexOf('{'); at < text.length; at++) {
    const mark = text.charCodeAt(at);
    if (mark === QUOTE) at = endOfString(text, at);
    else if (mark === OPEN_OBJECT || mark === OPEN_ARRAY) {
      if (depth++ === 0) start = at + 1;
    } else if (mark === CLOSE_OBJECT || mark === CLOSE_ARRAY) depth -= 1;
    if ((mark === COMMA && depth === 1) || (mark === CLOSE_OBJECT && depth === 0)) {
      const member = text.slice(start, at).trim();
      if (member !== '') members.push(member);
      start = at + 1;
    }
  }
  return members;
}

/** Returns the position of the quote that ends a text. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

/** Returns the name of a member, which begins with it. */
const nameOf = (member: string): string => JSON.parse(member.slice(0, endOfString(member, 0) + 1));
