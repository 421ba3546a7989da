import type { parse as parseCsv } from 'csv-parse/browser/esm/sync';
import { type CsvRow, parseFirstRows } from '../../jobs/outcome/parse-first-rows.ts';

const SHOWN = 20;
const PLACES = [1, 2, 3, 4, 5];

export interface ShownCandidate {
  email: string;
  score: number;
  reason: string;
}

export interface WorklistRow {
  integrationId: string;
  identity: string;
  displayName: string;
  accountEmail: string;
  /** The decision that the worklist was made with; empty without one. */
  decision: string;
  candidates: ShownCandidate[];
}

/**
 * Returns the first 20 rows of a worklist.
 *
 * @param text the beginning of the file; it may end in the middle of a row, which is left out
 */
export const parseWorklist = (text: string, parse: typeof parseCsv): WorklistRow[] =>
  parseFirstRows(text, SHOWN, parse)
    .filter(({ reason5 }) => reason5 !== undefined)
    .map(toRow);

/** Returns a row of a worklist. */
export function toRow(row: CsvRow): WorklistRow {
  const candidates = PLACES.map((place) => ({
    email: cellOf(row, `candidate${place}`),
    score: Number(row[`score${place}`]),
    reason: row[`reason${place}`] ?? '',
  }));
  return {
    integrationId: row.integrationId ?? '',
    identity: cellOf(row, 'identity'),
    displayName: cellOf(row, 'displayName'),
    accountEmail: cellOf(row, 'accountEmail'),
    decision: row.decision ?? '',
    candidates: candidates.filter(({ email }) => email !== ''),
  };
}

/** The apostrophe before a cell that a spreadsheet could run as a formula, in a column whose name ends in `Escaped`. */
const ESCAPE = /^'(?='*[=+\-@|\uFF1D\uFF0B\uFF0D\uFF20])/;

const cellOf = (row: CsvRow, name: string): string =>
  row[name] ?? (row[`${name}Escaped`] ?? '').replace(ESCAPE, '');
