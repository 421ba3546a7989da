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
