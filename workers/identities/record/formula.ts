/** Parts of formulas, as Excel, LibreOffice and Google Sheets show them in any language. */
const NAME = String.raw`[\p{L}_\\][\p{L}\p{N}_.]*`;
const CELL = String.raw`\$?[A-Z]{1,3}\$?\d{1,7}`;
const SHEET = String.raw`(?:'[^']+'|\[[^\]]+\][^!]*|${NAME})!`;
/** After a cell or a number. Quoted-printable text such as `=C3=BCber` contains no cells. */
const END = String.raw`(?=$|[\s:;,&+*/^<>%)#}"-]|=(?![\dA-F]{2}))`;

/** A formula after `=`, also as a text with the mark `'` or in quotes, and an array formula in braces. `="007"` is removed from a CSV cell before, as padding. A name such as `=[vf]=ada` is none. */
const FORMULA = new RegExp(
  String.raw`^['"{]*[=＝]\s*(?:[-+@(]\s*)*(?:` +
    [
      // A text, a function, a cell of another sheet, as LibreOffice writes it too, or of a table, and DDE.
      `"|${NAME}\\s*\\(|${SHEET}|\\$?(?:'[^']+'|${NAME})\\.${CELL}${END}|(?:${NAME})?\\[[@#[.]|${NAME}\\[[^\\]]+\\]$|\\w+\\|'`,
      // A cell, columns and rows; a cell by numbers, in English, German, French or Spanish; a number, a truth value, an array.
      `${CELL}${END}|\\$?[A-Z]{1,3}:\\$?[A-Z]{1,3}${END}|\\$?\\d+:\\$?\\d+${END}`,
      String.raw`[RZLF](?:\d+|\[-?\d+\])?[CS](?:\d+|\[-?\d+\])${END}|[RZLF](?:\d+|\[-?\d+\])[CS]${END}`,
      `(?:\\d[\\d.,]*|\\.\\d+)(?:E[+-]?\\d+)?${END}|(?:true|false)$|\\{\\s*["\\d-]`,
    ].join('|') +
    ')',
  'iu',
);

/** A formula that starts with a sign or, as in Lotus 1-2-3, with `@`: `+A1`, `-Sheet1!A1*2`, `@SUM(A1:A3)`. `+49171` and `@ada` are names. */
const OPERAND = String.raw`(?:(?:'[^']+'|[\p{L}_][\p{L}\p{N}_]*)!)?${CELL}`;
const FUNCTION = String.raw`(?:\p{Lu}[\p{Lu}\d.]*\((?:|.*[\d;,:"!].*)\)|\p{L}[\p{L}\d.]*\(.*[A-Za-z]\d+[:;,].*\))`;
const SIGNED = new RegExp(
  String.raw`^'*(?:@${FUNCTION}|[-+＋－][\s(+-]*(?:${FUNCTION}|${OPERAND})(?:\s*[-+*/^&:]\s*(?:${OPERAND}|\d[\d.,]*|"[^"]*"))*\)*)$`,
  'u',
);

const AT = 0x40;
const BRACE = 0x7b;
const FULL_WIDTH = 0xff00;

/** Returns whether a trimmed text is a formula. What only starts like one may be a name. Its first character decides for nearly every value. */
export function isFormula(text: string): boolean {
  const first = text.charCodeAt(0);
  return (first <= AT || first === BRACE || first > FULL_WIDTH) && (FORMULA.test(text) || SIGNED.test(text));
}
