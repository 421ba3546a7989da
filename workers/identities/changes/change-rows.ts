import type { IdentityChange } from '../../../db/identities/import-changes.js';
import { toCsvLine } from '../../export/csv.js';
import { escapeFormula } from '../../export/formulas.js';

/** The columns of a changes file whose cells come from uploads. Their names end in `Escaped` if formulas are escaped. */
const FROM_UPLOADS = ['identity', 'before', 'after'];

/** Returns the header of a changes file. The last column is named by the format of the upload. */
export function changesHeader(place: 'line' | 'index', escapeFormulas: boolean): string {
  const columns = ['integrationId', ...FROM_UPLOADS, 'outcome', place];
  return toCsvLine(
    columns.map((name) => (escapeFormulas && FROM_UPLOADS.includes(name) ? `${name}Escaped` : name)),
  );
}

/**
 * Returns a change as a line of CSV, and how many bytes escaping formulas would add to it. An account without an owner has an
 * empty cell.
 */
export function toLine(change: IdentityChange): { line: string; escapes: number } {
  const { integrationId, identity, outcome } = change;
  const [before, after, place] = [change.before ?? '', change.after ?? '', change.place ?? ''];
  return {
    line: toCsvLine([integrationId, identity, before, after, outcome, place]),
    escapes: escapesOf(identity) + escapesOf(before) + escapesOf(after),
  };
}

const escapesOf = (cell: string): number => escapeFormula(cell).length - cell.length;

/** Returns lines with the cells escaped that a spreadsheet could take for a formula. */
export function escapeLines(text: string): string {
  let escaped = '';
  for (const cells of readLines(text)) {
    escaped += toCsvLine(cells.map((cell, at) => (at > 0 && at < 4 ? escapeFormula(cell) : cell)));
  }
  return escaped;
}

/** Yields the changes in lines that {@link toLine} returned. */
export function* readChanges(text: string): Generator<IdentityChange> {
  for (const [integrationId, identity = '', before, after, outcome, place] of readLines(text)) {
    yield {
      integrationId: Number(integrationId),
      identity,
      before: before || null,
      after: after || null,
      outcome: outcome as IdentityChange['outcome'],
      place: place ? Number(place) : null,
    };
  }
}

/** Yields the cells of each line. A valid identity or email contains no line break, so each line is a row. */
function* readLines(text: string): Generator<string[]> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end);
    yield line.includes('"') ? splitQuoted(line) : line.split(',');
    start = end + 1;
  }
}

const QUOTED_OR_PLAIN = /"((?:[^"]|"")*)"(?:,|$)|([^,]*)(?:,|$)/y;
const CELLS = 6;

function splitQuoted(line: string): string[] {
  const cells: string[] = [];
  QUOTED_OR_PLAIN.lastIndex = 0;
  while (cells.length < CELLS) {
    const [, quoted, plain = ''] = QUOTED_OR_PLAIN.exec(line) ?? [];
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
  }
  return cells;
}
