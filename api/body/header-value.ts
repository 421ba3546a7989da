import { isUtf8 } from 'node:buffer';
import { badRequest, type RequestError } from '../http/errors.js';

/** A header such as `Content-Type` or `Content-Disposition`. */
export interface HeaderValue {
  /** What is before the first semicolon, in lower case. */
  value: string;
  /** By lower-case name. Of `filename*` and `filename`, the first one counts (RFC 6266 §4.3). */
  parameters: ReadonlyMap<string, string>;
}

export const malformedHeader = (name: string, why: string): RequestError =>
  badRequest('malformed_header', `Invalid \`${name}\`: ${why}.`);

/**
 * A parameter with its continuation (RFC 2231 §3) and the star of an extended value (RFC 8187), or an empty one. Some clients do not
 * escape quotes, so one that a semicolon or the end does not follow belongs to the text.
 */
const PARAMETER =
  /[ \t]*;[ \t]*(?:([^\s"=;*]+)(?:\*(\d{1,2}))?(\*)?[ \t]*=(?:[ \t]*"((?:[^"\\]|\\.|"(?![ \t]*(?:;|$)))*)"(?=[ \t]*(?:;|$))[ \t]*|([^";]*)))?/y;

/** One way in which a parameter was sent. */
interface Sent {
  text: string;
  isExtended: boolean;
}

/**
 * Parses a header that may have parameters. Reads all forms in which clients send them: unquoted text with spaces, quotes and
 * backslashes, extended values and continuations.
 * @param name the header, for the error
 * @throws RequestError 400 `malformed_header`
 */
export function parseHeader(name: string, header: string): HeaderValue {
  const end = header.indexOf(';');
  const sent = new Map<string, Map<string, Sent>>();
  PARAMETER.lastIndex = end < 0 ? header.length : end;
  while (PARAMETER.lastIndex < header.length) {
    const found = PARAMETER.exec(header);
    if (found === null)
      throw malformedHeader(name, 'a parameter must have the form name=value or name="value"');
    const [, parameter, part = '', star = '', quoted, plain = ''] = found;
    if (parameter === undefined) continue;
    const forms = sent.get(parameter.toLowerCase()) ?? new Map<string, Sent>();
    const form = part === '' ? star : part;
    if (forms.has(form))
      throw malformedHeader(name, `the parameter ${JSON.stringify(parameter)} appears twice`);
    const text = quoted === undefined ? plain.trim() : withoutEscapes(quoted);
    sent.set(parameter.toLowerCase(), forms.set(form, { text, isExtended: star !== '' }));
  }
  const parameters = new Map([...sent].map(([parameter, forms]) => [parameter, decodeParameter(forms)]));
  return {
    value: header
      .slice(0, end < 0 ? undefined : end)
      .trim()
      .toLowerCase(),
    parameters,
  };
}

/** Old browsers send a path of Windows without escaping it, so a backslash before another character is kept. */
const withoutEscapes = (quoted: string): string => quoted.replace(/\\(["\\])/g, '$1');

/** Returns the first form that can be decoded. If none can, the text is read as well as it can be: it may only be a name. */
function decodeParameter(forms: ReadonlyMap<string, Sent>): string {
  const extended = forms.get('*');
  const plain = forms.get('')?.text;
  if (extended) return decodeExtended([extended]) ?? plain ?? decodeExtended([extended], true) ?? '';
  if (plain !== undefined) return plain;
  const segments = [...forms].sort(([a], [b]) => Number(a) - Number(b)).map(([, sent]) => sent);
  return decodeExtended(segments) ?? decodeExtended(segments, true) ?? '';
}

/**
 * Decodes `charset'language'text`, which may be spread over several parameters. Only extended ones have escapes.
 * @param anyhow reads text in an unknown charset as UTF-8 or Windows-1252
 * @returns null if it cannot be decoded
 */
function decodeExtended(segments: readonly Sent[], anyhow = false): string | null {
  const [first] = segments;
  const prefix = first?.isExtended ? /^([^']*)'[^']*'/.exec(first.text) : null;
  const bytes = Buffer.concat(
    segments.map(({ text, isExtended }, at) => {
      const rest = at === 0 && prefix ? text.slice(prefix[0].length) : text;
      return isExtended ? unescapePercent(rest) : Buffer.from(rest);
    }),
  );
  if (anyhow) return headerText(bytes);
  if (first?.isExtended && prefix === null) return null;
  try {
    return new TextDecoder(prefix?.[1] || 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function unescapePercent(text: string): Buffer {
  return Buffer.from(
    Buffer.from(text)
      .toString('latin1')
      .replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}

/** More encoded words than a file name has are left as they are. */
const MAX_WORDS = 20;
const WORD = /=\?([\w-]{1,40})(?:\*[\w-]*)?\?([bq])\?([^?\s]*)\?=(?:[ \t]+(?==\?))?/gi;

/** Decodes the encoded words of mail (RFC 2047), in which some clients write names. Words in an unknown charset stay. */
export function decodeWords(text: string): string {
  if (!text.includes('=?') || (text.match(WORD) ?? []).length > MAX_WORDS) return text;
  return text.replace(WORD, (word, charset: string, encoding: string, content: string) => {
    const isBase64 = encoding.toLowerCase() === 'b';
    const escaped = content.replaceAll('_', ' ').replace(/=([0-9a-f]{2})/gi, '%$1');
    const bytes = isBase64 ? Buffer.from(content, 'base64') : unescapePercent(escaped);
    try {
      return new TextDecoder(charset).decode(bytes);
    } catch {
      return word;
    }
  });
}

/** Returns the text of a header's bytes: UTF-8, which browsers send, or else Windows-1252. */
export const headerText = (bytes: Buffer): string =>
  new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252', { ignoreBOM: true }).decode(bytes);
