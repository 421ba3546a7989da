/** A simple model of a CSV parser, which reads one character after another. */
export interface OracleRow {
  cells: string[];
  line: number;
  stray: boolean;
}

export type OracleOutcome = { rows: OracleRow[] } | { error: string; line: number };

/** Reads CSV as in RFC 4180 with CRLF, LF or CR. A misplaced quote is kept and makes the row stray. */
export function oracle(text: string, delimiter: string, firstLine: number): OracleOutcome {
  const rows: OracleRow[] = [];
  let at = 0;
  let line = firstLine;

  const isBreak = () => text[at] === '\n' || text[at] === '\r';
  const takeBreak = () => {
    const found = text.startsWith('\r\n', at) ? '\r\n' : (text[at] ?? '');
    at += found.length;
    line++;
    return found;
  };
  const takeBare = () => {
    let cell = '';
    while (at < text.length && text[at] !== delimiter && !isBreak()) cell += text[at++];
    return cell;
  };
  const takeQuoted = () => {
    let cell = '';
    at++;
    while (at < text.length) {
      if (text.startsWith('""', at)) {
        cell += '"';
        at += 2;
      } else if (text[at] === '"') {
        at++;
        return cell;
      } else cell += isBreak() ? takeBreak() : text[at++];
    }
    return null;
  };

  while (at < text.length) {
    const start = line;
    const startsQuoted = text[at] === '"';
    const cells: string[] = [];
    let stray: { line: number; after: boolean } | null = null;
    for (;;) {
      const opened = line;
      if (text[at] === '"') {
        const cell = takeQuoted();
        if (cell === null) return { error: 'unclosed_quote', line: stray?.after ? stray.line : opened };
        const behind = takeBare();
        if (behind !== '') stray ??= { line: opened, after: true };
        cells.push(behind === '' ? cell : `"${cell}"${behind}`);
      } else {
        const cell = takeBare();
        if (cell.includes('"') && !/^="[^"]*"$/.test(cell)) stray ??= { line, after: false };
        cells.push(cell);
      }
      if (text[at] !== delimiter) break;
      at++;
    }
    if (stray && line > start)
      return { error: stray.after ? 'unclosed_quote' : 'stray_quote', line: stray.line };
    if (at < text.length) takeBreak();
    const blank = cells.length === 1 && cells[0]?.trim() === '' && !startsQuoted;
    if (!blank) rows.push({ cells, line: start, stray: stray !== null });
  }
  return { rows };
}
