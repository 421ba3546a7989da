import type { Database } from '../../../db/client/connect.js';
import { counted } from '../../../workers/text/quantities.js';
import { type Finding, failure, ok, warning } from '../finding.js';
import { shortened } from './schema.js';

/** Messages that wait for longer, although nothing fails. */
const LATE_MINUTES = 5;

/** Reports whether destinations get their messages. */
export async function findDestinations(
  check: string,
  database: Database,
  hasSecretKey: boolean,
): Promise<Finding> {
  const lanes = await database('lanes')
    .join('destinations', 'destinations.id', 'lanes.destination_id')
    .whereNull('deleted_at')
    .orderBy('destinations.id')
    .select({
      name: 'destinations.name',
      stopped: 'lanes.stopped',
      failures: 'lanes.failures',
      isLate: database.raw(
        'paused_at IS NULL AND due_at < UTC_TIMESTAMP(3) - INTERVAL ? MINUTE AND (lease_until IS NULL OR lease_until < UTC_TIMESTAMP(3))',
        [LATE_MINUTES],
      ),
    });
  const total = counted(lanes.length, 'destination');
  if (lanes.length > 0 && !hasSecretKey)
    return failure(
      check,
      `${total}, and no SECRET_KEY to read their URLs with`,
      'Set SECRET_KEY of the API for the workers too: no messages are sent without it.',
    );
  const stopped = lanes.filter((lane) => lane.stopped !== null);
  const failing = lanes.filter((lane) => lane.stopped === null && lane.failures > 0);
  const late = lanes.filter((lane) => !lane.stopped && lane.failures === 0 && Number(lane.isLate) === 1);
  const problems = Object.entries({ stopped, failing, late }).filter(([, some]) => some.length > 0);
  if (problems.length === 0) return ok(check, `${total}, none of which fails or is late`);
  const found = problems.map(([what, some]) => `${what}: ${shortened(some.map(({ name }) => name))}`);
  return warning(
    check,
    `of ${total}, ${found.join('; ')}`,
    'See "Destinations in trouble" in docs/operating.md.',
  );
}
