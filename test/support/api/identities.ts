import type { Database } from '../../../db/client/connect.js';

export interface TestIdentity {
  email: string | null;
  integrationId: number;
  identity: string;
  updatedAt?: Date;
}

/** Inserts identities directly into the table. A null email makes a tombstone. */
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

/** Compares text in the order of the table: by code points, which equals the order of UTF-8 bytes. */
export const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Inserts many identities into the table, `octo-1` to `octo-COUNT`. The database server generates most of them. */
export async function fillIdentities(database: Database, count: number): Promise<void> {
  const first = Math.min(count, 1_000);
  const row = (i: number) => ({
    email: `dev${i}@example.com`,
    integrationId: 1 + (i % 3),
    identity: `octo-${i + 1}`,
  });
  await insertIdentities(
    database,
    Array.from({ length: first }, (_, i) => row(i)),
  );
  for (let there = first; there < count; there *= 2) {
    await database.raw(
      `INSERT INTO identities (integration_id, identity, email, asserted_by, created_at, updated_at)
       SELECT integration_id, CONCAT('octo-', SUBSTRING(identity, 6) + ?), email, 1, created_at, updated_at
       FROM identities WHERE SUBSTRING(identity, 6) + 0 <= ?`,
      [there, Math.min(there, count - there)],
    );
  }
}

/** Fills the table with `octo-0` to `octo-COUNT`, all of one developer, in three account systems. */
export async function refillIdentities(database: Database, count: number): Promise<void> {
  await database('identities').truncate();
  const row = (i: number) => ({
    email: 'dev@example.com',
    integrationId: 1 + (i % 3),
    identity: `octo-${i}`,
  });
  await insertIdentities(
    database,
    Array.from({ length: count }, (_, i) => row(i)),
  );
}
