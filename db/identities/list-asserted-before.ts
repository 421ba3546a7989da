import type { Database } from '../client/connect.js';
import type { OwnedKey } from './chunk-outcome.js';

interface KeyPage {
  integrationId: number;
  /** Start after this account. */
  after: string | null;
  /** Only accounts that an upload with a lower acceptance number asserted last. */
  acceptance: number;
  limit: number;
}

/** Returns the next accounts of an integration that have an owner, in the order of their names. */
export async function listAssertedBefore(
  database: Database,
  { integrationId, after, acceptance, limit }: KeyPage,
): Promise<OwnedKey[]> {
  const query = database('identities')
    .where({ integration_id: integrationId })
    .where('asserted_by', '<', acceptance)
    .whereNotNull('email')
    .orderBy('identity')
    .limit(limit)
    .select('identity', 'email');
  if (after !== null) query.where('identity', '>', after);
  const rows = await query;
  return rows.map(({ identity, email }) => ({ integrationId, identity, email }));
}
