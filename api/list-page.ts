import type Koa from 'koa';
import { z } from 'zod';
import { decodeTimeCursor, encodeTimeCursor, linkNext, type TimePlace } from './time-cursor.js';

/** The query parameters of every list that is sorted by time. */
export const pageQuery = {
  pageSize: z.coerce.number().int().min(1).max(1_000).default(50),
  cursor: z.string().max(2_000).optional(),
};

/** How a page says where it is. */
export const pageSchema = z.object({ pageSize: z.number().int(), nextCursor: z.string().nullable() });

interface List<Row> {
  pageSize: number;
  cursor: string | undefined;
  /** What the list was asked for; a cursor holds for these alone. */
  filters: object;
  /** Reads at most `limit` rows behind a place. */
  read(page: { limit: number; after: TimePlace | undefined }): Promise<Row[]>;
  place(row: Row): TimePlace;
  present(row: Row): object;
}

/** Answers one page of a list, newest first, with a cursor and a `Link` to the next. */
export async function answerPage<Row>(ctx: Koa.Context, list: List<Row>): Promise<void> {
  const { pageSize, cursor, filters } = list;
  const after = cursor === undefined ? undefined : decodeTimeCursor(cursor, filters);
  const found = await list.read({ limit: pageSize + 1, after });
  const page = found.slice(0, pageSize);
  const last = found.length > pageSize ? page.at(-1) : undefined;
  const nextCursor = last ? encodeTimeCursor(list.place(last), filters) : null;
  if (nextCursor) linkNext(ctx, nextCursor);
  ctx.body = { status: 'success', data: page.map(list.present), page: { pageSize, nextCursor } };
}
