import type { Database } from './connect.js';
import type { IdentityKey } from './key-order.js';

export interface Identity {
  email: string;
  integrationId: number;
  identity: string;
  createdAt: Date;
  updatedAt: Date;
}

/** Every filter that is given must fit; each fits when any of its values does. */
export interface IdentityFilters {
  emails?: string[] | undefined;
  integrationIds?: number[] | undefined;
  identities?: string[] | undefined;
}

export interface Page {
  limit: number;
  /** Start behind this key. */
  after?: IdentityKey | undefined;
}

/** A page of identities in the order of their keys. Removed ones are not there. */
export async function listIdentities(
  database: Database,
  filters: IdentityFilters,
  { limit, after }: Page,
): Promise<Identity[]> {
  const query = database('identities')
    .select('email', 'integration_id', 'identity', 'created_at', 'updated_at')
    .whereNotNull('email')
    .orderBy(['integration_id', 'identity'])
    .limit(limit);
  if (filters.emails) query.whereIn('email', filters.emails);
  if (filters.integrationIds) query.whereIn('integration_id', filters.integrationIds);
  if (filters.identities) query.whereIn('identity', filters.identities);
  // The row form (a, b) > (?, ?) would read far more: the optimizer makes no range of it.
  if (after) {
    query.where((keyset) =>
      keyset
        .where('integration_id', '>', after.integrationId)
        .orWhere((tie) =>
          tie.where('integration_id', after.integrationId).where('identity', '>', after.identity),
        ),
    );
  }
  return (await query).map(toIdentity);
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver hands it over; this is where it gets its types.
const toIdentity = (row: any): Identity => ({
  email: row.email,
  integrationId: Number(row.integration_id),
  identity: row.identity,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
