import type Koa from 'koa';
import { z } from 'zod';
import {
  countIdentities,
  type Identity,
  listIdentities,
  placeOf,
} from '../../../db/identities/identities.js';
import type { IdentityFilters, IdentitySort } from '../../../db/identities/identity-query.js';
import { decodeCursor, encodeCursor } from '../../lists/cursor.js';
import { linkNext } from '../../lists/next-link.js';
import { readWithDeadline } from '../../lists/read-with-deadline.js';
import type { Services } from '../../services.js';

const NARROW = 'Narrow it by emails or integrationIds, or have an export made.';

export const identitySchema = z
  .object({
    email: z.string(),
    integrationId: z.number().int(),
    identity: z.string(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Identity' });

export const pageSchema = z.object({
  pageIndex: z.number().int().optional(),
  pageSize: z.number().int(),
  nextCursor: z.string().nullable(),
  total: z.number().int().optional().meta({ description: 'With includeTotal: how many fit the filters' }),
});

export interface PageRequest {
  apiKeyId: string;
  filters: IdentityFilters;
  sort: IdentitySort;
  pageSize: number;
  pageIndex?: number | undefined;
  cursor?: string | undefined;
  includeTotal: boolean;
}

/** Answers a page as JSON, with the way to the next one. */
export async function sendPage(ctx: Koa.Context, services: Services, request: PageRequest): Promise<void> {
  const { apiKeyId, filters, sort, pageSize, pageIndex, cursor, includeTotal } = request;
  const list = { filters, sort };
  const after = cursor === undefined ? undefined : decodeCursor(ctx, list, cursor, placeSchema(sort));
  const offset = (pageIndex ?? 0) * pageSize;
  const { found, total } = await readWithDeadline({
    services,
    apiKeyId,
    narrow: NARROW,
    // One after the other and within one deadline: a lookup takes one connection, with a total or without.
    read: async (database, withinMs) => {
      const startedAt = performance.now();
      const found = await listIdentities(database, filters, {
        sort,
        limit: pageSize + 1,
        after,
        offset,
        withinMs,
      });
      if (!includeTotal) return { found };
      const leftMs = Math.max(1, Math.round(withinMs - (performance.now() - startedAt)));
      return { found, total: await countIdentities(database, filters, leftMs) };
    },
  });
  const rows = found.slice(0, pageSize);
  const last = found.length > pageSize ? rows.at(-1) : undefined;
  const nextCursor = last ? encodeCursor(ctx, list, placeOf(last, sort)) : null;
  if (nextCursor) linkNext(ctx, nextCursor);
  ctx.body = { status: 'success', data: rows.map(present), page: { pageIndex, pageSize, nextCursor, total } };
}

const keyPlace = [z.int().positive(), z.string()] as const;
const placeSchema = ({ key }: IdentitySort) =>
  ({
    email: z.tuple([z.string(), ...keyPlace]),
    integrationId: z.tuple([...keyPlace]),
    updatedAt: z.tuple([z.iso.datetime().transform((text) => new Date(text)), ...keyPlace]),
  })[key];

const present = (row: Identity): z.input<typeof identitySchema> => ({
  email: row.email,
  integrationId: row.integrationId,
  identity: row.identity,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});
