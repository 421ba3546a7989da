import { lookAlikeOf } from './look-alike.js';
import { isSuspicious } from './lost-value.js';

const MESSAGES = {
  padding_removed: 'padding that loses nothing was removed',
  suspicious_values:
    'values that programs write in place of a missing or a converted one are accepted as they are. Check them',
  lookalike_values: 'values look like others without being them. Check their characters',
};
type NoteCode = keyof typeof MESSAGES;

/** How many values were noted, and the first of them as a message shows them. */
export type Notes = { [Code in NoteCode]?: { count: number; first: string[] } };

const MAX_FIRST = 5;
const APOSTROPHE = 0x27;
const QUOTE = 0x22;

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
   * @param isAscii whether they are known to be ASCII
   */
  addRecord(place: number, { email, identity }: { email: string; identity: string }, isAscii = false): void {
    if (isSuspicious(identity)) this.add('suspicious_values', place, `identity ${JSON.stringify(identity)}`);
    // Of ASCII only a mark before an address is hard to see.
    if (isAscii && email.charCodeAt(0) !== APOSTROPHE && email.charCodeAt(0) !== QUOTE) return;
    this.#addLookAlike(place, 'email', email);
    this.#addLookAlike(place, 'identity', identity);
  }

  #addLookAlike(place: number, field: string, value: string): void {
    const like = lookAlikeOf(value);
    if (like === null) return;
    this.add(
      'lookalike_values',
      place,
      `${field} ${JSON.stringify(value)} looks like ${JSON.stringify(like)}`,
    );
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
