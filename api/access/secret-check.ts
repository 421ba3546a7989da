import { sealedSecrets } from '../../db/access/sealed-secrets.js';
import { readCanary, writeCanary } from '../../db/access/secret-canary.js';
import type { Database } from '../../db/client/connect.js';
import type { SecretBox } from './secret-box.js';

const OWNER = 'canary';
const TEXT = 'muster';

/** Thrown if the secrets in the database are encrypted with a key that this process does not have. */
export class WrongSecretKey extends Error {
  override name = 'WrongSecretKey';

  constructor() {
    super(
      'SECRET_KEY is not the key that the secrets in this database are encrypted with. Set SECRET_KEY to the same value ' +
        'on every host. To change the key, set SECRET_KEY_OLD to the previous one. If that key is lost, see ' +
        '"Changing SECRET_KEY" in docs/operating.md.',
    );
  }
}

/**
 * Checks that this process can decrypt the secrets in the database, by decrypting a canary. If there is no canary, or the
 * old key encrypted it, writes one that is encrypted with the current key.
 * @throws WrongSecretKey if it cannot decrypt them
 */
export async function checkSecretKey(database: Database, box: SecretBox): Promise<void> {
  for (;;) {
    const canary = await readCanary(database);
    const state = canary ? box.stateOf(canary, OWNER) : null;
    if (state === 'current') return;
    if (state === 'unreadable') throw new WrongSecretKey();
    // Secrets that are older than the canary must not get one of another key.
    if (canary === undefined && !(await canDecryptSecrets(database, box))) throw new WrongSecretKey();
    if (await writeCanary(database, canary, box.seal(TEXT, OWNER))) return;
  }
}

/** Returns whether there are no secrets, or at least one of the first batch can be decrypted. */
async function canDecryptSecrets(database: Database, box: SecretBox): Promise<boolean> {
  for await (const batch of sealedSecrets(database)) {
    if (batch.some(({ sealed, webhookId }) => box.open(sealed, webhookId) !== null)) return true;
    if (batch.length > 0) return false;
  }
  return true;
}
