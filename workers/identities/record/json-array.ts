import { isUtf8 } from 'node:buffer';
import { FileError } from './errors.js';

/** One element of a JSON array, cut out but not parsed. */
export interface JsonElement {
  /** Position in the array, from 0. */
  index: number;
  /** The element as it was sent; null if it exceeds {@link MAX_ELEMENT_BYTES} or {@link MAX_ELEMENT_VALUES}. */
  text: string | null;
  /** Where the element starts in the document, both from 1; columns are UTF-16 units. */
  line: number;
  column: number;
}

export type JsonArrayProblem = 'cut_off' | 'empty' | 'malformed' | 'not_an_array' | 'not_utf8' | 'too_deep';

const CODES: Record<JsonArrayProblem, string> = {
  cut_off: 'malformed_json',
  empty: 'empty_body',
  malformed: 'malformed_json',
  not_an_array: 'not_an_array',
  not_utf8: 'malformed_json',
  too_deep: 'too_deep',
};

/** The document is not a JSON array that can be read. */
export class JsonArrayError extends FileError {
  readonly problem: JsonArrayProblem;
  readonly line: number;
  readonly column: number;
  /**
   * A text that `JSON.parse` rejects, whose first character is at `line` and `column`; null if that place itself is
   * invalid.
   */
  readonly text: string | null;

  constructor(problem: JsonArrayProblem, { line, column }: Place, text: string | null = null) {
    super(CODES[problem], `not a JSON array: ${problem} at line ${line}, column ${column}`);
    this.problem = problem;
    this.line = line;
    this.column = column;
    this.text = text;
  }
}

type Place = Pick<JsonElement, 'line' | 'column'>;

/** Levels of nesting inside an element. `JSON.parse` needs memory for each level, so deeper elements are never parsed. */
export const MAX_ELEMENT_DEPTH = 64;
/** Bytes of one element. A larger one is skipped without being held in memory. */
export const MAX_ELEMENT_BYTES = 64 * 1024;
/** Values inside one element. An element with more is skipped too: 64 KiB of `[],[],…` cost as much as 100 records. */
export const MAX_ELEMENT_VALUES = 1_000;

const [QUOTE, BACKSLASH, COMMA, NEWLINE] = [0x22, 0x5c, 0x2c, 0x0a];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

const isSpace = (byte: number): boolean =>
  byte === 0x20 || byte === NEWLINE || byte === 0x0d || byte === 0x09;

type Expected = 'array' | 'first' | 'value' | 'separator' | 'end';

/**
 * Cuts a JSON array into its elements while its bytes arrive, so that neither the document nor its parsed value is
 * ever in memory as a whole: 8 MiB of `[[[[…` or `[],[],…` took `JSON.parse` 1.8 s and 284 MiB.
 *
 * It looks only at brackets, quotes and commas. Whether an element is valid JSON is decided by `JSON.parse`.
 */
export class JsonArraySplitter {
  #expected: Expected = 'array';
  #place: Place = { line: 1, column: 1 };
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
        if (!this.#between(chunk[at] as number)) at++;
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
  #between(byte: number): boolean {
    if (this.#expected === 'array' && byte === BYTE_ORDER_MARK[this.#markBytes]) {
      this.#markBytes++;
      return false;
    }
    if (!isSpace(byte)) {
      if (this.#startsElement(byte)) return true;
      this.#expected = this.#after(byte);
    }
    const { line, column } = this.#place;
    // Changed in place, because a body may be 8 MiB of spaces.
    this.#place.line = byte === NEWLINE ? line + 1 : line;
    this.#place.column = byte === NEWLINE ? 1 : column + 1;
    return false;
  }

  #startsElement(byte: number): boolean {
    const expected = this.#expected;
    const isDocument = expected === 'array' && byte !== OPEN_ARRAY;
    const isElement = expected === 'value' || (expected === 'first' && byte !== CLOSE_ARRAY);
    if (!isDocument && !isElement) return false;
    if (!isDocument && (byte === COMMA || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT)) throw this.#wrong();
    this.#element = new OpenElement({ ...this.#place }, isDocument);
    return true;
  }

