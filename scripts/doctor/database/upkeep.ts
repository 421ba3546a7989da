import type { Database } from '../../../db/client/connect.js';
import { readNow } from '../../../db/client/now.js';
import { listHorizons } from '../../../db/upkeep/horizons.js';
import { type Finding, ok, warning } from '../finding.js';

const HOUR_MS = 60 * 60 * 1_000;

/** Reports when upkeep has removed what had expired, and what it refuses to remove. */
export async function findUpkeep(check: string, database: Database): Promise<Finding> {
  const [horizons, now] = [await listHorizons(database), await readNow(database)];
  const refused = horizons.filter((one) => one.refused !== null && one.allowed === null);
  if (refused.length > 0) {
    const texts = refused.map((one) => `${one.subject} to ${one.refused?.toISOString()}`);
    return warning(
      check,
      `refuses to remove more than the time since its last turn explains: ${texts.join(', ')}`,
      'If the time of the database and the settings of the workers are right, run npm run upkeep -- --force. Otherwise correct them.',
    );
  }
  const turn = horizons.find(({ subject }) => subject === 'clock');
  if (!turn) return ok(check, 'has had no turn yet');
  const found = `removed at ${turn.movedAt.toISOString()} what had expired`;
  if (+now - +turn.movedAt < HOUR_MS) return ok(check, found);
  return warning(
    check,
    `${found}, and nothing since`,
    'Check that a worker runs, and its log: upkeep removes nothing while the clocks of its host, Redis and the database differ by more than a minute.',
  );
}
