import { replaceSealed, sealedSecrets } from '../../db/access/sealed-secrets.js';
import type { Database } from '../../db/client/connect.js';
import type { SealedState, SecretBox } from './secret-box.js';

/** The number of secrets in each state. */
export type SealedCounts = Record<SealedState, number>;

/**
 * Re-encrypts every secret of the old key with the current key, so that the old key can be removed. Includes secrets
 * without a key id. Returns the number of secrets in each state afterwards. Several hosts may run this at the same time.
 */
export async function resealSecrets(database: Database, box: SecretBox): Promise<SealedCounts> {
  const counts: SealedCounts = { current: 0, old: 0, unreadable: 0 };
  for await (const batch of sealedSecrets(database)) {
    for (const secret of batch) {
      const { sealed, webhookId } = secret;
      const text = box.open(sealed, webhookId);
      const state = box.stateOf(sealed, webhookId);
      if (state !== 'old' || text === null) counts[state] += 1;
      else if (await replaceSealed(database, secret, box.seal(text, webhookId))) counts.current += 1;
      // Another host has just replaced it. The next run counts it by its key.
      else counts.old += 1;
    }
  }
  return counts;
}
