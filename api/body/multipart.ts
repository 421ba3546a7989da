import { badRequest, type RequestError } from '../http/errors.js';
import { headerText, malformedHeader } from './header-value.js';

/** The most bytes that the headers of a part, or white space after a boundary, may take. */
const MAX_HEADER_BYTES = 8 * 1024;
const MAX_NAME_SHOWN = 60;
const CRLF = Buffer.from('\r\n');
const HEADER_END = Buffer.from('\r\n\r\n');
const EMPTY = Buffer.alloc(0);
const HEADER_LINE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):([\t\x20-\x7e\x80-\u{10ffff}]*)$/u;

export const malformedMultipart = (message = 'The body is not valid multipart/form-data.'): RequestError =>
  badRequest('malformed_multipart', message);

/** The first part of a multipart body, whose content is still arriving. */
export interface Part {
  /** By lower-case name. */
  headers: ReadonlyMap<string, string>;
  /** Ends when the body has ended, and throws if it contains another part. */
  content: AsyncGenerator<Buffer>;
}

/**
 * Opens a multipart body (RFC 2046 §5.1) that consists of one part, and reads it while it arrives.
 * @param nameOf returns the name of a part from its headers
 * @returns null if the body has no part
 * @throws RequestError 400 `malformed_multipart`, `malformed_header`
 */
export async function openPart(
  body: AsyncGenerator<Buffer>,
  boundary: string,
  nameOf: (headers: ReadonlyMap<string, string>) => string,
): Promise<Part | null> {
  const reader = new MultipartReader(body, boundary);
  try {
    for await (const _ of reader.upToBoundary());
    if (await reader.isAtEnd()) return null;
    return { headers: await reader.headers(), content: content(reader, nameOf) };
  } catch (error) {
    await body.return(undefined);
    throw error;
  }
}

async function* content(
  reader: MultipartReader,
  nameOf: (headers: ReadonlyMap<string, string>) => string,
): AsyncGenerator<Buffer> {
  try {
    yield* reader.upToBoundary();
    if (!(await reader.isAtEnd())) throw unexpectedPart(nameOf(await reader.headers()));
    await reader.finish();
  } finally {
    await reader.close();
  }
}

/** @param name of a part that must not be there */
export const unexpectedPart = (name: string): RequestError => {
  const what =
    name === 'file' ? 'a second part "file"' : `the part ${JSON.stringify(name.slice(0, MAX_NAME_SHOWN))}`;
  const hint =
    name === '_charset_'
      ? 'Name the encoding in the `Content-Type` of the part'
      : 'Send options in the query';
  return badRequest(
    'unexpected_part',
    `The body must contain one file part named "file" and nothing else. It contains ${what}. ${hint}.`,
  );
};

/** Holds what has arrived and is not read yet: hardly more than one chunk. */
class MultipartReader {
  readonly #source: AsyncGenerator<Buffer>;
  readonly #delimiter: Buffer;
  /** The first boundary needs no line break before it. */
  #held: Buffer = CRLF;

  constructor(source: AsyncGenerator<Buffer>, boundary: string) {
    this.#source = source;
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  }

  /** Yields everything before the next boundary, and reads the boundary. */
  async *upToBoundary(): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.#held.indexOf(this.#delimiter);
      const end = at < 0 ? Math.max(0, this.#held.length - this.#delimiter.length + 1) : at;
      const before = this.#held.subarray(0, end);
      this.#held = this.#held.subarray(at < 0 ? end : end + this.#delimiter.length);
      if (before.length > 0) yield before;
      if (at >= 0) return;
      if (!(await this.#more()))
        throw malformedMultipart('The body is not valid multipart/form-data: it ends early.');
    }
  }

  /** Reads what follows a boundary: two hyphens after the last part, or the end of the line. */
  async isAtEnd(): Promise<boolean> {
    const end = await this.#find(CRLF, (held) => held.length >= 2 && held.toString('latin1', 0, 2) === '--');
    if (end === null) return true;
    const rest = this.#take(end + CRLF.length).toString('latin1', 0, end);
    if (rest.trim() !== '') throw malformedMultipart(this.#lineProblem(rest));
    return false;
  }

  #lineProblem(rest: string): string {
    return rest.startsWith('\n')
      ? 'The body is not valid multipart/form-data: its lines must end with CRLF.'
      : 'The body is not valid multipart/form-data: a line starts with the boundary and continues.';
  }

  /** Reads the headers of a part. */
  async headers(): Promise<ReadonlyMap<string, string>> {
    const end = await this.#find(HEADER_END, (held) => held.indexOf(CRLF) === 0);
    if (end === null)
      throw malformedMultipart('The body is not valid multipart/form-data: a part has no headers.');
    const block = headerText(this.#take(end + HEADER_END.length).subarray(0, end));
    const headers = new Map<string, string>();
    for (const line of block.replace(/\r\n[ \t]+/g, ' ').split('\r\n')) {
      const [, name = '', value = ''] = HEADER_LINE.exec(line) ?? [];
      if (name === '')
        throw malformedMultipart('The body is not valid multipart/form-data: a part has an invalid header.');
      const key = name.toLowerCase();
      if (headers.has(key) && key.startsWith('content-'))
        throw malformedHeader(name, 'the part has it twice');
      headers.set(key, value.trim());
    }
    return headers;
  }

  /** Reads what follows the last part, which is at most white space. Other text could be a part that is lost. */
  async finish(): Promise<void> {
    this.#held = this.#held.subarray(2);
    do {
      if (/\S/.test(this.#held.toString('latin1')))
        throw malformedMultipart(
          'The body is not valid multipart/form-data: text follows its last boundary.',
        );
      this.#held = EMPTY;
    } while (await this.#more());
  }

  async close(): Promise<void> {
    await this.#source.return(undefined);
  }

  /** Returns where `mark` is, or null if `isOther` becomes true before it is found. */
  async #find(mark: Buffer, isOther: (held: Buffer) => boolean): Promise<number | null> {
    for (let from = 0; ; ) {
      if (isOther(this.#held)) return null;
      const at = this.#held.indexOf(mark, from);
      if (at >= 0 && at <= MAX_HEADER_BYTES) return at;
      from = Math.max(0, this.#held.length - mark.length + 1);
      if (from > MAX_HEADER_BYTES)
        throw malformedMultipart('The body is not valid multipart/form-data: a part has too long headers.');
      if (!(await this.#more())) throw malformedMultipart();
    }
  }

  #take(length: number): Buffer {
    const taken = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length);
    return taken;
  }

  async #more(): Promise<boolean> {
    const { value, done } = await this.#source.next();
    if (done) return false;
    this.#held = this.#held.length === 0 ? value : Buffer.concat([this.#held, value]);
    return true;
  }
}
