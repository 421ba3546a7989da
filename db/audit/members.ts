import type { Members } from './entry.js';

/** Of the JSON of one member, in characters. */
const MAX_MEMBER = 4_096;
/** Of the JSON of all. */
const MAX_ALL = 65_536;
/** What is kept of a member that is cut. */
const START = 500;

const MASK = '***';

/** Members with these names are masked, although no caller gives any: an entry cannot be changed later. */
const SECRET = /^(?:secrets?|previousSecret|tokens?|password|authorization|apiKey)$/i;

/**
 * Returns members as JSON, their secrets masked. A member that is too long is replaced by `{"cut": its length, "start": …}`, and members that
 * do not fit any more by `{"…": {"cut": their number}}`.
 */
export function toMembersText(members: Members | null): string | null {
  if (members === null) return null;
  const parts: string[] = [];
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  let length = 0;
  for (const [name, value] of entries) {
    const part = `${JSON.stringify(name)}:${toText(name, value)}`;
    length += part.length;
    if (length > MAX_ALL) {
      parts.push(`"…":${JSON.stringify({ cut: entries.length - parts.length })}`);
      break;
    }
    parts.push(part);
  }
  return `{${parts.join(',')}}`;
}

function toText(path: string, value: unknown): string {
  const name = path.slice(path.lastIndexOf('.') + 1);
  if (isSecret(name, value)) return JSON.stringify(MASK);
  const text = JSON.stringify(value, (inner, part) => (isSecret(inner, part) ? MASK : part)) ?? 'null';
  if (text.length <= MAX_MEMBER) return text;
  return JSON.stringify({ cut: text.length, start: text.slice(0, START).toWellFormed() });
}

const isSecret = (name: string, value: unknown): boolean => typeof value === 'string' && SECRET.test(name);
