/** Letters that look like the ASCII letter before them, of those that keyboards and converters produce (Unicode Technical Standard 39). */
const LOOK_ALIKES = [
  'aаαɑᴀ bʙ cсϲᴄⲥ dԁᴅ eеᴇ fꜰ gɡցɢ hһհʜ iіıιɪ jјϳᴊ kкκᴋ lⅼӏʟ mᴍ nոɴ oоοօᴏⲟ pрρᴘⲣ qԛ rʀ sѕꜱ tᴛ uսυᴜ vѵνᴠ wԝᴡ xхχ yуүʏ zᴢ',
  // Punctuation that word processors and spreadsheets write in place of what was typed.
  `'’‘‛′´ "“”„‟ -‐‑–—−﹣`,
  'AАΑꓮᎪ BВΒꓐᏴ CСϹꓚᏟ DꓓᎠ EЕΕꓰᎬ FꓝϜ GꓖᏀ HНΗꓧᎻ IІΙӀꓲ JЈꓙᎫ KКΚꓗᏦ LꓡᏞ MМΜꓟᎷ NΝꓠ OОΟꓳ PРΡꓑᏢ RꓣᏒ SЅꓢᏚ TТΤꓔᎢ UꓴՍ VꓦᏙ WꓪᎳ XХΧꓫ YУΥҮꓬᎩ ZΖꓜᏃ',
];
const LATIN = new Map(
  LOOK_ALIKES.flatMap((line) =>
    line.split(' ').flatMap(([letter = '', ...others]) => others.map((other) => [other, letter] as const)),
  ),
);
/** An address with the mark that keeps a cell a text in a spreadsheet, or with quotes around its name, which do not change it. */
const MARKED_ADDRESS = /^(?:'([^'@]+)|"([^"@]+)")@[^'"@]+$/;
/** The mark before what would be a formula or a number. Muster's own download has it in columns that an upload reads without it. */
const MARK = /^'+(?=[-=+@|\d])/;
const NOT_ASCII = /[^\0-\x7f]/;
const WORD = /[\p{L}\p{M}]+/gu;
const LATIN_LETTER = /\p{Script=Latin}/u;
const OTHER_LETTER =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Coptic}\p{Script=Cherokee}\p{Script=Lisu}]/u;

/**
 * Returns the text that a valid value looks like without being it: `ada` for an `аda` with a Cyrillic letter, for a full-width one, or for the
 * lower case of `İ`. Null if it looks like itself. An accent is visible, so `michał` looks like itself.
 *
 * @param text in NFC
 */
export function lookAlikeOf(text: string): string | null {
  const like = NOT_ASCII.test(text) ? inLatin(text) : unmarked(text);
  return like === text ? null : like;
}

const unmarked = (text: string): string =>
  MARKED_ADDRESS.test(text) ? text.replace(/^'|"/g, '') : text.replace(MARK, '');

function inLatin(text: string): string {
  const shown = text.split(/([@.])/).map((part) => {
    const compatible = part.normalize('NFKC').replace(/([ij])\u0307/g, '$1');
    const latin = [...compatible].map((character) => LATIN.get(character) ?? character).join('');
    return isMixed(part) || !NOT_ASCII.test(latin) ? latin : compatible;
  });
  return shown.join('');
}

/** Returns whether a word has letters of Latin and of another alphabet that has look-alikes. */
const isMixed = (part: string): boolean =>
  OTHER_LETTER.test(part) &&
  (part.match(WORD) ?? []).some((word) => LATIN_LETTER.test(word) && OTHER_LETTER.test(word));
