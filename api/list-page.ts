import type Koa from 'koa';
import { z } from 'zod';
import { decodeCursor, encodeCursor } from './cursor.js';
import { linkNext } from './next-link.js';

/** The query parameters of every list that is sorted by time. */
export const pageQuery = {
  pageSize: z.coerce.number().int().min(1).max(1_000).default(50),
  cursor: z.string().max(2_000).optional(),
};

/** A place in a list that is sorted by a time and an id, newest first. */
export interface TimePlace {
  at: Date;
  id: string;
}

const timePlace = z.tuple([z.iso.datetime().transform((text) => new Date(text)), z.uuid()]);

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
  const after = cursor === undefined ? undefined : behind(filters, cursor);
  const found = await list.read({ limit: pageSize + 1, after });
  const page = found.slice(0, pageSize);
  const last = found.length > pageSize ? page.at(-1) : undefined;
  const nextCursor = last ? encodePlace(filters, list.place(last)) : null;
  if (nextCursor) linkNext(ctx, nextCursor);
  ctx.body = { status: 'success', data: page.map(list.present), page: { pageSize, nextCursor } };
}

const encodePlace = (filters: object, { at, id }: TimePlace): string => encodeCursor(filters, [at, id]);

function behind(filters: object, cursor: string): TimePlace {
  const [at, id] = decodeCursor(filters, cursor, timePlace);
  return { at, id };
}
