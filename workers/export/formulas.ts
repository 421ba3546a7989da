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
/** 1 for the first byte of each character of {@link NEEDS_ESCAPE} in UTF-8. A table, because `Buffer.includes` takes a tenth of an export. */
const MAY_NEED_ESCAPE = new Uint8Array(256);
for (const sign of ['=', '+', '-', '@', '|', '＝']) MAY_NEED_ESCAPE[Buffer.from(sign)[0] ?? 0] = 1;
const FULL_WIDTH_SIGNS = ['＝', '＋', '－', '＠'].map((sign) => Buffer.from(sign).readUIntBE(0, 3));
const FULL_WIDTH_BYTES = 3;
const FIRST_BEYOND_ASCII = 0x80;

/** Returns whether {@link escapeFormula} changes a text, given as UTF-8 from `start` to `end`. */
export function needsEscape(bytes: Buffer, start: number, end: number): boolean {
  let at = start;
  while (at < end && bytes[at] === APOSTROPHE) at += 1;
  if (at === end || MAY_NEED_ESCAPE[bytes[at] as number] === 0) return false;
  if ((bytes[at] as number) < FIRST_BEYOND_ASCII) return true;
  return end - at >= FULL_WIDTH_BYTES && FULL_WIDTH_SIGNS.includes(bytes.readUIntBE(at, FULL_WIDTH_BYTES));
}
