/** A file format that is not text. */
export interface FileFormat {
  /** With its article, to complete "the file is …". */
  name: string;
  /** The name of the compression, if it is nothing else. */
  compression?: string;
}

const compressed = (compression: string, article = 'a'): FileFormat => ({
  name: `${article} ${compression} file`,
  compression,
});
const image = (kind: string): FileFormat => ({ name: `a ${kind} image` });

const ZIP_START = 'PK\x03\x04';

/** First bytes of formats that are not text. Numbers are bytes; strings are ASCII. */
const FORMATS: readonly [FileFormat, start: string | readonly number[]][] = [
  [{ name: 'an Excel workbook (.xlsx) or another zip file' }, ZIP_START],
  [{ name: 'an empty zip file' }, 'PK\x05\x06'],
  [{ name: 'an old Excel workbook (.xls), or one with a password' }, [0xd0, 0xcf, 0x11, 0xe0]],
  [{ name: 'a PDF document' }, '%PDF-'],
  [compressed('gzip'), [0x1f, 0x8b]],
  [compressed('bzip2'), 'BZh91AY&SY'],
  [compressed('xz', 'an'), [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  [compressed('zstd'), [0x28, 0xb5, 0x2f, 0xfd]],
  [compressed('lz4', 'an'), [0x04, 0x22, 0x4d, 0x18]],
  [compressed('Unix compress'), [0x1f, 0x9d]],
  [compressed('Snappy'), [0xff, 0x06, 0x00, 0x00, 0x73, 0x4e, 0x61, 0x50]],
  [{ name: 'a 7-Zip file' }, [0x37, 0x7a, 0xbc, 0xaf]],
  [{ name: 'a RAR file' }, 'Rar!\x1a'],
  [image('PNG'), [0x89, 0x50, 0x4e, 0x47]],
  [image('JPEG'), [0xff, 0xd8, 0xff]],
  [image('GIF'), 'GIF87a'],
  [image('GIF'), 'GIF89a'],
  [image('TIFF'), 'II*\0'],
  [image('TIFF'), 'MM\0*'],
  [{ name: 'a SQLite database' }, 'SQLite format 3'],
  [{ name: 'an Avro file' }, 'Obj\x01'],
  [{ name: 'a Parquet file' }, 'PAR1\x15'],
  [{ name: 'a serialized Java object' }, [0xac, 0xed, 0x00, 0x05]],
];
const STARTS = FORMATS.map(([format, start]) => ({
  format,
  start: typeof start === 'string' ? Buffer.from(start, 'latin1') : Buffer.from(start),
}));

/** Returns whether a file that starts with these bytes is a zip file, as workbooks are. */
export const isZip = (head: Buffer): boolean => head.toString('latin1', 0, ZIP_START.length) === ZIP_START;

/** Returns the format of a file that starts with these bytes, or null if it may be text. */
export const fileFormatOf = (head: Buffer): FileFormat | null =>
  STARTS.find(({ start }) => start.equals(head.subarray(0, start.length)))?.format ?? null;
