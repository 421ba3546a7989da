import { isKnownCharset } from '../../workers/identities/record/charset.js';
import { badRequest, type RequestError, unsupportedMedia } from '../http/errors.js';
import { type Headers, rejectUnknown } from './content-headers.js';
import { decodeWords, malformedHeader, parseHeader } from './header-value.js';
import { type PartHeaders, readPartHeaders } from './multipart/part-headers.js';

/** What a request or a part says about the file in it. */
export interface FileHeaders extends PartHeaders {
  charset: string | undefined;
  fileName: string | null;
}

/** Parameters of a media type that do not change how a file is read. `charset` does, and is obeyed. */
const PARAMETERS: readonly string[] = ['charset', 'header', 'name', 'boundary'];
const MAX_CHARSET = 40;

/**
 * Reads the headers of a file.
 * @param headers of a part, or of a request whose body is the file
 * @throws RequestError 400 or 415 with the name of a header that cannot be obeyed
 */
export function readFileHeaders(headers: Headers): FileHeaders {
  rejectUnknown(headers);
  return {
    charset: charsetOfMediaType(headers.get('content-type')),
    fileName: fileNameOf(headers.get('content-disposition')),
    ...readPartHeaders(headers, ['gzip']),
  };
}

/** Returns the charset that a media type declares. */
export function charsetOfMediaType(contentType: string | undefined): string | undefined {
  if (contentType === undefined || contentType === '') return undefined;
  const { value, parameters } = parseHeader('Content-Type', contentType);
  if (/^(?:multipart|message)\//.test(value) && value !== 'multipart/form-data')
    throw unsupportedMedia(
      `Unsupported \`Content-Type\` ${JSON.stringify(value.slice(0, 60))} of a part. Send the file as text/csv.`,
    );
  for (const name of parameters.keys()) {
    if (PARAMETERS.includes(name)) continue;
    throw unsupportedMedia(
      `Unsupported parameter ${JSON.stringify(name.slice(0, 40))} of \`Content-Type\`. Only charset and header=present are supported.`,
    );
  }
  if ((parameters.get('header') ?? 'present').toLowerCase() !== 'present')
    throw unsupportedMedia(
      'Unsupported parameter "header" of `Content-Type`: the file must have a header. Add one, and declare header=present.',
    );
  return declared(parameters.get('charset'));
}

/** `binary` is what `file --mime` says of a file without text: it names no charset. */
function declared(charset: string | undefined): string | undefined {
  const name = charset?.trim();
  if (name === undefined || name.toLowerCase() === 'binary') return undefined;
  if (name === '') throw malformedHeader('Content-Type', 'its charset is empty');
  if (!isKnownCharset(name)) throw unknownCharset(name, '`Content-Type`');
  return name;
}

/** @param where the client names the charset */
export const unknownCharset = (charset: string, where: string): RequestError =>
  badRequest(
    'charset_unknown',
    `Unknown charset ${JSON.stringify(charset.slice(0, MAX_CHARSET))} in ${where}.`,
  );

function fileNameOf(disposition: string | undefined): string | null {
  if (disposition === undefined) return null;
  const name = parseHeader('Content-Disposition', disposition).parameters.get('filename');
  return name === undefined ? null : cleanFileName(decodeWords(name));
}

/** As the column in the database. */
const MAX_CHARACTERS = 255;
/** Control characters, separators of lines, and marks that reverse the direction of text: a name may show what it is not. */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/**
 * Returns the name of an uploaded file as a person may read it: the last part of its path, without invisible characters, at most 255
 * characters. It is never used as a path.
 * @param sent the `filename` of a part or body. Browsers escape quotation marks and line breaks in it (WHATWG HTML, multipart form data)
 * @returns null if nothing is left
 */
export function cleanFileName(sent: string): string | null {
  const text = sent
    .toWellFormed()
    .replaceAll('%22', '"')
    .replace(/%0[ad]/gi, '')
    .replace(INVISIBLE, '');
  const base = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1).trim();
  return [...base].slice(0, MAX_CHARACTERS).join('').trimEnd() || null;
}
