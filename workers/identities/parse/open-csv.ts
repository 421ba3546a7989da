import { pacer } from '../../run/pace.js';
import type { Decoder } from '../decode/byte-text.js';
import { openDecoder } from '../decode/decode.js';
import { utf8Decoder } from '../decode/decode-utf8.js';
import { nulByte, rejectOtherFormats } from '../decode/sniff.js';
import { splitHead } from '../decode/source.js';
import type { Header } from '../header/header.js';
import type { HeaderRecord } from '../header/header-below.js';
import { readPreamble } from '../header/preamble.js';
import { countLineBreaks } from '../header/quotes.js';
import { FileError } from '../record/errors.js';
import type { Notes } from '../record/row-notes.js';

/** Enough for a header record of several thousand columns, and for detecting what a file is. */
const HEAD_BYTES = 64 * 1024;

/**
 * Decoded, parsed and checked without a break: 160 rows or 0.2 ms as a rule, 8 ms if every byte is invalid. Larger
 * pieces are no faster; measured 1.38 µs per row with 4 and with 16 KiB, 1.35 with 32.
 */
const PIECE_BYTES = 8 * 1024;

/** Rows of a file, valid and rejected; and its blank lines and empty rows, and how many of them were empty rows. */
export interface RowCounts {
  rows: number;
  skipped: number;
  /** Rows whose cells are all empty. Spreadsheets write such rows after the last used one. */
  emptyRows: number;
}

/** Where the reading of a CSV file can resume without the bytes before it: at the start of a record. The counts are those of what is before it. */
export interface ReadPoint extends RowCounts {
  /** Bytes of the file before it. */
  offset: number;
  /** Its physical line, from 1. */
  line: number;
  /** What was noted about the rows before it. */
  notes?: Notes;
  header: Header;
}

/** What follows the header of a file. */
interface Body {
  /** UTF-8 with marks (see `byte-text.ts`), in small pieces. */
  body: AsyncIterable<Buffer>;
  /** The physical line, from 1, of its first byte. */
  bodyLine: number;
  /** Bytes of the file before the body. If the body is verbatim, an offset in it plus this is an offset in the file. */
  bodyOffset: number;
  decoder: Pick<Decoder, 'isVerbatim'>;
}

/** A file whose text is decoded up to its header. */
export interface OpenText extends Body {
  record: HeaderRecord;
  /** The character encoding of the file. */
  encoding: string;
}

/** A file whose header has been read. */
export interface OpenCsv extends Body {
  header: Header;
}

/**
 * Opens a file as text and finds its header record.
 *
 * @param bytes the decompressed file
 * @param charset as declared, if it was
 * @throws FileError if this is not a CSV file
 */
export async function openText(bytes: AsyncIterable<Buffer>, charset: string | undefined): Promise<OpenText> {
  const { head, whole, rest } = await splitHead(bytes, HEAD_BYTES);
  rejectOtherFormats(head);
  const { decoder, encoding, skip } = openDecoder(head, charset);
  const text = await decodeHead(decoder, head.subarray(skip), whole);
  // Again, because these bytes come after a byte order mark or were UTF-16.
  rejectOtherFormats(text);
  const nul = text.indexOf(0);
  if (nul !== -1) throw nulByte(1 + countLineBreaks(text, 0, nul));
  const { bodyStart, bodyLine, ...found } = readPreamble(text, whole);
  // Read as UTF-8 only because no charset is known.
  const record = { ...found, isAssumedUtf8: charset === undefined && skip === 0, encoding };
  const body = decodeBody(decoder, text.subarray(bodyStart), whole ? null : rest);
  return { record, encoding, body, bodyLine, bodyOffset: skip + bodyStart, decoder };
}

/**
 * Opens a sheet of a workbook, see `Workbook`, and finds its header record.
 *
 * @throws FileError as {@link openText}, and `charset_conflict` if a charset is declared
 */
export async function openSheet(
  bytes: AsyncIterable<Buffer>,
  charset: string | undefined,
): Promise<OpenText> {
  if (charset !== undefined)
    throw new FileError(
      'charset_conflict',
      `a workbook has no charset, but the request declares charset=${charset}`,
    );
  const text = await openText(bytes, 'utf-8');
  return { ...text, record: { ...text.record, delimiter: ',' } };
}

/**
 * Resumes a file at a point before which everything was verbatim, so it is UTF-8.
 *
 * @param bytes the file from there on
 */
export function reopenCsv(bytes: AsyncIterable<Buffer>, { header, line, offset }: ReadPoint): OpenCsv {
  const decoder = utf8Decoder(offset);
  const body = decodeBody(decoder, Buffer.alloc(0), bytes);
  return { header, bodyLine: line, body, bodyOffset: offset, decoder };
}

async function decodeHead(decoder: Decoder, head: Buffer, whole: boolean): Promise<Buffer> {
  const pause = pacer();
  const parts: Buffer[] = [];
  for (const piece of piecesOf(head)) {
    parts.push(decoder.write(piece));
    await pause();
  }
  if (whole) parts.push(decoder.end());
  return Buffer.concat(parts);
}

async function* decodeBody(
  decoder: Decoder,
  first: Buffer,
  rest: AsyncIterable<Buffer> | null,
): AsyncGenerator<Buffer> {
  yield* piecesOf(first);
  if (rest === null) return;
  for await (const chunk of rest) {
    for (const piece of piecesOf(chunk)) yield decoder.write(piece);
  }
  yield decoder.end();
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}
