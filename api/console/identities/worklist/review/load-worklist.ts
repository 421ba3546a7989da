import { readPiece } from '../../../http/file-pieces.ts';
import { requestJson } from '../../../http/request.ts';
import type { Page, WorklistDecision } from '../../../http/types.ts';
import type { CsvRow } from '../../../jobs/outcome/parse-first-rows.ts';
import { toRow, type WorklistRow } from '../parse-worklist.ts';

const PIECE_BYTES = 1024 * 1024;
/** Rows that are parsed at once. The page responds in between. */
const PARSED_ROWS = 500;
const PAGE_ROWS = 1_000;

/**
 * Reads all rows of a worklist.
 * @param onProgress called with the share of the file that has been read, from 0 to 1
 */
export async function loadRows(
  path: string,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<WorklistRow[]> {
  const { parse } = await import('csv-parse/browser/esm/sync');
  const rows: WorklistRow[] = [];
  let columns: string[] = [];
  let [offset, version]: [number, string | null] = [0, null];
  for (;;) {
    const piece = await readPiece(path, { start: offset, size: PIECE_BYTES, version }, signal);
    const lines = [...piece.lines];
    if (offset === 0) columns = parse(lines.shift() ?? '', { bom: true })[0] as string[];
    while (lines.length > 0) {
      const text = lines.splice(0, PARSED_ROWS).join('\n');
      for (const row of parse(text, { columns }) as CsvRow[]) rows.push(toRow(row));
      await new Promise((resolve) => setTimeout(resolve));
    }
    offset += piece.bytes;
    version = piece.version;
    if (offset >= piece.total || piece.bytes === 0) return rows;
    onProgress(offset / piece.total);
  }
}

/** Reads all decisions about accounts of an account system. */
export async function loadDecisions(integrationId: number, signal: AbortSignal): Promise<WorklistDecision[]> {
  const all: WorklistDecision[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<WorklistDecision> = await requestJson(decisionsPath(integrationId), {
      query: { pageSize: PAGE_ROWS, cursor },
      signal,
    });
    for (const decision of page.data) all.push(decision);
    cursor = page.page.nextCursor;
  } while (cursor !== null);
  return all;
}

export const decisionsPath = (integrationId: number | string): string =>
  `/v2/integrations/${integrationId}/decisions`;
