import { textOf } from '../decode/byte-text.js';
import { fieldOf, fold } from '../header/column-names.js';
import type { Header } from '../header/header.js';
import { cut } from '../header/quote-name.js';
import type { ValueError } from '../record/errors.js';

const COUNT = String.raw`\(?\d[\d.,' ]*\)?`;
const COUNTED =
  'rows?|row\\(s\\)|records?|lines?|entries|results?|items?|users?|accounts?|members?|zeilen?|datensätze|lignes?|filas?|registros?|righe|linhas?|rijen|wiersz[ey]?|строк[аи]?';
const TOTAL =
  '(?:(?:grand|sub|report|overall)[ -]?)?totals?|gesamt(?:summe|ergebnis|anzahl)?|summe|totale|total (?:général|general|geral)|totaal|totalt|итого|всего|合計|合计|总计|總計|합계';

/** What database clients, spreadsheets and reports write above, between and after rows. */
const SUMMARY = new RegExp(
  [
    // `(2 rows)` of psql, `2 rows in set (0.00 sec)` of mysql, `(2 rows affected)` of sqlcmd, `2 rows selected.` of sqlplus.
    `^(?:(?:query ok, )?\\(?\\d[\\d.,]* (?:${COUNTED})(?:\\)| (?:in set|affected|selected|returned|exported|found|total|fetched|retrieved)\\b.*)?\\.?`,
    'empty set\\b.*|no rows selected\\.?|time: [\\d.,]+ ?m?s\\b.*',
    // `Total`, `Total: 12`, `Total users: 12`, `Grand Totals (12 records)`, `Count: 12`.
    `(?:${TOTAL})(?:\\s*[:=]|(?:\\s+(?:${COUNTED}|count|number))?(?:\\s*[:=]\\s*|\\s+)${COUNT}(?: (?:${COUNTED})\\)?)?)?`,
    `(?:(?:${TOTAL}|${COUNTED}|number of (?:${COUNTED})|(?:${COUNTED})[ _]count|count|anzahl|nombre|sum|suma|somme|soma)\\s*[:=]\\s*${COUNT}.*)`,
    String.raw`(?:page|seite|página|pagina)\s+\d+(?:\s*(?:of|von|de|sur|di|\/)\s*\d+)?`,
    String.raw`(?:\.{3}|…)\s*(?:and )?\d+ more\b.*|\W*end of (?:file|report|data|list|export|table|results?)\W*`,
    '(?:report |file )?(?:generated|exported|created) (?:by|on|at|from)\\b.*)$',
    // The line below a header: `-----+-----`.
    '^[-+=|:\\s]{3,}$',
  ].join('|'),
  'iu',
);
const NUMBER = /^[\d.,' -]+$/;
const ZERO = 0x30;
const NINE = 0x39;

/** Returns why a line contains no row, although it has cells: it repeats the header or sums up rows. Cells are byte strings (see `byte-text.ts`). */
export function noRowError(cells: readonly string[], header: Header): ValueError | null {
  if (isProbablyRow(cells, header)) return null;
  const texts = cells.map((cell) => textOf(cell).trim());
  if (cells.length >= header.namedWidth && repeatsHeader(texts, header))
    return { code: 'repeated_header', message: `this line is a header again. ${WHAT_TO_DO}` };
  const [first = '', ...others] = texts.filter((text) => text !== '');
  if (!SUMMARY.test(first) || !others.every((text) => NUMBER.test(text) || SUMMARY.test(text))) return null;
  return { code: 'summary_line', message: `${JSON.stringify(cut(first, 60))} sums up rows. ${WHAT_TO_DO}` };
}

const WHAT_TO_DO = 'Delete this line. If it is the row of an account, add damaged=keep';

/** An integration is a number, and an owner has an `@`. This decides for nearly every row, because an import asks it for each. */
function isProbablyRow(cells: readonly string[], { columns: { integrationId, email } }: Header): boolean {
  if (!integrationId) return email !== null && (cells[email.index]?.includes('@') ?? false);
  const cell = cells[integrationId.index] ?? '';
  return isDigit(cell.charCodeAt(0)) && isDigit(cell.charCodeAt(cell.length - 1));
}

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;

/** Returns whether the cells of all fields are names of columns: the same ones, or each that of another field. */
function repeatsHeader(texts: readonly string[], { columns }: Header): boolean {
  const used = Object.values(columns).flatMap((column) => column ?? []);
  const cellOf = ({ index }: { index: number }) => texts[index] ?? '';
  const [only] = used;
  // An account may be called like its column, in another case.
  if (used.length === 1 && only) return visible(cellOf(only)) === visible(only.name);
  if (used.every((column) => fold(cellOf(column)) === fold(column.name))) return true;
  const fields = used.map((column) => fieldOf(cellOf(column))?.field);
  return !fields.includes(undefined) && new Set(fields).size === fields.length;
}

const visible = (name: string): string => name.replace(/\p{Default_Ignorable_Code_Point}/gu, '').trim();
