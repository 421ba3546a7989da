import type { Database } from '../client/connect.js';
import { selectWithin } from '../client/limit-time.js';
import {
  type IdentityFilters,
  type IdentitySort,
  type SortValue,
  selectIdentities,
} from './identity-query.js';

export interface Identity {
  email: string;
  integrationId: number;
  identity: string;
  createdAt: Date;
  updatedAt: Date;
}

export interface IdentityPage {
  sort: IdentitySort;
  limit: number;
  /** Start after this place. */
  after?: readonly SortValue[] | undefined;
  /** Rows to skip. The database reads each of them. */
  offset?: number;
  /** The most time that the database may take, in milliseconds; see `isTooSlow`. */
  withinMs: number;
}

/** Returns a page of identities. */
export async function listIdentities(
  database: Database,
  filters: IdentityFilters,
  { sort, limit, after, offset = 0, withinMs }: IdentityPage,
): Promise<Identity[]> {
  const query = selectIdentities(database, filters, sort, after)
    .select('email', 'integration_id', 'identity', 'created_at', 'updated_at')
    .limit(limit);
  if (offset > 0) query.offset(offset);
  return (await selectWithin<IdentityRow>(database, query, withinMs)).map(toIdentity);
}

/** Counts the identities that match the filters. The database may take `withinMs`. */
export async function countIdentities(
  database: Database,
  filters: IdentityFilters,
  withinMs: number,
): Promise<number> {
  const query = selectIdentities(database, filters).count({ total: '*' });
  const [row] = await selectWithin<{ total: number }>(database, query, withinMs);
  return Number(row?.total ?? 0);
}

/** Returns the place of an identity in a list with this sort. */
export function placeOf({ email, integrationId, identity, updatedAt }: Identity, { key }: IdentitySort) {
  const first = { email: [email], integrationId: [], updatedAt: [updatedAt] }[key];
  return [...first, integrationId, identity] satisfies SortValue[];
}

interface IdentityRow {
  email: string;
  integration_id: number;
  identity: string;
  created_at: Date;
  updated_at: Date;
}

const toIdentity = (row: IdentityRow): Identity => ({
  email: row.email,
  integrationId: Number(row.integration_id),
  identity: row.identity,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
