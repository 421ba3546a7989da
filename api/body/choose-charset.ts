import { badRequest } from '../http/errors.js';

/**
 * Returns the charset of a file; undefined if none is named.
 * @param asked as the query names it
 * @param declared as the headers name it
 * @throws RequestError 400 `charset_conflict` if both name different ones
 */
export function chooseCharset(asked: string | undefined, declared: string | undefined): string | undefined {
  if (asked !== undefined && declared !== undefined && plainName(asked) !== plainName(declared)) {
    const message = `The query declares charset=${asked}, but \`Content-Type\` declares charset=${declared}. Send only the right one.`;
    throw badRequest('charset_conflict', message);
  }
  return asked ?? declared;
}

/** Returns the same text for the usual spellings of one charset. */
const plainName = (charset: string): string =>
  charset
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/^(?:cp|win)(?=125\d$)/, 'windows')
    .replace(/^latin1$/, 'iso88591')
    .replace(/^(?:ms932|windows31j|cp932|sjis)$/, 'shiftjis');
