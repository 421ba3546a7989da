import { sealedSecrets } from '../../db/access/sealed-secrets.js';
import { readCanary, writeCanary } from '../../db/access/secret-canary.js';
import type { Database } from '../../db/client/connect.js';
import type { SecretBox } from '../../workers/process/secret-box.js';

const OWNER = 'canary';
const TEXT = 'muster';

type Canary = Awaited<ReturnType<typeof readCanary>>;

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

/** Which key of a process fits a database. `none`: no secret is stored yet. `wrong`: neither key does. */
export type KeyFit = 'current' | 'old' | 'none' | 'wrong';

/** Returns whether this process can decrypt the secrets in the database, by decrypting a canary. Writes nothing. */
export async function compareSecretKey(database: Database, box: SecretBox): Promise<KeyFit> {
  return fitOf(await readCanary(database), database, box);
}

/**
 * Checks that this process can decrypt the secrets in the database, by decrypting a canary. If there is no canary, or the
 * old key encrypted it, writes one that is encrypted with the current key.
 * @throws WrongSecretKey if it cannot decrypt them
 */
export async function checkSecretKey(database: Database, box: SecretBox): Promise<void> {
  for (;;) {
    const canary = await readCanary(database);
    const fit = await fitOf(canary, database, box);
    if (fit === 'current') return;
    if (fit === 'wrong') throw new WrongSecretKey();
    if (await writeCanary(database, canary, box.seal(TEXT, OWNER))) return;
  }
}

async function fitOf(canary: Canary, database: Database, box: SecretBox): Promise<KeyFit> {
  if (canary) {
    const state = box.stateOf(canary, OWNER);
    return state === 'unreadable' ? 'wrong' : state;
  }
  // Secrets that are older than the canary must not get one of another key.
  if (canary === undefined && !(await canDecryptSecrets(database, box))) return 'wrong';
  return 'none';
}

/** Returns whether there are no secrets, or at least one of the first batch can be decrypted. */
async function canDecryptSecrets(database: Database, box: SecretBox): Promise<boolean> {
  for await (const batch of sealedSecrets(database)) {
    if (batch.some(({ sealed, owner }) => box.open(sealed, owner) !== null)) return true;
    if (batch.length > 0) return false;
  }
  return true;
}
