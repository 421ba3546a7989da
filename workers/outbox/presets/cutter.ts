/** Control characters except tab and line feed, and the marks that make a text appear in another order than it has. */
const UNREADABLE = /(?![\t\n])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Returns a text as people read it: without lone surrogates, control characters and spaces at its ends. */
export const readable = (text: string): string =>
  text.toWellFormed().replace(/\r\n?/g, '\n').replace(UNREADABLE, '').trim();

/** Returns a readable text in one line. */
export const inOneLine = (text: string): string => readable(text).replace(/\s+/g, ' ');

/** Returns how many characters a text takes in JSON. Some receivers count them before they decode it, so this is the safe measure. */
export const jsonLength = (text: string): number => JSON.stringify(text).length - 2;

/** Returns how many bytes a text takes in JSON. */
export const jsonBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;

export const CUT_NOTE = 'cut; the whole text is in Muster';
const ELLIPSIS = '…';

/** Escapes texts for a receiver, cuts them to its limits, and remembers whether it had to. */
export class Cutter {
  #isCut = false;
  readonly #escaped: (text: string) => string;
  readonly #sizeOf: (text: string) => number;

  /** @param escaped makes a text longer or leaves it, and knows nothing of what precedes it */
  constructor(escaped: (text: string) => string, sizeOf = jsonLength) {
    this.#escaped = escaped;
    this.#sizeOf = sizeOf;
  }

  /** What to show if something is missing, otherwise nothing. */
  get note(): string[] {
    return this.#isCut ? [CUT_NOTE] : [];
  }

  sizeOf(text: string): number {
    return this.#sizeOf(text);
  }

  /** Returns a text escaped, and cut between code points if it is longer than `limit` then. */
  fit(text: string, limit: number): string {
    if (text === '') return '';
    const escaped = this.#escaped(text.slice(0, limit + 1));
    if (text.length <= limit && this.#sizeOf(escaped) <= limit) return escaped;
    this.#isCut = true;
    const start = (length: number) =>
      this.#escaped(text.slice(0, length).replace(/[\ud800-\udbff]$/, '')) + ELLIPSIS;
    let [most, tooMany] = [0, limit + 1];
    while (tooMany - most > 1) {
      const length = Math.floor((most + tooMany) / 2);
      if (this.#sizeOf(start(length)) <= limit) most = length;
      else tooMany = length;
    }
    return most === 0 ? '' : start(most);
  }

  /** Returns the first `limit` items. */
  first<Item>(items: readonly Item[], limit: number): Item[] {
    this.#isCut ||= items.length > limit;
    return items.slice(0, limit);
  }
}
