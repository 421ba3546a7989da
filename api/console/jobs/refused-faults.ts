import type { parse as parseCsv } from 'csv-parse/browser/esm/sync';
import type { Fault } from '../http/request-failure.ts';

const SHOWN = 20;
const FIELD = /^(email|integrationId|identity): /;

/** The first rows of a rejected file as faults; the text may end in the middle of a row. */
export function toFaults(text: string, parse: typeof parseCsv): Fault[] {
  const rows = parse(text, {
    columns: true,
    to: SHOWN,
    relax_column_count: true,
    relax_quotes: true,
  }) as Record<string, string>[];
  return rows.filter(({ line, message }) => line && message).map(toFault);
}

function toFault({ line, code = '', message = '' }: Record<string, string>): Fault {
  const field = FIELD.exec(message)?.[1] ?? null;
  return { line: Number(line), code, field, message: message.replace(FIELD, '') };
}
