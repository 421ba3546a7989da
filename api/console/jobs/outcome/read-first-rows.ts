import type { parse as parseCsv } from 'csv-parse/browser/esm/sync';
import { request } from '../../http/request.ts';

/** Enough of a file for its first rows. */
const FIRST_BYTES = 'bytes=0-65535';

/** Returns what `toRows` makes of the start of a file, which the API has at this path. */
export async function readFirstRows<Row>(
  path: string,
  toRows: (text: string, parse: typeof parseCsv) => Row[],
  signal: AbortSignal,
): Promise<Row[]> {
  const [response, csv] = await Promise.all([
    request(path, { headers: { range: FIRST_BYTES }, signal }),
    import('csv-parse/browser/esm/sync'),
  ]);
  return toRows(await response.text(), csv.parse);
}
