import { SecretBox } from '../process/secret-box.js';
import { watchTrouble } from '../trouble/watch.js';
import type { UpkeepTask } from './task.js';

/** Raises an alert where a destination is not told, and resolves it with its next success. */
export const checkDestinations: UpkeepTask = {
  name: 'check-destinations',
  async *run({ database, log, settings: { secretKey, secretKeyOld } }, turn) {
    const box = secretKey === null ? null : new SecretBox(secretKey, secretKeyOld);
    const open = box && ((sealed: Buffer, owner: string) => box.open(sealed, owner));
    yield* watchTrouble({ database, log, open }, turn.now);
  },
};
