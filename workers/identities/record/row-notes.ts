import { isEncoded, isSuspicious } from './suspicious-value.js';

const MESSAGES = {
  padding_removed: 'padding that loses nothing was removed',
  suspicious_values:
    'values that look missing, converted or not decoded are accepted as they are. Check them',
  keys_only: 'rows without a value besides their key changed nothing',
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

/** Letters that look like the ASCII letter before them, of those that keyboards and converters produce (Unicode Technical Standard 39). */
const LOOK_ALIKES = [
  'aаαɑᴀ bʙ cсϲᴄⲥ dԁᴅ eеᴇ fꜰ gɡցɢ hһհʜ iіıιɪ jјϳᴊ kкκᴋ lⅼӏʟ mᴍ nոɴ oоοօᴏⲟ pрρᴘⲣ qԛ rʀ sѕꜱ tᴛ uսυᴜ vѵνᴠ wԝᴡ xхχ yуүʏ zᴢ',
  'AАΑꓮᎪ BВΒꓐᏴ CСϹꓚᏟ DꓓᎠ EЕΕꓰᎬ FꓝϜ GꓖᏀ HНΗꓧᎻ IІΙӀꓲ JЈꓙᎫ KКΚꓗᏦ LꓡᏞ MМΜꓟᎷ NΝꓠ OОΟꓳ PРΡꓑᏢ RꓣᏒ SЅꓢᏚ TТΤꓔᎢ UꓴՍ VꓦᏙ WꓪᎳ XХΧꓫ YУΥҮꓬᎩ ZΖꓜᏃ',
];
/** Punctuation that word processors, spreadsheets and keyboards write in place of what is meant. */
const MARKS = [`'’‘‚‛′´ʼʻʹˈ‹› "“”„‟ʺ″«» -‐‑‒–—―−﹣˗⁃ /⁄∕⧸ :∶ː !ǃ ~∼˜ |∣ǀ *∗ .ꓸ`];
const mapOf = (lines: readonly string[]) =>
  new Map(
    lines.flatMap((line) =>
      line.split(' ').flatMap(([letter = '', ...others]) => others.map((other) => [other, letter] as const)),
    ),
  );
const PUNCTUATION = mapOf(MARKS);
const LATIN = mapOf([...LOOK_ALIKES, ...MARKS]);
/** An address with quotes around its name, which do not change it. */
const QUOTED_NAME = /^"([^"@]+)"(@[^'"@]+)$/;
/** Quotes around a value, also if one is lost: of CSV, of a program, or the mark that keeps a cell a text in a spreadsheet. */
const QUOTES = /^(["'`]+)(.+)\1$|^["'`]+([^"'`]+)["'`]?$|^([^"]+)"$/;
/** The mark before what would be a formula or a number. Muster's own download has it in columns that an upload reads without it. */
const MARK = /^'+(?=[-=+@|\d])/;
const NOT_ASCII = /[^\0-\x7f]/;
const LATIN_LETTER = /\p{Script=Latin}/u;
const OTHER_LETTER =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Coptic}\p{Script=Cherokee}\p{Script=Lisu}]/u;

/**
 * Returns the text that a valid value looks like without being it: `ada` for an `аda` with a Cyrillic letter, for a full-width one, or for the
 * lower case of `İ`. Null if it looks like itself. An accent is visible, so `michał` looks like itself.
 *
 * @param text in NFC
 */
function lookAlikeOf(text: string): string | null {
  const like = unmarked(NOT_ASCII.test(text) ? inLatin(text) : text);
  return like === text ? null : like;
}

const unmarked = (text: string): string =>
  text.replace(QUOTED_NAME, '$1$2').replace(MARK, '').replace(QUOTES, '$2$3$4');

function inLatin(text: string): string {
  // The domain of an address is in Latin letters, whatever its name is in.
  const shown = text.split(text.includes('@') ? /([@.])/ : /(@)/).map((part) => {
    const compatible = part
      .replaceAll('´', "'")
      .normalize('NFKC')
      .replace(/([ij])\u0307/g, '$1');
    const latin = replaced(compatible, LATIN);
    if (isMixed(part) || !NOT_ASCII.test(latin)) return latin;
    return LATIN_LETTER.test(part) ? replaced(compatible, PUNCTUATION) : compatible;
  });
  return shown.join('');
}

const replaced = (text: string, map: ReadonlyMap<string, string>): string =>
  [...text].map((character) => map.get(character) ?? character).join('');

/** Returns whether a text has letters of Latin and of another alphabet that has look-alikes. */
const isMixed = (part: string): boolean => OTHER_LETTER.test(part) && LATIN_LETTER.test(part);
