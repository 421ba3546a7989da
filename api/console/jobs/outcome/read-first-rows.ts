import type { parse as parseCsv } from 'csv-parse/browser/esm/sync';
import { request } from '../../http/request.ts';

/** Enough of a file for its first rows. */
const FIRST_BYTES = 64 * 1024;

/** Returns what `toRows` makes of the start of a file, which the API has at this path. */
export async function readFirstRows<Row>(
  path: string,
  toRows: (text: string, parse: typeof parseCsv) => Row[],
  signal: AbortSignal,
  bytes = FIRST_BYTES,
): Promise<Row[]> {
  const [response, csv] = await Promise.all([
    request(path, { headers: { range: `bytes=0-${bytes - 1}` }, signal }),
    import('csv-parse/browser/esm/sync'),
  ]);
  return toRows(await response.text(), csv.parse);
}
