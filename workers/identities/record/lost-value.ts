import { isSheetError } from '../../text/missing-values.js';
import type { ValueError } from './errors.js';
import { isFormula } from './formula.js';

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
