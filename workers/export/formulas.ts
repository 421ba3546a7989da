/**
 * Spreadsheets run a cell that starts with one of these as a formula (OWASP, "CSV injection"). With East Asian settings
 * they read the full-width forms `＝＋－＠` in the same way. Escaping puts one `'` in front. A cell that already starts with
 * apostrophes before such a character gets one more, so unescaping is exact.
 */
const NEEDS_ESCAPE = /^'*[=+\-@|\uFF1D\uFF0B\uFF0D\uFF20]/;
const IS_ESCAPED = /^'+[=+\-@|\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Returns the cell as a download with `escapeFormulas=true` shows it. */
export function escapeFormula(cell: string): string {
  return NEEDS_ESCAPE.test(cell) ? `'${cell}` : cell;
}

/** Undoes the escape: `unescapeFormula(escapeFormula(x)) === x` for every text. */
export function unescapeFormula(cell: string): string {
  return IS_ESCAPED.test(cell) ? cell.slice(1) : cell;
}

const APOSTROPHE = 0x27;
/** The characters of {@link NEEDS_ESCAPE} in UTF-8. */
const ASCII_SIGNS = Buffer.from('=+-@|');
const FULL_WIDTH_SIGNS = ['＝', '＋', '－', '＠'].map((sign) => Buffer.from(sign).readUIntBE(0, 3));
const FULL_WIDTH_BYTES = 3;

/** Returns whether {@link escapeFormula} changes a text, given as UTF-8 from `start` to `end`. */
export function needsEscape(bytes: Buffer, start: number, end: number): boolean {
  let at = start;
  while (at < end && bytes[at] === APOSTROPHE) at += 1;
  if (at === end) return false;
  if (ASCII_SIGNS.includes(bytes[at] as number)) return true;
  return end - at >= FULL_WIDTH_BYTES && FULL_WIDTH_SIGNS.includes(bytes.readUIntBE(at, FULL_WIDTH_BYTES));
}
