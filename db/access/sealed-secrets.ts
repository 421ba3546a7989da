import type { Database } from '../client/connect.js';

/** An encrypted value: the token of one of an integration's URLs, one of its signature secrets, the URL, a secret or the headers of a destination, or the secrets of a feed. */
export interface SealedSecret {
  place: Place;
  /** The value of its table's primary key. */
  key: Buffer | string;
  /** What it belongs to: it can be decrypted for nothing else. */
  owner: string;
  sealed: Buffer;
}

interface Place {
  table: 'webhook_tokens' | 'webhooks' | 'destinations' | 'feeds';
  key: string;
  owner: string;
  sealed: string;
}

/** The columns with encrypted values. */
const PLACES: readonly Place[] = [
  { table: 'webhook_tokens', key: 'token_hash', owner: 'webhook_id', sealed: 'sealed' },
  { table: 'webhooks', key: 'id', owner: 'id', sealed: 'signature_secret' },
  { table: 'webhooks', key: 'id', owner: 'id', sealed: 'previous_secret' },
  { table: 'destinations', key: 'id', owner: 'id', sealed: 'url' },
  { table: 'destinations', key: 'id', owner: 'id', sealed: 'secret' },
  { table: 'destinations', key: 'id', owner: 'id', sealed: 'previous_secret' },
  { table: 'destinations', key: 'id', owner: 'id', sealed: 'headers' },
  { table: 'feeds', key: 'id', owner: 'id', sealed: 'secrets' },
];

/** Reads every encrypted value, in batches. */
export async function* sealedSecrets(database: Database, batchSize = 500): AsyncGenerator<SealedSecret[]> {
  for (const place of PLACES) {
    const { table, key, owner, sealed } = place;
    let after: Buffer | string | null = null;
    for (;;) {
      const query = database(table)
        .whereNotNull(sealed)
        .where(sealed, '<>', '')
        .orderBy(key)
        .limit(batchSize);
      if (after !== null) query.where(key, '>', after);
      const rows = await query.select({ key, owner, sealed });
      yield rows.map((row) => ({ place, key: row.key, owner: row.owner, sealed: row.sealed }));
      if (rows.length < batchSize) break;
      after = rows.at(-1)?.key ?? null;
    }
  }
}

/** Replaces an encrypted value, unless it has changed since it was read. Returns whether it was replaced. */
export async function replaceSealed(
  database: Database,
  { place, key, sealed: was }: SealedSecret,
  sealed: Buffer,
): Promise<boolean> {
  const where = { [place.key]: key, [place.sealed]: was };
  return (
    (await database(place.table)
      .where(where)
      .update({ [place.sealed]: sealed })) > 0
  );
}
