import { FileError, fileErrorAt } from '../record/errors.js';

/** First bytes of files that are not CSV. Numbers are bytes; strings are ASCII. */
const NOT_CSV: [what: string, start: string | number[]][] = [
  ['an Excel workbook (.xlsx) or another zip file', 'PK\x03\x04'],
  ['an empty zip file', 'PK\x05\x06'],
  ['an old Excel workbook (.xls)', [0xd0, 0xcf, 0x11, 0xe0]],
  ['a PDF document', '%PDF-'],
  ['a gzip file inside a gzip file', [0x1f, 0x8b]],
  ['a bzip2 file', 'BZh91AY&SY'],
  ['an xz file', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ['a zstd file', [0x28, 0xb5, 0x2f, 0xfd]],
  ['a 7-Zip file', [0x37, 0x7a, 0xbc, 0xaf]],
  ['a RAR file', 'Rar!\x1a'],
  ['a PNG image', [0x89, 0x50, 0x4e, 0x47]],
  ['a JPEG image', [0xff, 0xd8, 0xff]],
  ['a SQLite database', 'SQLite format 3'],
  ['an HTML page', '<!DOCTYPE'],
  ['an HTML page', '<!doctype'],
  ['an HTML page', '<html'],
  ['XML', '<?xml'],
  ...['[{', '[ {', '[\n', '[\r', '{"', '{ "', '{\n', '{\r'].map((start): [string, string] => ['JSON', start]),
  ['UTF-32 text, which is not supported (save it as UTF-8)', [0xff, 0xfe, 0x00, 0x00]],
  ['UTF-32 text, which is not supported (save it as UTF-8)', [0x00, 0x00, 0xfe, 0xff]],
];

/**
 * Checks that a decompressed file does not start like a file of another format.
 *
 * @throws FileError `not_csv`
 */
export function rejectOtherFormats(head: Buffer): void {
  const found = NOT_CSV.find(([, start]) => head.indexOf(Buffer.from(start as string)) === 0);
  if (found) throw new FileError('not_csv', `the file is ${found[0]}, not a CSV file`);
}

/** Byte order marks and their encodings. */
const BOMS: [encoding: 'utf-8' | 'utf-16le' | 'utf-16be', mark: number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

export interface ByteOrderMark {
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be';
  length: number;
}

/** Returns the byte order mark at the start of the file, or null. */
export function byteOrderMark(head: Buffer): ByteOrderMark | null {
  const found = BOMS.find(([, mark]) => mark.every((byte, index) => head[index] === byte));
  return found ? { encoding: found[0], length: found[1].length } : null;
}

/**
 * Checks that the text is not UTF-16 or UTF-32 without a byte order mark: then every other byte, or three of four,
 * would be NUL.
 *
 * @throws FileError `not_csv`
 */
export function rejectUnmarkedUtf16(head: Buffer): void {
  const sample = head.subarray(0, 256);
  if (sample.length < 4) return;
  const nuls: [number, number, number, number] = [0, 0, 0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) nuls[at % 4]! += 1;
  const quarter = sample.length / 4;
  if (quarter >= 2 && nuls.filter((count) => count > quarter * 0.9).length >= 3)
    throw new FileError('not_csv', 'the file seems to be UTF-32. Save it as UTF-8');
  if (Math.abs(nuls[0] + nuls[2] - nuls[1] - nuls[3]) > quarter * 1.4)
    throw new FileError('not_csv', 'the file seems to be UTF-16 without a byte order mark. Save it as UTF-8');
}

/** Returns the error of a NUL byte on a line. Text contains no NUL bytes. */
export function nulByte(line: number): FileError {
  return fileErrorAt(line, {
    code: 'nul_byte',
    message: 'a NUL byte. The content is binary, not a CSV file',
  });
}
