import { textOf } from '../decode/byte-text.js';
import { fieldOf, fold } from '../header/column-names.js';
import type { Header } from '../header/header.js';
import { cut } from '../header/quote-name.js';
import type { ValueError } from '../record/errors.js';
import { ORIGINAL_ROW } from '../rejected/rejected-row.js';

const COUNT = String.raw`\(?\d[\d.,' ]*\)?`;
const COUNTED = [
  'rows?|row\\(s\\)|records?|lines?|entries|results?|items?|users?|accounts?|members?|identities|zeilen?|datensätze|einträge|konten|benutzer',
  'lignes?|utilisateurs?|comptes|filas?|registros?|usuarios?|cuentas|righe|utenti|linhas?|rijen|wiersz[ey]?|строк[аи]?',
].join('|');
const TOTAL = [
  '(?:(?:grand|sub|report|overall)[ -]?)?totals?|gesamt(?:summe|ergebnis|anzahl)?|summe|totale|total (?:général|general|geral)|totaal|totalt',
  'итого|всего|合計|合计|总计|總計|합계',
].join('|');
const LABEL = `(?:(?:${TOTAL})(?: (?:number of )?(?:${COUNTED}|count|number))?)`;
const COUNT_LABEL = `(?:${LABEL}|${COUNTED}|number of (?:${COUNTED})|(?:${COUNTED})[ _]count|count|anzahl|nombre|sum|suma|somme|soma|average|avg)`;

