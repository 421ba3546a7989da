/** What a signature covers, as text with `{body}` once and, if it has a timestamp, `{timestamp}`. */
export interface SignedContent {
  before: readonly string[];
  after: readonly string[];
}

const BODY = '{body}';
const TIMESTAMP = '{timestamp}';

/** Returns what is wrong with a text that describes signed content, or null. */
export function contentProblem(text: string, hasTimestamp: boolean): string | null {
  if (text.split(BODY).length !== 2) return 'must contain {body} exactly once';
  if (hasTimestamp && !text.includes(TIMESTAMP))
    return 'must contain {timestamp}, so that the timestamp is signed';
  if (!hasTimestamp && text.includes(TIMESTAMP))
    return 'contains {timestamp}, which needs `timestampHeader` or `timestampPrefix`';
  const unknown = /\{[^{}]*\}/.exec(text.replaceAll(BODY, '').replaceAll(TIMESTAMP, ''))?.[0];
  return unknown ? `must not contain ${unknown}; only {body} and {timestamp} are replaced` : null;
}

/** Parses signed content. Each list is the literal text around the places of the timestamp. */
export function parseContent(text: string): SignedContent {
  const [before = '', after = ''] = text.split(BODY);
  return { before: before.split(TIMESTAMP), after: after.split(TIMESTAMP) };
}

/** Returns the signed content of a request in pieces, so that a large body is not copied. */
export const contentPieces = (
  content: SignedContent,
  timestamp: string,
  body: Buffer,
): (string | Buffer)[] => [content.before.join(timestamp), body, content.after.join(timestamp)];
