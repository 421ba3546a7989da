/**
 * Spreadsheets run a cell that starts with one of these as a formula (OWASP, "CSV injection"). Escaping puts
 * one `'` in front; a cell that starts so behind apostrophes of its own gets one more, so that unescaping is exact.
 */
const NEEDS_ESCAPE = /^'*[=+\-@|]/;
const IS_ESCAPED = /^'+[=+\-@|]/;

/** @returns the cell as a download with `escapeFormulas=true` shows it */
export function escapeFormula(cell: string): string {
  return NEEDS_ESCAPE.test(cell) ? `'${cell}` : cell;
}

/** @returns what was escaped: `unescapeFormula(escapeFormula(x)) === x` for every text */
export function unescapeFormula(cell: string): string {
  return IS_ESCAPED.test(cell) ? cell.slice(1) : cell;
}
