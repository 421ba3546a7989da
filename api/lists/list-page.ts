import type Koa from 'koa';
import { z } from 'zod';
import { wholeNumber } from '../endpoint/parameters.js';
import type { HeaderDocs } from '../endpoint/response-headers.js';
import { decodeCursor, encodeCursor } from './cursor.js';
import { linkNext } from './next-link.js';

const PAGE_SIZE = 50;

/** The query parameters of every list. */
export const pageQuery = {
  pageSize: wholeNumber(1, 1_000)
    .optional()
    .meta({ description: `How many rows a page has at most; ${PAGE_SIZE} by default` }),
  cursor: z.string().max(4_000).optional().meta({ description: 'The `nextCursor` of the previous page' }),
};

/** The page size that a request asked for, or the default. */
export const pageSizeOf = ({ pageSize = PAGE_SIZE }: { pageSize?: number | undefined }): number => pageSize;

/** A place in a list that is sorted by a time and an id, newest first. */
export interface TimePlace {
  at: Date;
  id: string;
}

const timePlace = z.tuple([z.iso.datetime().transform((text) => new Date(text)), z.uuid()]);

/** The response headers of a page. */
export const PAGE_HEADERS = { Link: 'sometimes' } as const satisfies HeaderDocs;

/** How a page says where it is. */
export const pageSchema = z.object({ pageSize: z.number().int(), nextCursor: z.string().nullable() });

interface List<Row> {
  /** What the request asked for. */
  page: { pageSize?: number | undefined; cursor?: string | undefined };
  /** What the list was asked for; a cursor holds for these alone. */
  filters: object;
  /** Reads at most `limit` rows behind a place. */
  read(page: { limit: number; after: TimePlace | undefined }): Promise<Row[]>;
  place(row: Row): TimePlace;
  present(row: Row): object;
}

/** Answers one page of a list, newest first, with a cursor and a `Link` to the next. */
export async function answerPage<Row>(ctx: Koa.Context, list: List<Row>): Promise<void> {
  const { filters } = list;
  const { cursor } = list.page;
  const pageSize = pageSizeOf(list.page);
  const after = cursor === undefined ? undefined : behind(ctx, filters, cursor);
  const found = await list.read({ limit: pageSize + 1, after });
  const page = found.slice(0, pageSize);
  const last = found.length > pageSize ? page.at(-1) : undefined;
  const nextCursor = last ? encodePlace(ctx, filters, list.place(last)) : null;
  if (nextCursor) linkNext(ctx, nextCursor);
  ctx.body = { status: 'success', data: page.map(list.present), page: { pageSize, nextCursor } };
}

const encodePlace = (ctx: Koa.Context, filters: object, { at, id }: TimePlace): string =>
  encodeCursor(ctx, filters, [at, id]);

function behind(ctx: Koa.Context, filters: object, cursor: string): TimePlace {
  const [at, id] = decodeCursor(ctx, filters, cursor, timePlace);
  return { at, id };
}
