import type { parse as parseCsv } from 'csv-parse/browser/esm/sync';
import type { ErrorDetail } from '../../http/request-failure.ts';

type Row = Record<string, string>;

const SHOWN = 20;
const FIELD = /^(email|integrationId|identity): /;

/**
 * Returns the first 20 rows of a rejected-rows file as errors.
 *
 * @param text the beginning of the file; it may end in the middle of a row
 */
export function parseRejectedRows(text: string, parse: typeof parseCsv): ErrorDetail[] {
  const rows: Row[] = [];
  try {
    parse(text, {
      columns: true,
      to: SHOWN,
      relax_column_count: true,
      onRecord: (row: Row) => rows.push(row),
    });
  } catch (error) {
    // The text ends inside quotes. The rows before are complete.
    if ((error as { code?: string }).code !== 'CSV_QUOTE_NOT_CLOSED') throw error;
  }
  return rows.filter(({ line, message }) => line && message).map(toErrorDetail);
}

function toErrorDetail({ line, code = '', message = '' }: Row): ErrorDetail {
  const field = FIELD.exec(message)?.[1] ?? null;
  return { line: Number(line), code, field, message: message.replace(FIELD, '') };
}
