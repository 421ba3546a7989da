import type { Database } from '../../db/connect.js';

export interface TestIdentity {
  email: string | null;
  integrationId: number;
  identity: string;
  updatedAt?: Date;
}

/** Puts identities straight into the table; a null e-mail makes a tombstone. */
export async function insertIdentities(database: Database, rows: readonly TestIdentity[]): Promise<void> {
  const now = new Date();
  const stored = rows.map(({ email, integrationId, identity, updatedAt = now }) => ({
    integration_id: integrationId,
    identity,
    email,
    asserted_by: 1,
    created_at: updatedAt,
    updated_at: updatedAt,
  }));
  await database.batchInsert('identities', stored, 2_000);
}

/** How the table orders text: by code points, which is by UTF-8 bytes. */
export const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
