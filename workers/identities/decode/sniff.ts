import { byteOrderMark } from '../../text/byte-order-mark.js';
import { fileFormatOf } from '../../text/file-formats.js';
import { FileError, fileErrorAt } from '../record/errors.js';

/** First characters of text files that are not CSV. */
const NOT_CSV: [what: string, start: string][] = [
  ['an HTML page', '<!DOCTYPE'],
  ['an HTML page', '<!doctype'],
  ['an HTML page', '<html'],
  ['XML', '<?xml'],
  ...['[{', '[ {', '[\n', '[\r', '{"', '{ "', '{\n', '{\r'].map((start): [string, string] => ['JSON', start]),
];

/**
 * Checks that a decompressed file does not start like a file of another format.
 *
 * @throws FileError `not_csv`
 */
export function rejectOtherFormats(head: Buffer): void {
  const what = binaryFormatOf(head) ?? NOT_CSV.find(([, start]) => head.indexOf(start) === 0)?.[0];
  if (what !== undefined) throw new FileError('not_csv', `the file is ${what}, not a CSV file`);
}

function binaryFormatOf(head: Buffer): string | undefined {
  if (byteOrderMark(head)?.encoding.startsWith('utf-32'))
    return 'UTF-32 text, which is not supported (save it as UTF-8)';
  const format = fileFormatOf(head);
  return format?.compression === 'gzip' ? 'a gzip file inside a gzip file' : format?.name;
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
