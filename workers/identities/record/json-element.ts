import { isUtf8 } from 'node:buffer';
import { CLOSE_ARRAY, CLOSE_OBJECT, COMMA, isSpace } from '../../json/marks.js';
import { JsonNesting } from '../../json/nesting.js';
import { advanced, before, JsonArrayError, type TextPlace } from './json-array-error.js';

/** Levels of nesting inside an element. `JSON.parse` needs memory for each level, so deeper elements are never parsed. */
export const MAX_ELEMENT_DEPTH = 64;
/** Bytes of one element. A larger one is skipped without being held in memory. */
export const MAX_ELEMENT_BYTES = 64 * 1024;
/** Values inside one element. An element with more is skipped too: 64 KiB of `[],[],…` cost as much as 100 records. */
export const MAX_ELEMENT_VALUES = 1_000;

/** An element of a JSON array whose end has not been read yet. */
export class OpenElement {
  ended = false;
  readonly #place: TextPlace;
  readonly #nesting = new JsonNesting();
  /** Whether the document is not an array. Then everything up to its end belongs to it. */
  readonly #isDocument: boolean;
  #parts: Buffer[] = [];
  #bytes = 0;
  /** Where the discarded bytes end. */
  #skippedTo: TextPlace | null = null;
  #isTooLarge = false;
  #commas = 0;

  constructor(place: TextPlace, isDocument: boolean) {
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
    const first = this.#parts[0];
    const bytes = first && this.#parts.length === 1 ? first : Buffer.concat(this.#parts);
    if (!isUtf8(bytes)) throw new JsonArrayError('not_utf8', this.#place);
    return bytes.toString('utf8');
  }

  placeAfter(text: string | null): TextPlace {
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

  /** Returns the index of the element's end in the chunk, or the chunk's length. This is the hot loop. */
  #scan(chunk: Buffer, from: number): number {
    const nesting = this.#nesting;
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (nesting.inString) {
        nesting.take(byte);
        if (nesting.depth === 0 && !nesting.inString) return this.#end(at + 1);
      } else if (nesting.depth === 0) {
        if (endsScalar(byte)) return this.#end(at);
        nesting.take(byte);
      } else {
        if (byte === COMMA) this.#commas++;
        nesting.take(byte);
        if (nesting.depth === 0) return this.#end(at + 1);
        if (nesting.depth > MAX_ELEMENT_DEPTH) throw new JsonArrayError('too_deep', this.#place);
      }
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

const endsScalar = (byte: number): boolean =>
  byte === COMMA || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT || isSpace(byte);

/**
 * Parses the text of an element.
 *
 * @throws JsonArrayError if it is not valid JSON
 */
export function parseElement(text: string, place: TextPlace): unknown {
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
