import type { Readable, Writable } from 'node:stream';
import createMulter from '@koa/multer';
import type Koa from 'koa';
import type { Options, StorageEngine } from 'multer';

/** Hands the file of a form over as multer finds it, and stops when multer finds anything else. */
export class FormParser {
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
