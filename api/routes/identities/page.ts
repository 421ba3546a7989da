import type Koa from 'koa';
import { z } from 'zod';
import {
  countIdentities,
  type Identity,
  listIdentities,
  placeOf,
} from '../../../db/identities/identities.js';
import type { IdentityFilters, IdentitySort, SortValue } from '../../../db/identities/identity-query.js';
import { readPage } from '../../lists/list-page.js';
import { readWithDeadline } from '../../lists/read-with-deadline.js';
import type { ApiServices } from '../../services.js';

const NARROW = 'Filter by `emails` or `integrationIds`, or export the identities instead.';

export const identitySchema = z
  .object({
    email: z.string(),
    integrationId: z.number().int(),
    identity: z.string(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Identity' });

export const identityPageSchema = z.object({
  pageIndex: z.number().int().optional(),
  pageSize: z.number().int(),
  nextCursor: z.string().nullable(),
  total: z
    .number()
    .int()
    .optional()
    .meta({ description: 'With `includeTotal`: how many identities match the filters' }),
});

export interface IdentityPageRequest {
  apiKeyId: string;
  filters: IdentityFilters;
  sort: IdentitySort;
  pageSize: number;
  pageIndex?: number | undefined;
  cursor?: string | undefined;
  includeTotal: boolean;
}

/** Sends a page of identities as JSON. */
export async function sendIdentities(
  ctx: Koa.Context,
  services: ApiServices,
  request: IdentityPageRequest,
): Promise<void> {
  const { apiKeyId, filters, sort, pageSize, pageIndex, cursor, includeTotal } = request;
  const offset = (pageIndex ?? 0) * pageSize;
  let total: number | undefined;
  const { rows, nextCursor } = await readPage<Identity, readonly SortValue[]>(ctx, {
    page: { pageSize, cursor },
    filters: { filters, sort },
    position: placeSchema(sort),
    positionOf: (row) => placeOf(row, sort),
    read: ({ limit, after }) =>
      readWithDeadline({
        services,
        apiKeyId,
        narrow: NARROW,
        // The count follows the page within the same deadline, so a lookup takes one connection with or without a total.
        read: async (database, withinMs) => {
          const startedAt = performance.now();
          const found = await listIdentities(database, filters, { sort, limit, after, offset, withinMs });
          const leftMs = Math.max(1, Math.round(withinMs - (performance.now() - startedAt)));
          if (includeTotal) total = await countIdentities(database, filters, leftMs);
          return found;
        },
      }),
  });
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
