import { isSheetError } from '../../text/missing-values.js';
import type { ValueError } from './errors.js';

/**
 * A number of which only some digits are left: `1.23457E+11`, `1,23457E+11`, `1E+11`, `1.23457E11`. A whole number needs the sign: `1e5` is a name.
 * Also what C writes for a number that does not exist: `1.#INF`.
 */
const SCIENTIFIC = /^[+-]?\d{1,3}(?:E[+-]\d{1,3}|[.,]\d+E[+-]?\d{1,3}|[.,]#(?:INF|IND|[QS]NAN)\d*)$/i;

/** LibreOffice's `Err:502`, and what Google Sheets shows while it loads a value, in their translations. */
const UNFINISHED = new RegExp(
  '^(?:(?:Err|Error|Erro|Erreur|Errore|Fehler|Fout|Fel|Fejl|Feil|Virhe|Błąd|Chyba|Hiba|Hata|Ошибка|Помилка|エラー|错误|錯誤|오류) ?[::] ?5[0-4]\\d|' +
    '(?:Loading|Retrieving|Requesting Data|Calculating|Wird geladen|Chargement|Cargando|Caricamento|Carregando|Laden|Ładowanie|Läser in|' +
    'Yükleniyor|Загрузка|読み込んでいます|読み込み中|正在加载|加载中|로드 중)(?:\\.{3}|…))$',
  'iu',
);

/** The marks of a text and of a formula before a value, and quotes around it. */
const MARKS = /^['="]+|["']$/g;
const APOSTROPHE = 0x27;
const EQUALS = 0x3d;
const QUOTE = 0x22;
const HASH = 0x23;
const DOT = 0x2e;
const FIVE = 0x35;
const NINE = 0x39;
const ELLIPSIS = 0x2026;

/** Returns whether a trimmed text is what a spreadsheet leaves in place of a value: an error, or a formula. */
export const isLostValue = (text: string): boolean => isError(text) || isFormula(text);

/** The first or last character decides for nearly every value, because an import asks this for each row. */
function isError(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first === APOSTROPHE || first === EQUALS || first === QUOTE) {
    const unmarked = text.replace(MARKS, '');
    return unmarked !== text && isError(unmarked);
  }
  if (first === HASH) return isSheetError(text);
  if (first <= NINE) return SCIENTIFIC.test(text);
  const last = text.charCodeAt(text.length - 1);
  return (
    (last === DOT || last === ELLIPSIS || (last <= NINE && text.charCodeAt(text.length - 3) === FIVE)) &&
    UNFINISHED.test(text)
  );
}

/** Returns the error of a value that is lost. */
export function lostValue(field: string, text: string): ValueError {
  const what = isError(text)
    ? 'a spreadsheet lost this value'
    : 'a spreadsheet left a formula instead of a value';
  const keep = field === 'identity' ? '. If it is the real value, add damaged=keep' : '';
  return {
    code: `${field}_damaged`,
    message: `${what}: ${text.slice(0, 60)}. Restore it from its source${keep}`,
  };
}

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
function isFormula(text: string): boolean {
  const first = text.charCodeAt(0);
  return (first <= AT || first === BRACE || first > FULL_WIDTH) && (FORMULA.test(text) || SIGNED.test(text));
}
