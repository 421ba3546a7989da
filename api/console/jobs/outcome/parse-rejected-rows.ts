import type { parse as parseCsv } from 'csv-parse/browser/esm/sync';
import type { ErrorDetail } from '../../http/request-failure.ts';

type Row = Record<string, string>;

const SHOWN = 20;
const FIELD = /^(email|integrationId|identity): /;

/** The first rows of a rejected file as faults; the text may end in the middle of a row. */
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
    // The text was cut off within quotes: the rows before are whole.
    if ((error as { code?: string }).code !== 'CSV_QUOTE_NOT_CLOSED') throw error;
  }
  return rows.filter(({ line, message }) => line && message).map(toErrorDetail);
}

function toErrorDetail({ line, code = '', message = '' }: Row): ErrorDetail {
  const field = FIELD.exec(message)?.[1] ?? null;
  return { line: Number(line), code, field, message: message.replace(FIELD, '') };
}
