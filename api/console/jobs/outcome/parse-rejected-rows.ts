import type { parse as parseCsv } from 'csv-parse/browser/esm/sync';
import type { ErrorDetail } from '../../http/request-failure.ts';
import { type CsvRow, parseFirstRows } from './parse-first-rows.ts';

const SHOWN = 20;
const FIELD = /^(email|integrationId|identity): /;

/**
 * Returns the first 20 rows of a rejected-rows file as errors.
 *
 * @param text the beginning of the file; it may end in the middle of a row
 */
export function parseRejectedRows(text: string, parse: typeof parseCsv): ErrorDetail[] {
  const rows = parseFirstRows(text, SHOWN, parse);
  return rows.filter(({ line, message }) => line && message).map(toErrorDetail);
}

function toErrorDetail({ line, code = '', message = '' }: CsvRow): ErrorDetail {
  const field = FIELD.exec(message)?.[1] ?? null;
  return { line: Number(line), code, field, message: message.replace(FIELD, '') };
}
