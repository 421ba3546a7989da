import { request } from '../../../http/request.ts';
import { decisionsPath } from '../review/load-worklist.ts';

const PAGE_ROWS = 1_000;
const NEXT = '>; rel="next"';

/** Returns the decisions as one CSV file, which can be uploaded again. The API has them in pages, each with a header. */
export async function exportDecisions(
  integrationId: string,
  filters: { decision: string; identity: string },
): Promise<Blob> {
  const parts: string[] = [];
  let cursor: string | null = null;
  do {
    const query = { ...filters, pageSize: PAGE_ROWS, format: 'csv', escapeFormulas: true, cursor };
    const response: Response = await request(decisionsPath(integrationId), { query });
    const text = await response.text();
    parts.push(parts.length === 0 ? text : text.slice(text.indexOf('\n') + 1));
    cursor = nextCursor(response.headers.get('link') ?? '');
  } while (cursor !== null);
  return new Blob(parts, { type: 'text/csv' });
}

/** Returns the cursor of the link to the next page; null after the last one. */
function nextCursor(links: string): string | null {
  const next = links.split(', ').find((link) => link.endsWith(NEXT));
  if (next === undefined) return null;
  return new URL(next.slice(1, -NEXT.length), window.location.origin).searchParams.get('cursor');
}
