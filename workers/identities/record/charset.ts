import iconv from 'iconv-lite';

const NAMES: Record<string, string> = {
  utf8: 'utf-8',
  'unicode-1-1-utf-8': 'utf-8',
  utf16: 'utf-16',
  utf16le: 'utf-16le',
  utf16be: 'utf-16be',
  'ucs-2': 'utf-16le',
  ucs2: 'utf-16le',
};

const UTF = /^utf-(?:8|16|16le|16be)$/;
const ASCII = Buffer.from(Array.from({ length: 128 }, (_, byte) => byte));

/** Returns one of the spellings of a charset's name. */
export function canonicalCharset(charset: string): string {
  const name = charset.trim().toLowerCase();
  return Object.hasOwn(NAMES, name) ? (NAMES[name] ?? name) : name;
}

/** Returns whether a charset other than UTF-8 and UTF-16 is known, and has ASCII as it is. */
export function keepsAscii(charset: string): boolean {
  if (charset === 'cesu8' || charset === 'cesu-8') return false;
  return iconv.encodingExists(charset) && iconv.decode(ASCII, charset) === ASCII.toString('latin1');
}

/** Returns whether a file may be in a charset. */
export function isKnownCharset(charset: string): boolean {
  const name = canonicalCharset(charset);
  return UTF.test(name) || keepsAscii(name);
}
