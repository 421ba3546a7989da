import { countLineBreaks } from '../header/quotes.js';

const QUOTE_OR_BREAK = /["\r\n]/;

/** Returns how many line breaks the cells of a record contain, and whether one of them contains a quote. */
export function scanCells(cells: readonly string[]): { breaks: number; quotes: boolean } {
  let breaks = 0;
  let quotes = false;
  for (const cell of cells) {
    if (!QUOTE_OR_BREAK.test(cell)) continue;
    breaks += countLineBreaks(Buffer.from(cell, 'latin1'));
    quotes ||= cell.includes('"');
  }
  return { breaks, quotes };
}

/** Returns whether a record is a blank line. */
export function isBlank(cells: readonly string[]): boolean {
  return cells.length === 1 && cells[0]?.trim() === '';
}
