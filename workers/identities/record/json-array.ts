import { CLOSE_ARRAY, CLOSE_OBJECT, COMMA, isSpace, NEWLINE, OPEN_ARRAY } from '../../json/marks.js';
import { JsonArrayError, type TextPlace } from './json-array-error.js';
import { OpenElement } from './json-element.js';

/** One element of a JSON array, cut out but not parsed. */
export interface JsonElement extends TextPlace {
  /** Position in the array, from 0. */
  index: number;
  /** The element as it was sent; null if it exceeds `MAX_ELEMENT_BYTES` or `MAX_ELEMENT_VALUES`. */
  text: string | null;
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** A document that is valid up to where something else is expected. With what follows, it shows why that is invalid. */
const BEFORE: Readonly<Record<Expected, string>> = {
  array: '',
  first: '[',
  value: '[{},',
  separator: '[{}',
  end: '[{}]',
};
/** How much of what follows an error shows. */
const MAX_REST = 100;

type Expected = 'array' | 'first' | 'value' | 'separator' | 'end';

/**
 * Cuts a JSON array into its elements while its bytes arrive, so that neither the document nor its parsed value is
 * ever in memory as a whole: 8 MiB of `[[[[…` or `[],[],…` took `JSON.parse` 1.8 s and 284 MiB.
 *
 * It looks only at brackets, quotes and commas. Whether an element is valid JSON is decided by `JSON.parse`.
 */
export class JsonArraySplitter {
  #expected: Expected = 'array';
  #place: TextPlace = { line: 1, column: 1 };
  #index = 0;
  #markBytes = 0;
  /** The element that is being read, if there is one. */
  #element: OpenElement | null = null;

  /**
   * Yields the elements that end in this chunk.
   * @throws JsonArrayError at the first invalid byte; nothing more may be pushed then
   */
  *push(chunk: Buffer): Generator<JsonElement> {
    for (let at = 0; at < chunk.length; ) {
      if (!this.#element) {
        if (!this.#between(chunk, at)) at++;
        continue;
      }
      at = this.#element.take(chunk, at);
      if (this.#element.ended) yield this.#endElement(this.#element);
    }
  }

  /** @throws JsonArrayError if the array is incomplete or missing */
  finish(): void {
    if (this.#element) throw this.#element.unfinished();
    if (this.#expected === 'array') throw new JsonArrayError('empty', this.#place);
    if (this.#expected !== 'end') throw new JsonArrayError('cut_off', this.#place);
  }

  /** Reads a byte outside of elements. Returns whether an element starts with it. */
  #between(chunk: Buffer, at: number): boolean {
    const byte = chunk[at] as number;
    if (this.#expected === 'array' && byte === BYTE_ORDER_MARK[this.#markBytes]) {
      this.#markBytes++;
      return false;
    }
    if (!isSpace(byte)) {
      if (this.#isInvalid(byte)) throw this.#wrong(chunk.toString('utf8', at, at + MAX_REST));
      if (this.#startsElement(byte)) return true;
      this.#expected = this.#after(byte);
    }
    const { line, column } = this.#place;
    // Changed in place, because a body may be 8 MiB of spaces.
    this.#place.line = byte === NEWLINE ? line + 1 : line;
    this.#place.column = byte === NEWLINE ? 1 : column + 1;
    return false;
  }

  #isInvalid(byte: number): boolean {
    switch (this.#expected) {
      case 'first':
        return byte === COMMA || byte === CLOSE_OBJECT;
      case 'value':
        return byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY;
      case 'separator':
        return byte !== COMMA && byte !== CLOSE_ARRAY;
      default:
        return this.#expected === 'end';
    }
  }

  #startsElement(byte: number): boolean {
    const expected = this.#expected;
    const isDocument = expected === 'array' && byte !== OPEN_ARRAY;
    const isElement = expected === 'value' || (expected === 'first' && byte !== CLOSE_ARRAY);
    if (!isDocument && !isElement) return false;
    this.#element = new OpenElement({ ...this.#place }, isDocument);
    return true;
  }

  #after(byte: number): Expected {
    if (this.#expected === 'array') return 'first';
    return byte === CLOSE_ARRAY ? 'end' : 'value';
  }

  #endElement(element: OpenElement): JsonElement {
    const text = element.text();
    const { line, column } = this.#place;
    this.#element = null;
    this.#expected = 'separator';
    this.#place = element.placeAfter(text);
    return { index: this.#index++, text, line, column };
  }

  /** @param rest how the document continues */
  #wrong(rest: string): JsonArrayError {
    const text = BEFORE[this.#expected];
    const { line, column } = this.#place;
    return new JsonArrayError('malformed', this.#place, text + rest, { line, column: column - text.length });
  }
}