  #after(byte: number): Expected {
    if (this.#expected === 'array') return 'first';
    if (byte === CLOSE_ARRAY && this.#expected !== 'end') return 'end';
    if (byte === COMMA && this.#expected === 'separator') return 'value';
    throw this.#wrong();
  }

  #endElement(element: OpenElement): JsonElement {
    const text = element.text();
    const { line, column } = this.#place;
    this.#element = null;
    this.#expected = 'separator';
    this.#place = element.placeAfter(text);
    return { index: this.#index++, text, line, column };
  }

  #wrong(): JsonArrayError {
    return new JsonArrayError('malformed', this.#place);
  }
}

/** An element whose end has not been read yet. */
class OpenElement {
  ended = false;
  readonly #place: Place;
  /** Whether the document is not an array. Then everything up to its end belongs to it. */
  readonly #isDocument: boolean;
  #parts: Buffer[] = [];
  #bytes = 0;
  /** Where the discarded bytes end. */
  #skippedTo: Place | null = null;
  #isTooLarge = false;
  #commas = 0;
  #depth = 0;
  #inString = false;
  #isEscaped = false;

  constructor(place: Place, isDocument: boolean) {
    this.#place = place;
    this.#isDocument = isDocument;
  }

  /** Takes the bytes of the element, starting at `from`. Returns the index after them. */
  take(chunk: Buffer, from: number): number {
    const end = this.#isDocument ? chunk.length : this.#scan(chunk, from);
    const part = chunk.subarray(from, end);
    this.#bytes += part.length;
    this.#parts.push(part);
    this.#isTooLarge ||= this.#bytes > MAX_ELEMENT_BYTES || this.#commas >= MAX_ELEMENT_VALUES;
    if (this.#isTooLarge) this.#skip();
    return end;
  }

  text(): string | null {
    if (this.#isTooLarge) return null;
    const bytes = this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts);
    if (!isUtf8(bytes)) throw new JsonArrayError('not_utf8', this.#place);
    return bytes.toString('utf8');
  }

  placeAfter(text: string | null): Place {
    return text === null ? (this.#skippedTo ?? this.#place) : advanced(this.#place, text);
  }

  /** Returns the error of a document that ends inside this element. */
  unfinished(): JsonArrayError {
    const text = this.text();
    if (!this.#isDocument) return new JsonArrayError('cut_off', before(this.#place), text && `[${text}`);
    return new JsonArrayError(
      text === null || isJson(text) ? 'not_an_array' : 'malformed',
      this.#place,
      text,
    );
  }

  /** The hot loop: 8 MiB take 30 ms. In UTF-8 no other character contains one of these bytes. */
  #scan(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (this.#inString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) {
          this.#inString = false;
          if (this.#depth === 0) return this.#end(at + 1);
        }
      } else if (byte === QUOTE) this.#inString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        if (++this.#depth > MAX_ELEMENT_DEPTH) throw new JsonArrayError('too_deep', this.#place);
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        if (this.#depth === 0) return this.#end(at);
        if (--this.#depth === 0) return this.#end(at + 1);
      } else if (this.#depth === 0) {
        if (byte === COMMA || isSpace(byte)) return this.#end(at);
      } else if (byte === COMMA) this.#commas++;
    }
    return chunk.length;
  }

  #end(at: number): number {
    this.ended = true;
    return at;
  }

  /** Discards the bytes. Their columns are counted in bytes, which affects only the place of a later error. */
  #skip(): void {
    for (const part of this.#parts) {
      this.#skippedTo = advanced(this.#skippedTo ?? this.#place, part.toString('latin1'));
    }
    this.#parts = [];
  }
}

function advanced({ line, column }: Place, text: string): Place {
  const last = text.lastIndexOf('\n');
  if (last < 0) return { line, column: column + text.length };
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return { line: line + lines, column: text.length - last };
}

/** Returns the place of the bracket that is put before an element. */
const before = ({ line, column }: Place): Place => ({ line, column: column - 1 });

/**
 * Parses the text of an element.
 *
 * @throws JsonArrayError if it is not valid JSON
 */
export function parseElement(text: string, place: Place): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // On its own the element might look cut off. In an array it is not.
    throw new JsonArrayError('malformed', before(place), `[${text}]`);
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
