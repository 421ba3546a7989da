import type { parse as parseCsv } from 'csv-parse/browser/esm/sync';
import { type CsvRow, parseFirstRows } from '../jobs/outcome/parse-first-rows.ts';

/** Rows that were rejected for the same reason. */
export interface ErrorGroup {
  field: string | null;
  /** Of the first of them. */
  message: string;
  rows: number;
  /** The first lines of the file, and what the field is there. */
  examples: { line: number; value: string }[];
}

const EXAMPLES = 5;
/** More rows than any part of a file that is read. */
const ALL = 1_000_000;
const FIELD = /^(email|integrationId|identity): /;
const CELLS: Record<string, string> = {
  email: 'emailEscaped',
  integrationId: 'integrationId',
  identity: 'identityEscaped',
};

/**
 * Returns the rows of a rejected-rows file by their first error, the most frequent first.
 *
 * @param text the file or its beginning; it may end in the middle of a row
 */
export function groupErrors(text: string, parse: typeof parseCsv): ErrorGroup[] {
  const groups = new Map<string, ErrorGroup>();
  for (const row of parseFirstRows(text, ALL, parse)) {
    const { line, code = '', message = '' } = row;
    if (!line || !message) continue;
    const field = FIELD.exec(message)?.[1] ?? null;
    const name = `${field} ${firstOf(code)}`;
    const group = groups.get(name) ?? { field, message: shortened(message), rows: 0, examples: [] };
    groups.set(name, group);
    group.rows += 1;
    if (group.examples.length < EXAMPLES)
      group.examples.push({ line: Number(line), value: shownValue(row, field) });
  }
  return [...groups.values()].sort((one, other) => other.rows - one.rows);
}

const firstOf = (codes: string): string => codes.split('; ')[0] ?? '';

/** Returns the first error of a row. Others follow it, and what the rejected file says about itself. */
function shortened(message: string): string {
  const [first = ''] = message.split(/; (?=(?:email|integrationId|identity): |identity was left empty)/);
  return first.replace(FIELD, '');
}

/** Returns what the field is in a row, or the whole row if it is empty. */
const shownValue = (row: CsvRow, field: string | null): string =>
  (field === null ? (row.originalRow ?? '') : (row[CELLS[field] ?? ''] ?? '')) || (row.originalRow ?? '');
