import { Readable, type Writable } from 'node:stream';
import createMulter from '@koa/multer';
import type Koa from 'koa';
import type { Options, StorageEngine } from 'multer';
import { RequestError, tooLarge } from '../../http/errors.js';
import { malformedMultipart, unexpectedPart } from './multipart.js';

/**
 * The headers that multer gets in place of those of the file, which are read before. multer knows fewer forms of them, and skips a part
 * whose headers it does not understand.
 */
const HEADERS = 'Content-Disposition: form-data; name="file"; filename="file"\r\n\r\n';

/**
 * Yields the content of the only part of a multipart body, a file, while it arrives.
 * @param body without the headers of the part and everything before them
 * @param limit of the content, in bytes
 * @throws RequestError 413, 400 `malformed_multipart`, or 400 `unexpected_part` if another part follows
 */
export async function* partContent(
  body: AsyncGenerator<Buffer>,
  boundary: string,
  limit: number,
): AsyncGenerator<Buffer> {
  const measured = new MeasuredBody();
  const form = Readable.from(asForm(measured.through(body), boundary), { objectMode: false });
  const parser = new FormParser(form, boundary, limit);
  let bytes = 0;
  try {
    for await (const chunk of await parser.file()) {
      bytes += chunk.length;
      if (bytes > limit) throw tooLarge(limit);
      yield chunk;
    }
    await parser.end();
  } catch (error) {
    throw toRequestError(error, parser.names);
  } finally {
    parser.stop();
  }
  // multer skips what follows the last boundary. It could be a part that is lost.
  if (measured.bytes !== bytes + `\r\n--${boundary}--`.length)
    throw malformedMultipart('text follows its last boundary');
}

async function* asForm(body: AsyncGenerator<Buffer>, boundary: string): AsyncGenerator<Buffer> {
  yield Buffer.from(`--${boundary}\r\n${HEADERS}`, 'latin1');
  yield* body;
}

/** @param names of the parts of the body */
function toRequestError(error: unknown, [, second]: readonly string[]): unknown {
  if (error instanceof RequestError || !(error instanceof Error)) return error;
  if (error.name === 'MulterError')
    return second === undefined ? malformedMultipart(NO_PART) : unexpectedPart(second);
  if (error.message === 'Malformed part header') return malformedMultipart('a part has an invalid header');
  if (error.message.startsWith('Unexpected end of ')) return malformedMultipart('it ends early');
  return error;
}

const NO_PART =
  'after the file, a line starts with the boundary and continues, or a part has no form-data `Content-Disposition`';

const SPACE: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x20]);

/** Measures a body that passes through, without the white space at its end. */
class MeasuredBody {
  #bytes = 0;
  #space = 0;

  async *through(body: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of body) {
      let end = chunk.length;
      while (end > 0 && SPACE.has(chunk[end - 1] ?? 0)) end--;
      this.#space = chunk.length - end + (end === 0 ? this.#space : 0);
      this.#bytes += chunk.length;
      yield chunk;
    }
  }

  get bytes(): number {
    return this.#bytes - this.#space;
  }
}

/** Hands the file of a form over as multer finds it, and stops when multer finds anything else. */
class FormParser {
  /** The names of the parts that were found. */
  readonly names: string[] = [];
  readonly #form: Readable;
  readonly #parsed: Promise<void>;
  readonly #file: Promise<Readable>;
  #stored: () => void = () => {};

  /**
   * @param form a multipart body that begins with a file
   * @param limit of the file, in bytes
   */
  constructor(form: Readable, boundary: string, limit: number) {
    this.#form = form;
    let found: (file: Readable) => void = () => {};
    this.#file = new Promise((resolve) => {
      found = resolve;
    });
    const storage: StorageEngine = {
      _handleFile: (_, { stream }, done) => {
        this.#stored = () => done(null, {});
        found(stream);
      },
      // multer would read the body to its end before it reports what is wrong.
      _removeFile: (_, __, done) => {
        form.destroy();
        done(null);
      },
    };
    // multer reads nothing else of a request.
    const headers = { 'content-type': contentType(boundary), 'transfer-encoding': 'chunked' };
    const ctx = { req: Object.assign(form, { headers }) } as unknown as Koa.Context;
    const multer = createMulter(this.#options(storage, limit));
    this.#parsed = multer.single('file')(ctx as never, async () => {});
    this.#parsed.catch(() => {});
  }

  /** Resolves to the content of the file. Read it to its end before the end of the form. */
  async file(): Promise<Readable> {
    const file = await Promise.race([this.#file, this.#parsed]);
    if (!file) throw new Error('multer found no file');
    return file;
  }

  /** Reads the rest of the form. Rejects if it contains more than the file. */
  async end(): Promise<void> {
    this.#stored();
    await this.#parsed;
  }

  /** Stops reading the form. */
  stop(): void {
    this.#form.destroy();
    this.#stored();
  }

  #options(storage: StorageEngine, limit: number): createMulter.Options {
    const options: Options & { streamHandler: (form: Readable, parser: Writable) => void } = {
      storage,
      defParamCharset: 'utf8',
      limits: {
        fileSize: limit,
        parts: 1,
        // With one more than there may be, the name of the second part is known.
        files: 2,
        fields: 1,
        fieldNameSize: 100,
        fieldSize: 0,
        headerPairs: 20,
        fieldNestingDepth: 0,
        fieldArrayIndexLimit: 0,
      },
      streamHandler: (form, parser) => {
        for (const kind of ['file', 'field']) parser.on(kind, (name = '') => this.names.push(name));
        form.pipe(parser);
      },
    };
    // The two packages of types differ in the type of a request.
    return options as unknown as createMulter.Options;
  }
}

const contentType = (boundary: string): string =>
  `multipart/form-data; boundary="${boundary.replace(/["\\]/g, '\\$&')}"`;
