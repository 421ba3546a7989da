import { replaceSealed, sealedSecrets } from '../../db/access/sealed-secrets.js';
import type { Database } from '../../db/client/connect.js';
import type { SealedState, SecretBox } from './secret-box.js';

/** How many secrets are in each state. */
export type SealedCounts = Record<SealedState, number>;

/**
 * Encrypts every secret that the old key encrypted with the current one, so that the old key can be dropped. Also those
 * that name no key id. Returns how many secrets are in each state afterwards. Safe to run on several hosts at the same time.
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
      // Another host has replaced it meanwhile; the next run tells by which key.
      else counts.old += 1;
    }
  }
  return counts;
}
