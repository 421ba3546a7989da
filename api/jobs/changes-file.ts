import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip, gzipSync } from 'node:zlib';
import type { Database } from '../../db/client/connect.js';
import type { ByteRange, StoredFile } from '../../db/files/index.js';
import {
  type ChangesKind,
  listParts,
  readPart,
  type StoredPart,
} from '../../db/identities/import-changes.js';
import type { Job } from '../../db/jobs/jobs.js';
import { changesHeader, escapeLines } from '../../workers/identities/changes/change-rows.js';
import { formatOf } from '../../workers/queues/contracts/contract.js';
import type { FileSource } from './send-file.js';

const decompress = promisify(gunzip);

export const CHANGES_FORMATS = ['csv', 'csv.gz'] as const;

export interface ChangesForm {
  format: (typeof CHANGES_FORMATS)[number];
  escapeFormulas: boolean;
}

/**
 * The changes of a job as a file: a header, then the parts that the job's chunks have stored. The sizes of all parts are
 * known, so a range is read from the part that contains it, and a download holds one part in memory.
 */
export class ChangesFile implements FileSource {
  readonly #database: Database;
  readonly #job: Job;
  readonly #kind: ChangesKind;
  readonly #form: ChangesForm;
  #parts: Promise<StoredPart[]> | null = null;

  constructor(database: Database, job: Job, kind: ChangesKind, form: ChangesForm) {
    this.#database = database;
    this.#job = job;
    this.#kind = kind;
    this.#form = form;
  }

  /** A retried job may change more, so the key names the attempt. */
  get key(): string {
    const { format, escapeFormulas } = this.#form;
    return `${this.#job.id}.${this.#job.attempts}.${this.#kind}${escapeFormulas ? '.escaped' : ''}.${format}`;
  }

  async stat(): Promise<StoredFile> {
    let bytes = this.#header().length;
    for (const part of await this.#listed()) bytes += this.#sizeOf(part);
    return { bytes, modifiedAt: this.#job.finishedAt ?? new Date() };
  }

  read(_key: string, range: ByteRange = { start: 0, end: Number.POSITIVE_INFINITY }): Readable {
    return Readable.from(this.#read(range), { objectMode: false });
  }

  async *#read({ start, end }: ByteRange): AsyncGenerator<Buffer> {
    const header = this.#header();
    let at = header.length;
    if (start < at) yield header.subarray(start, end + 1);
    for (const part of await this.#listed()) {
      const from = at;
      at += this.#sizeOf(part);
      if (at <= start) continue;
      if (from > end) return;
      yield (await this.#content(part)).subarray(Math.max(0, start - from), end - from + 1);
    }
  }

  #listed(): Promise<StoredPart[]> {
    this.#parts ??= listParts(this.#database, this.#job.id, this.#kind);
    return this.#parts;
  }

  /** The header is stored in its gzip member uncompressed, so it has the same size in every version of zlib. */
  #header(): Buffer {
    const { format, escapeFormulas } = this.#form;
    const isJson = formatOf(this.#job) === 'json';
    const header = Buffer.from(changesHeader(this.#kind, isJson ? 'index' : 'line', escapeFormulas));
    return format === 'csv' ? header : gzipSync(header, { level: 0 });
  }

  #sizeOf({ gzipBytes, textBytes, escapes }: StoredPart): number {
    if (this.#form.format === 'csv.gz') return gzipBytes;
    return this.#form.escapeFormulas ? textBytes + escapes : textBytes;
  }

  async #content(part: StoredPart): Promise<Buffer> {
    const content = await readPart(this.#database, this.#job.id, this.#kind, part);
    if (!content) throw new Error('the changes expired during a download');
    if (this.#form.format === 'csv.gz') return content;
    const text = await decompress(content);
    return this.#form.escapeFormulas ? Buffer.from(escapeLines(text.toString())) : text;
  }
}
