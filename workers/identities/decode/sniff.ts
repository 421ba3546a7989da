import { FileError, fileErrorAt } from '../record/errors.js';

/** What the first bytes of a file say that is no CSV. Numbers are bytes; strings are ASCII. */
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
  ['UTF-32 text, which is not read here: save it as UTF-8', [0xff, 0xfe, 0x00, 0x00]],
  ['UTF-32 text, which is not read here: save it as UTF-8', [0x00, 0x00, 0xfe, 0xff]],
];

/** @throws FileError `not_csv`, if the head of the decompressed file is that of something else */
export function refuseOtherFormats(head: Buffer): void {
  const found = NOT_CSV.find(([, start]) => head.indexOf(Buffer.from(start as string)) === 0);
  if (found) throw new FileError('not_csv', `this is ${found[0]}, not a CSV file`);
}

/** Byte order marks, by the encoding that each announces. */
const BOMS: [encoding: 'utf-8' | 'utf-16le' | 'utf-16be', mark: number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

export interface ByteOrderMark {
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be';
  length: number;
}

/** @returns the byte order mark that the file starts with, if any */
export function byteOrderMark(head: Buffer): ByteOrderMark | null {
  const found = BOMS.find(([, mark]) => mark.every((byte, index) => head[index] === byte));
  return found ? { encoding: found[0], length: found[1].length } : null;
}

/** @throws FileError `not_csv`, if every other byte of the first lines is NUL, or three of four */
export function refuseUnmarkedUtf16(head: Buffer): void {
  const sample = head.subarray(0, 256);
  refuseUnmarkedUtf32(sample);
  const nuls = [0, 0];
  sample.forEach((byte, index) => {
    if (byte === 0) nuls[index % 2]!++;
  });
  const half = sample.length / 2;
  if (half < 2 || Math.abs(nuls[0]! - nuls[1]!) <= half * 0.7) return;
  throw new FileError('not_csv', 'this looks like UTF-16 without a byte order mark: save it as UTF-8');
}

function refuseUnmarkedUtf32(sample: Buffer): void {
  const characters = sample.length / 4;
  if (characters < 2) return;
  const nuls = [0, 0, 0, 0];
  sample.forEach((byte, index) => {
    if (byte === 0) nuls[index % 4]!++;
  });
  if (nuls.filter((count) => count > characters * 0.9).length < 3) return;
  throw new FileError('not_csv', 'this looks like UTF-32: save it as UTF-8');
}

/** @returns the fault of a NUL byte on a line, which no text holds */
export function nulByte(line: number): FileError {
  return fileErrorAt(line, {
    code: 'nul_byte',
    message: 'a NUL byte: this is binary content, not a CSV file',
  });
}
