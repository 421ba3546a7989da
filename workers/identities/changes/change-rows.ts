import type { ChangesKind, IdentityChange } from '../../../db/identities/import-changes.js';
import { toCsvLine } from '../../export/csv.js';
import { escapeFormula } from '../../export/formulas.js';

/** The columns of a changes file whose cells come from uploads. Their names end in `Escaped` if formulas are escaped. */
const FROM_UPLOADS = ['identity', 'before', 'after', 'owner'];

/** The column that only a file of conflicts has. */
const OWNER = 6;

/** Returns the header of a file of changes. The column of the place is named by the format of the upload. */
export function changesHeader(kind: ChangesKind, place: 'line' | 'index', escapeFormulas: boolean): string {
  const owner = kind === 'conflicts' ? ['owner'] : [];
  const columns = ['integrationId', 'identity', 'before', 'after', 'outcome', place, ...owner];
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
  const owner = outcome === 'conflict' ? [change.owner ?? ''] : [];
  return {
    line: toCsvLine([integrationId, identity, before, after, outcome, place, ...owner]),
    escapes: [identity, before, after, ...owner].reduce((sum, cell) => sum + escapesOf(cell), 0),
  };
}

const escapesOf = (cell: string): number => escapeFormula(cell).length - cell.length;

/** Returns lines with the cells escaped that a spreadsheet could take for a formula. */
export function escapeLines(text: string): string {
  let escaped = '';
  for (const cells of readLines(text)) {
    escaped += toCsvLine(
      cells.map((cell, at) => ((at > 0 && at < 4) || at === OWNER ? escapeFormula(cell) : cell)),
    );
  }
  return escaped;
}

/** Yields the changes in lines that {@link toLine} returned. */
export function* readChanges(text: string): Generator<IdentityChange> {
  for (const [integrationId, identity = '', before, after, outcome, place, owner] of readLines(text)) {
    yield {
      integrationId: Number(integrationId),
      identity,
      before: before || null,
      after: after || null,
      outcome: outcome as IdentityChange['outcome'],
      place: place ? Number(place) : null,
      ...(owner === undefined ? {} : { owner: owner || null }),
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

function splitQuoted(line: string): string[] {
  const cells: string[] = [];
  QUOTED_OR_PLAIN.lastIndex = 0;
  for (let hasMore = true; hasMore; ) {
    const [cell = '', quoted, plain = ''] = QUOTED_OR_PLAIN.exec(line) ?? [];
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    hasMore = cell.endsWith(',');
  }
  return cells;
}
