import { lookAlikeOf } from './look-alike.js';
import { isEncoded, isSuspicious } from './suspicious-value.js';

const MESSAGES = {
  padding_removed: 'padding that loses nothing was removed',
  suspicious_values:
    'values that look missing, converted or not decoded are accepted as they are. Check them',
  missing_values: 'what stands for a missing value is read as none. Check it',
  lookalike_values: 'values look like others without being them. Check their characters',
};
type NoteCode = keyof typeof MESSAGES;

/** How many values were noted, and the first of them as a message shows them. */
export type Notes = { [Code in NoteCode]?: { count: number; first: string[] } };

const MAX_FIRST = 5;
/** A character beyond ASCII, a quote, a sign of an encoding, or the mark of a text at the start. */
const UNUSUAL = /[^\0-\x7f]|["=%&?<\\]|^['`]/;

/** What is remarkable in rows that are valid. */
export class RowNotes {
  readonly #notes: Notes;
  readonly #place: 'line' | 'index';

  /** @param before the notes of the rows before, which are not changed */
  constructor(place: 'line' | 'index', before: Notes = {}) {
    this.#place = place;
    this.#notes = structuredClone(before);
  }

  /** @param what completes "line 3, " */
  add(code: NoteCode, place: number, what: string): void {
    this.#notes[code] ??= { count: 0, first: [] };
    const note = this.#notes[code];
    note.count += 1;
    if (note.first.length < MAX_FIRST) note.first.push(`${this.#place} ${place}, ${what}`);
  }

  /**
   * Notes what the values of a valid record look like. An import calls it for each row.
   *
   * @param isPlain whether they are known to be without what is unusual
   */
  addRecord(place: number, { email, identity }: { email: string; identity: string }, isPlain = false): void {
    if (isSuspicious(identity)) this.#addValue('suspicious_values', place, 'identity', identity);
    if (isPlain || (!UNUSUAL.test(email) && !UNUSUAL.test(identity))) return;
    for (const [field, value] of Object.entries({ email, identity })) {
      const like = lookAlikeOf(value);
      if (isEncoded(value)) this.#addValue('suspicious_values', place, field, value);
      else if (like !== null)
        this.#addValue('lookalike_values', place, field, value, ` looks like ${JSON.stringify(like)}`);
    }
  }

  #addValue(code: NoteCode, place: number, field: string, value: string, what = ''): void {
    this.add(code, place, `${field} ${JSON.stringify(value)}${what}`);
  }

  /** Returns a copy, from which a later reading can continue. */
  state(): Notes {
    return structuredClone(this.#notes);
  }

  warnings(): { code: string; message: string; count: number }[] {
    return Object.entries(this.#notes).map(([code, { count, first }]) => {
      const more = count > first.length ? `; and ${count - first.length} more` : '';
      return { code, message: `${MESSAGES[code as NoteCode]}: ${first.join('; ')}${more}`, count };
    });
  }
}
