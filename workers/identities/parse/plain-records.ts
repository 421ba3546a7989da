/** Whether a text is all that is left of a file. If not, a CR at its end may be half of a CRLF, and its last record may continue. */
export type EndOfText = 'end of file' | 'more follows';

/**
 * The longest text that cells may keep in memory, in bytes. A cell is a slice of the text that it was split from. Of a longer text, which
 * has a long record, cells are copied: a batch of rows of 1 MiB would otherwise take 1 GB for their emails.
 */
const MAX_KEPT = 16 * 1024;
/** The engine copies shorter texts itself. */
const SHORTEST_SLICE = 13;

/**
 * Splits text without quotes into records, which end with CRLF, LF or CR. A record that may continue is not delivered.
 *
 * @param take receives the cells of a record, and where it ends in the text, including its line break
 */
export function splitPlainRecords(
  text: string,
  delimiter: string,
  end: EndOfText,
  take: (cells: string[], end: number) => void,
): void {
  const isAll = end === 'end of file';
  // Where the next CR and LF are; after the text if there is none. The other one is kept while records end with one of them.
  let cr = -1;
  let lf = -1;
  for (let from = 0; from < text.length; ) {
    if (cr < from) cr = indexOf(text, '\r', from);
    if (lf < from) lf = indexOf(text, '\n', from);
    const stop = Math.min(cr, lf);
    if (!isAll && (stop === text.length || (stop === cr && stop === text.length - 1))) return;
    const next = stop === cr && lf === cr + 1 ? stop + 2 : stop + 1;
    const to = Math.min(next, text.length);
    const cells = text.slice(from, stop).split(delimiter);
    take(text.length > MAX_KEPT ? cells.map(copyOf) : cells, to);
    from = to;
  }
}

/** Returns a cell that keeps nothing but its own bytes in memory. */
export function copyOf(cell: string): string {
  return cell.length < SHORTEST_SLICE ? cell : Buffer.from(cell, 'latin1').toString('latin1');
}

function indexOf(text: string, character: string, from: number): number {
  const at = text.indexOf(character, from);
  return at === -1 ? text.length : at;
}
