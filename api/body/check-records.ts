import {
  IdentityJsonReader,
  JSON_MAX_RECORDS,
  type ReadRecord,
  TooManyRecords,
} from '../../workers/identities/record/identity-json.js';
import { JsonArrayError, MAX_ELEMENT_DEPTH } from '../../workers/identities/record/json-array.js';
import { RECORDS, summary } from '../http/error-details.js';
import { badRequest, type ErrorDetail, MAX_ERRORS_SHOWN, RequestError } from '../http/errors.js';
import { brokenOff, placeInJson, whereInJson } from './where-in-json.js';

/** Checks the records of an upload as its body arrives. Never throws: `refusal` says what is wrong. */
export class RecordCheck {
  /** Why the body cannot be taken; set for good at the end, or as soon as nothing after it can be read. */
  refusal: RequestError | null = null;
  readonly #reader: IdentityJsonReader;
  readonly #shape: string;
  /** As many as are shown. */
  readonly #faults: ErrorDetail[] = [];
  #faultCount = 0;

  constructor(action: 'assert' | 'remove', shape: string) {
    this.#reader = new IdentityJsonReader(action);
    this.#shape = shape;
  }

  /** True once the rest of the body no longer matters. */
  get isOver(): boolean {
    return this.refusal !== null;
  }

  take(chunk: Buffer): void {
    this.#guard(() => {
      for (const read of this.#reader.push(chunk)) this.#note(read);
    });
  }

  /** Returns why the body is refused, or null. */
  finish(): RequestError | null {
    if (!this.isOver) this.#guard(() => this.#reader.finish());
    if (!this.isOver && this.#reader.count === 0) this.#note(NO_RECORDS);
    if (!this.isOver && this.#faultCount > 0) this.refusal = invalidRecords(this.#faults, this.#faultCount);
    return this.refusal;
  }

  #note({ index, errors }: { index?: number; errors: ReadRecord['errors'] }): void {
    this.#faultCount += errors.length;
    for (const error of errors) {
      if (this.#faults.length === MAX_ERRORS_SHOWN) return;
      this.#faults.push(index === undefined ? error : { index, ...error });
    }
  }

  #guard(read: () => void): void {
    try {
      read();
    } catch (error) {
      if (error instanceof JsonArrayError) this.refusal = this.#unreadable(error);
      else if (error instanceof TooManyRecords) this.refusal = invalidRecords([TOO_MANY], 1);
      else throw error;
    }
  }

  #unreadable(error: JsonArrayError): RequestError {
    switch (error.problem) {
      case 'empty':
        return badRequest('empty_body', 'The body is empty.');
      case 'not_an_array':
        return badRequest('not_an_array', `The body must be a JSON array of ${this.#shape}.`);
      case 'not_utf8':
        return badRequest('malformed_json', 'The body is not UTF-8.');
      case 'too_deep':
        return badRequest(
          'too_deep',
          `Records can be nested ${MAX_ELEMENT_DEPTH} levels deep; the one at line ${error.line}, column ${error.column} is deeper.`,
        );
      default:
        return badRequest('malformed_json', `The body is not JSON: ${whereBroken(error)}.`);
    }
  }
}

function whereBroken({ problem, text, line, column }: JsonArrayError): string {
  if (text === null) return problem === 'cut_off' ? brokenOff : placeInJson({ line, column });
  try {
    JSON.parse(text);
    return brokenOff;
  } catch (error) {
    return whereInJson(text, error as Error, { line, column });
  }
}

const invalidRecords = (faults: readonly ErrorDetail[], count: number): RequestError =>
  new RequestError(400, 'invalid_records', `${summary(RECORDS, faults, count)} Nothing was written.`, {
    errors: faults,
    errorCount: count,
  });

const NO_RECORDS = { errors: [{ field: null, code: 'too_small', message: 'must not be empty' }] };

const TOO_MANY: ErrorDetail = {
  field: null,
  code: 'too_big',
  message: `must have at most ${JSON_MAX_RECORDS} entries`,
};
