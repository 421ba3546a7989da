import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import yauzl, { type Entry, RandomAccessReader, type ZipFile } from 'yauzl';
import type { ByteRange } from '../../../db/files/index.js';
import { FileError } from '../record/errors.js';

/** A file of which any part can be read. */
export interface StoredWorkbook {
  /** Returns its size in bytes. */
  size(): Promise<number>;
  read(range: ByteRange): Readable;
}

/** Workbooks have a few dozen parts. */
const MAX_ENTRIES = 10_000;
/**
 * A workbook is about 10 times as large when it is decompressed, one of a single repeated row 60 times. What is larger is made to exhaust its
 * reader, unless it is small anyway.
 */
const MAX_RATIO = 100;
const SMALL_BYTES = 16 * 1024 * 1024;

/** The parts of a workbook, which is a zip file. */
export class ZipEntries {
  readonly #zip: ZipFile;
  readonly #reader: PartReader;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #maxBytes: number;
  #decompressed = 0;

  private constructor(
    zip: ZipFile,
    { reader, entries, maxBytes }: { reader: PartReader; entries: Map<string, Entry>; maxBytes: number },
  ) {
    this.#zip = zip;
    this.#reader = reader;
    this.#entries = entries;
    this.#maxBytes = maxBytes;
  }

  /**
   * Reads the directory of a zip file.
   * @param maxBytes how large all parts that are read may be together, decompressed
   * @throws FileError `workbook_damaged`, `workbook_too_large`; errors of the store pass through
   */
  static async open(file: StoredWorkbook, maxBytes: number): Promise<ZipEntries> {
    const reader = new PartReader(file);
    return reader.guard(async () => {
      const options = { autoClose: false };
      const zip = await yauzl.fromRandomAccessReaderPromise(reader, await file.size(), options);
      const entries = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) {
        if (entries.size === MAX_ENTRIES) throw tooLarge(`it has more than ${MAX_ENTRIES} parts`);
        const name = nameOf(entry.fileName);
        // Which of the two a program opens differs.
        if (entries.has(name)) throw damaged(`it has two parts ${JSON.stringify(entry.fileName)}`);
        entries.set(name, entry);
      }
      return new ZipEntries(zip, { reader, entries, maxBytes });
    });
  }

  has(name: string): boolean {
    return this.#entries.has(nameOf(name));
  }

  /** How far the part that is being read has come in the file, in bytes. */
  get position(): number {
    return this.#reader.position;
  }

  /**
   * Yields the decompressed content of a part, in pieces of at most 64 KiB.
   * @throws FileError `workbook_damaged`, `workbook_too_large`; errors of the store pass through
   */
  async *read(name: string): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(nameOf(name));
    if (!entry) throw damaged(`its part ${JSON.stringify(name)} is missing`);
    if (entry.isEncrypted())
      throw new FileError('workbook_encrypted', 'the workbook is encrypted. Save it without a password');
    this.#requireSmall(entry);
    const content = await this.#reader.guard(() => this.#zip.openReadStreamPromise(entry));
    try {
      const chunks = content[Symbol.asyncIterator]();
      let checksum = 0;
      for (;;) {
        const { done, value } = await this.#reader.guard(() => chunks.next());
        if (done) break;
        // The library does not compare it.
        checksum = crc32(value, checksum);
        yield value;
      }
      if (checksum !== entry.crc32)
        throw damaged(`the checksum of its part ${JSON.stringify(name)} is another one`);
    } finally {
      content.destroy();
    }
  }

  close(): void {
    this.#zip.close();
  }

  /** The library ends a part with an error that has another size than the directory says. */
  #requireSmall({ compressedSize, uncompressedSize }: Entry): void {
    this.#decompressed += uncompressedSize;
    if (this.#decompressed > this.#maxBytes)
      throw tooLarge(`it has more than ${this.#maxBytes} bytes (decompressed)`);
    if (uncompressedSize > SMALL_BYTES && uncompressedSize > MAX_RATIO * compressedSize)
      throw tooLarge(`a part of it is more than ${MAX_RATIO} times as large when it is decompressed`);
  }
}

/** Names of parts are compared without case (ECMA-376-2 §6.2.2.3). */
const nameOf = (name: string): string => name.toLowerCase();

/** Reads ranges of the stored file for the library, and tells errors of the store from damage of the file. */
class PartReader extends RandomAccessReader {
  readonly #file: StoredWorkbook;
  #storeError: unknown;
  position = 0;

  constructor(file: StoredWorkbook) {
    super();
    this.#file = file;
  }

  /** @param end the first byte after the range */
  override _readStreamForRange(start: number, end: number): Readable {
    const content = this.#file.read({ start, end: end - 1 });
    content.on('error', (error) => {
      this.#storeError ??= error;
    });
    this.position = start;
    content.on('data', (chunk: Buffer) => {
      this.position += chunk.length;
    });
    // Flows once its reader asks for it.
    return content.pause();
  }

  /** Runs a step of reading. @throws the error of the store if it has failed, FileError `workbook_damaged` for other errors of the library */
  async guard<Result>(step: () => Promise<Result>): Promise<Result> {
    try {
      return await step();
    } catch (error) {
      if (this.#storeError) throw this.#storeError;
      throw error instanceof FileError || !(error instanceof Error) ? error : damaged(error.message);
    }
  }
}

/** @param reason completes "the workbook is damaged: …" */
export const damaged = (reason: string): FileError =>
  new FileError('workbook_damaged', `the workbook is damaged: ${reason}. Save it again, or save it as CSV`);

/** @param reason completes "the workbook is too large: …" */
export const tooLarge = (reason: string): FileError =>
  new FileError('workbook_too_large', `the workbook is too large: ${reason}. Save it as CSV`);
