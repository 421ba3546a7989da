import type { Database } from '../client/connect.js';

/** An encrypted value of an integration: the token of one of its URLs, or its signature secret. */
export interface SealedSecret {
  table: 'webhook_tokens' | 'webhooks';
  /** The value of its table's primary key. */
  key: Buffer | string;
  webhookId: string;
  sealed: Buffer;
}

const PLACES = {
  webhook_tokens: { key: 'token_hash', webhookId: 'webhook_id', sealed: 'sealed' },
  webhooks: { key: 'id', webhookId: 'id', sealed: 'signature_secret' },
} as const;

/** Reads every encrypted value, in batches. */
export async function* sealedSecrets(database: Database, batchSize = 500): AsyncGenerator<SealedSecret[]> {
  for (const table of ['webhook_tokens', 'webhooks'] as const) {
    const { key, webhookId, sealed } = PLACES[table];
    let after: Buffer | string | null = null;
    for (;;) {
      const query = database(table).whereNotNull(sealed).orderBy(key).limit(batchSize);
      if (after !== null) query.where(key, '>', after);
      const rows = await query.select({ key, webhookId, sealed });
      yield rows.map((row) => ({ table, key: row.key, webhookId: row.webhookId, sealed: row.sealed }));
      if (rows.length < batchSize) break;
      after = rows.at(-1)?.key as Buffer | string;
    }
  }
}

/** Replaces an encrypted value, unless it has changed since it was read. Returns whether it was replaced. */
export async function replaceSealed(
  database: Database,
  { table, key, sealed: was }: SealedSecret,
  sealed: Buffer,
): Promise<boolean> {
  const place = PLACES[table];
  const where = { [place.key]: key, [place.sealed]: was };
  return (
    (await database(table)
      .where(where)
      .update({ [place.sealed]: sealed })) > 0
  );
}