/** What database clients, spreadsheets and reports write above, between and after rows. */
const SUMMARY = new RegExp(
  [
    // `(2 rows)` of psql, `2 rows in set (0.00 sec)` of mysql, `(2 rows affected)` of sqlcmd, `2 rows selected.` of sqlplus.
    `^(?:(?:#|--)?\\s*(?:query ok, )?\\(?\\d[\\d.,]* (?:${COUNTED})(?:\\)| (?:in set|affected|selected|returned|exported|found|total|fetched|retrieved)\\b.*)?\\.?`,
    'empty set\\b.*|query ok\\b.*|no rows selected\\.?|(?:time|completion time|time taken|elapsed(?: time)?): ?\\d.*|sep=.?',
    // `Total`, `Total: 12`, `Total users: 12`, `Grand Totals (12 records)`, `Count: 12`.
    `${LABEL}(?:\\s*[:=]|(?:\\s*[:=]\\s*|\\s+)${COUNT}(?: (?:${COUNTED})\\)?)?)?`,
    `${COUNT_LABEL}\\s*[:=]\\s*${COUNT}.*`,
    String.raw`(?:page|seite|página|pagina)\s+\d+(?:\s*(?:of|von|de|sur|di|\/)\s*\d+)?|(?:showing )?\d+ ?(?:-|–|to) ?\d+ of \d+.*`,
    String.raw`(?:\.{3}|…)\s*(?:and )?\d+ more\b.*|\W*end of (?:file|report|data|list|export|table|results?)\W*`,
    `(?:exported|fetched|returned|found) \\d[\\d.,]* (?:${COUNTED})\\b.*`,
    '(?:report |file )?(?:generated|exported|created)(?:\\s*:| (?:by|on|at|from)\\b).*)$',
    // The line below a header: `-----+-----`.
    '^[-+=|:\\s]{3,}$',
  ].join('|'),
  'iu',
);
/** What sums up rows if a number follows in another cell. */
const BEFORE_NUMBER = new RegExp(`^${COUNT_LABEL}$`, 'iu');
/** A single word, and those of them that may be a footer. */
const WORD = /^[\w.@-]+$/;
const TOTAL_WORD = /tot|summe|gesamt|^[-=]/i;
const NUMBER = /^[\d.,' -]+$/;
const ZERO = 0x30;
const NINE = 0x39;

/** Returns why a line contains no row, although it has cells: it repeats the header or looks like a footer. Cells are byte strings (see `byte-text.ts`). */
export function noRowError(cells: readonly string[], header: Header): ValueError | null {
  if (isProbablyRow(cells, header)) return null;
  const texts = cells.map((cell) => textOf(cell).trim());
  if (cells.length >= header.namedWidth && repeatsHeader(texts, header))
    return { code: 'repeated_header', message: `this line is a header again. ${WHAT_TO_DO}` };
  const [first = '', ...others] = texts.filter((text) => text !== '');
  const hasNumber = others.some((text) => NUMBER.test(text));
  if (!SUMMARY.test(first) && !(hasNumber && BEFORE_NUMBER.test(first))) return null;
  if (!others.every((text) => NUMBER.test(text) || SUMMARY.test(text))) return null;
  return summaryLine(first);
}

const WHAT_TO_DO = 'Delete this line. If it is a row, add damaged=keep';

const RULER = /^[-+=|:\s]{3,}$/;

/**
 * Does the same for a table of any columns. A number after `Total` may be a row there, so a footer is a line with one value only, or of lines.
 * @param names of all columns
 */
export function noTableRowError(cells: readonly string[], names: readonly string[]): ValueError | null {
  const [first = '', ...others] = cells.map((cell) => textOf(cell).trim()).filter((text) => text !== '');
  if (isHeader(cells, names))
    return { code: 'repeated_header', message: `this line is a header again. ${WHAT_TO_DO}` };
  const isFooter =
    others.length === 0 ? SUMMARY.test(first) : [first, ...others].every((one) => RULER.test(one));
  return isFooter ? summaryLine(first) : null;
}

/** The name of a table's only column may be a row in another case. */
const isHeader = (cells: readonly string[], names: readonly string[]): boolean =>
  names.length === 1
    ? visible(textOf(cells[0] ?? '')) === visible(names[0] ?? '')
    : names.every((name, at) => fold(name) === fold(textOf(cells[at] ?? '')));

const summaryLine = (first: string): ValueError => ({
  code: 'summary_line',
  message: `${JSON.stringify(cut(first, 60))} looks like a footer, not like a row. ${WHAT_TO_DO}`,
});

/**
 * An account system is a number, an owner has an `@`, and the only cell of a row is a word. This decides for nearly every row, because an import asks it
 * for each.
 */
function isProbablyRow(
  cells: readonly string[],
  { columns: { integrationId, email, identity } }: Header,
): boolean {
  if (integrationId) {
    const cell = cells[integrationId.index] ?? '';
    return isDigit(cell.charCodeAt(0)) && isDigit(cell.charCodeAt(cell.length - 1));
  }
  if (email) return cells[email.index]?.includes('@') ?? false;
  const [only = ''] = cells;
  return cells.length === 1 && WORD.test(only) && !TOTAL_WORD.test(only) && only !== identity?.name.trim();
}

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;

/** Returns whether all cells are the names of the header, or the cells of all fields are names of fields. */
function repeatsHeader(texts: readonly string[], { columns, extra, width, original }: Header): boolean {
  const used = Object.values(columns).flatMap((column) => column ?? []);
  const others = extra.values();
  const names = Array.from({ length: width }, (_, at) => {
    if (at === original) return ORIGINAL_ROW;
    return used.find(({ index }) => index === at)?.name ?? others.next().value ?? '';
  });
  // An account may be called like its column, in another case.
  if (names.length === 1) return visible(texts[0] ?? '') === visible(names[0] ?? '');
  if (names.every((name, at) => fold(name) === fold(texts[at] ?? ''))) return true;
  const cells = used.map(({ index }) => texts[index] ?? '');
  if (used.every(({ name }, at) => visible(name) === visible(cells[at] ?? '')))
    return used.length > 1 || texts.filter((text) => text !== '').length === 1;
  const fields = cells.map((cell) => fieldOf(cell)?.field);
  return fields.length > 1 && !fields.includes(undefined) && new Set(fields).size === fields.length;
}

const visible = (name: string): string => name.replace(/\p{Default_Ignorable_Code_Point}/gu, '').trim();
