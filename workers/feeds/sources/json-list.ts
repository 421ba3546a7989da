import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { toCsvLine } from '../../export/csv.js';
import { type JsonValue, parsePayload } from '../../mapping/index.js';
import type { FetchContext, FetchedFile } from './fetched-file.js';
import { guarded } from './guarded.js';
import { requestUrl } from './http-request.js';
import { bodyOf } from './https.js';
import { rowOf, valueAt } from './json-values.js';
import { nextPage, type Page } from './next-page.js';
import type { SourceOf } from './settings.js';
import { SourceError } from './source-error.js';

/** A page is parsed as a whole, during which the worker does nothing else. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024;
const MAX_PAGES = 10_000;

type ListSource = SourceOf<'https'> & { json: NonNullable<SourceOf<'https'>['json']> };

/**
 * Reads a list in JSON page by page, and returns it as a CSV file with the columns of the recipe. It has no version: the first page says nothing about the others.
 * @throws SourceError
 */
export async function fetchJsonList(source: ListSource, context: FetchContext): Promise<FetchedFile> {
  const ended = new AbortController();
  const pagesContext = { ...context, stopped: AbortSignal.any([context.stopped, ended.signal]) };
  const { hostname } = new URL(source.url);
  const rows = rowsOf(source, pagesContext);
  // The first page is read before: it shows most mistakes.
  const first = await rows.next();
  const content = guarded(
    Readable.from(joined(first, rows), { objectMode: false }),
    { name: hostname, bytes: null, maxBytes: context.maxBytes, toError: (error) => error },
    // Each page has a deadline of its own.
    { ...context, deadlines: { ...context.deadlines, stallMs: NEVER_MS } },
  );
  content.once('close', () => ended.abort());
  return {
    name: `${hostname}.csv`,
    version: null,
    modifiedAt: null,
    contentType: 'text/csv; charset=utf-8',
    content,
  };
}

/** Node has no longer timers. */
const NEVER_MS = 2 ** 31 - 1;

async function* joined(
  first: IteratorResult<Buffer, void>,
  rest: AsyncGenerator<Buffer, void>,
): AsyncGenerator<Buffer, void> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

/** Yields the lines of each page. */
async function* rowsOf(source: ListSource, context: FetchContext): AsyncGenerator<Buffer, void> {
  const { columns, maxPages = MAX_PAGES } = context;
  const list = new URL(source.url);
  const seen = new Set<string>();
  let position = 0;
  let text = lineOf(columns);
  for (let url: URL | null = list; url; ) {
    if (seen.has(url.href)) throw repeated(list.hostname, seen.size);
    if (seen.size === maxPages) throw endless(list.hostname, maxPages);
    seen.add(url.href);
    const page = await readPage(source, url, context);
    for (const item of itemsOf(source, page)) text += lineOf(rowOf(item, columns, ++position));
    yield Buffer.from(text);
    text = '';
    url = nextPage(source.json.next, page, list);
  }
}

/** A row of one empty cell would be an empty line, which readers skip. */
function lineOf(cells: readonly string[]): string {
  return cells.length === 1 && cells[0] === '' ? '""\n' : toCsvLine(cells);
}

async function readPage(source: ListSource, url: URL, context: FetchContext): Promise<Page> {
  const response = await requestUrl({ url, source, accept: 'application/json', conditions: {} }, context);
  const bytes = await unzipped(
    await buffer(bodyOf(response, MAX_PAGE_BYTES, context)),
    response.url.hostname,
  );
  const parsed = parsePayload(bytes);
  if ('value' in parsed) return { url: response.url, headers: response.headers, value: parsed.value };
  const what = parsed.error === 'too_deep' ? 'is nested too deeply' : 'is not JSON';
  const type = response.headers['content-type'] ?? 'of no Content-Type';
  throw new SourceError(
    'invalid_content',
    `The response of ${response.url.hostname} (${type}) ${what}. Check \`url\` and \`headers\`.`,
  );
}

const decompress = promisify(gunzip);

async function unzipped(bytes: Buffer, host: string): Promise<Buffer> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return await decompress(bytes, { maxOutputLength: MAX_PAGE_BYTES });
  } catch (error) {
    const isLarge = error instanceof RangeError;
    throw isLarge
      ? new SourceError(
          'too_large',
          `A page of ${host} is larger than the limit of ${MAX_PAGE_BYTES} bytes. Ask for fewer items in a page.`,
        )
      : new SourceError('incomplete', `A page of ${host} is damaged: it cannot be decompressed.`);
  }
}

function itemsOf({ url, json }: ListSource, { value }: Page): JsonValue[] {
  const items = valueAt(value, json.items);
  if (Array.isArray(items)) return items;
  const where = json.items === '' ? 'is not a list' : `has no list at ${json.items}`;
  throw new SourceError(
    'invalid_content',
    `The response of ${new URL(url).hostname} ${where}. Check \`json.items\`.`,
  );
}

const repeated = (host: string, pages: number): SourceError =>
  new SourceError(
    'paging',
    `${host} leads back to a page that was read already, after ${pages} pages. Check \`json.next\`.`,
  );
const endless = (host: string, maxPages: number): SourceError =>
  new SourceError(
    'paging',
    `The list of ${host} has more than ${maxPages} pages. Ask for more items in a page.`,
  );
