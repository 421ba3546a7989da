import { FileError, type RowError } from '../../../workers/identities/record/errors.js';
import { JSON_MAX_RECORDS } from '../../../workers/identities/record/identity-json.js';
import { JsonArraySplitter } from '../../../workers/identities/record/json-array.js';
import { JsonArrayError } from '../../../workers/identities/record/json-array-error.js';
import { MAX_ELEMENT_DEPTH, parseElement } from '../../../workers/identities/record/json-element.js';
import { RECORDS, summary } from '../../http/error-details.js';
import { badRequest, type ErrorDetail, MAX_ERRORS_SHOWN, RequestError } from '../../http/errors.js';
import {
  describeForeignBytes,
  describeJsonError,
  ENDS_EARLY,
  notUtf8,
  syntaxErrorAt,
} from './describe-json-error.js';

/** Enough first bytes of a body to see what it is. */
const HEAD_BYTES = 16;

/** Reads the elements of a JSON array while its bytes arrive, and checks them. */
interface ElementReader {
  /** The number of elements read so far. */
  readonly count: number;
  /** @throws FileError if the rest cannot be read */
  push(chunk: Buffer): Iterable<{ index: number; errors: RowError[] }>;
  /** @throws FileError if the array is incomplete */
  finish(): void;
}

/** Checks that elements are JSON, and leaves what they contain to the worker. */
export class JsonReader implements ElementReader {
  readonly #splitter = new JsonArraySplitter();
  count = 0;

  push(chunk: Buffer): [] {
    for (const element of this.#splitter.push(chunk)) {
      this.count += 1;
      if (element.text !== null) parseElement(element.text, element);
    }
    return [];
  }

  finish(): void {
    this.#splitter.finish();
  }
}

/** How an upload of records is checked. */
export interface RecordRules {
  reader: ElementReader;
  /** The shape of a record, for the message about a body that is not an array. */
  shape: string;
}

/** Checks the records of an upload as its body arrives. Never throws: `error` says what is wrong. */
export class RecordCheck {
  /** Why the body is rejected. It is set at the end, or as soon as the rest of the body cannot be read. */
  error: RequestError | null = null;
  readonly #reader: ElementReader;
  readonly #shape: string;
  /** The first errors, as many as a response lists. */
  readonly #errors: ErrorDetail[] = [];
  #errorCount = 0;
  #head: Buffer = Buffer.alloc(0);

  constructor({ reader, shape }: RecordRules) {
    this.#reader = reader;
    this.#shape = shape;
  }

  /** True once the rest of the body no longer matters. */
  get isOver(): boolean {
    return this.error !== null;
  }

  take(chunk: Buffer): void {
    if (this.#head.length < HEAD_BYTES)
      this.#head = Buffer.concat([this.#head, chunk.subarray(0, HEAD_BYTES)]);
    this.#guard(() => {
      for (const read of this.#reader.push(chunk)) this.#note(read);
    });
  }

  /** Returns why the body is rejected, or null. */
  finish(): RequestError | null {
    if (!this.isOver) this.#guard(() => this.#reader.finish());
    if (!this.isOver && this.#reader.count === 0) this.#note(NO_RECORDS);
    if (!this.isOver && this.#errorCount > 0) this.error = invalidRecords(this.#errors, this.#errorCount);
    return this.error;
  }

  #note({ index, errors }: { index?: number; errors: RowError[] }): void {
    this.#errorCount += errors.length;
    for (const error of errors) {
      if (this.#errors.length === MAX_ERRORS_SHOWN) return;
      this.#errors.push(index === undefined ? error : { index, ...error });
    }
  }

  #guard(read: () => void): void {
    try {
      read();
    } catch (error) {
      if (error instanceof JsonArrayError) this.error = this.#unreadable(error);
      else if (error instanceof FileError) this.error = invalidRecords([TOO_MANY], 1);
      else throw error;
    }
  }

  #unreadable(error: JsonArrayError): RequestError {
    return badRequest(error.code, describeForeignBytes(this.#head) ?? this.#messageOf(error));
  }

  #messageOf(error: JsonArrayError): string {
    const { line, column } = error;
    switch (error.problem) {
      case 'empty':
        return 'The body is empty.';
      case 'not_an_array':
        return `The body must be a JSON array of ${this.#shape}.`;
      case 'not_utf8':
        return notUtf8(`The value at line ${line}, column ${column}`);
      case 'too_deep':
        return `The record at line ${line}, column ${column} is nested deeper than ${MAX_ELEMENT_DEPTH} levels.`;
      default:
        return describeSyntaxError(error);
    }
  }
}

function describeSyntaxError({ problem, text, textStart }: JsonArrayError): string {
  if (text === null) return problem === 'cut_off' ? ENDS_EARLY : syntaxErrorAt(textStart);
  return describeJsonError(text, textStart);
}

const invalidRecords = (errors: readonly ErrorDetail[], count: number): RequestError =>
  new RequestError(400, 'invalid_records', `${summary(RECORDS, errors, count)} Nothing was written.`, {
    errors,
    errorCount: count,
  });

const NO_RECORDS = { errors: [{ field: null, code: 'too_small', message: 'must not be empty' }] };

const TOO_MANY: ErrorDetail = {
  field: null,
  code: 'too_big',
  message: `must have at most ${JSON_MAX_RECORDS} entries`,
};
