import type { parse as parseCsv } from 'csv-parse/browser/esm/sync';

/** A row of a CSV file by the names of its columns. */
export type CsvRow = Record<string, string>;

/**
 * Returns the first rows of a CSV file.
 *
 * @param text the beginning of the file; it may end in the middle of a row, which then lacks columns
 */
export function parseFirstRows(text: string, count: number, parse: typeof parseCsv): CsvRow[] {
  const rows: CsvRow[] = [];
  try {
    parse(text, {
      columns: true,
      to: count,
      relax_column_count: true,
      onRecord: (row: CsvRow) => rows.push(row),
    });
  } catch (error) {
    // The text ends inside quotes. The rows before are complete.
    if ((error as { code?: string }).code !== 'CSV_QUOTE_NOT_CLOSED') throw error;
  }
  return rows;
}
