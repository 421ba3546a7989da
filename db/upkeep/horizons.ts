import type { Database } from '../client/connect.js';

/**
 * What upkeep removes by age. `clock` is the time itself: all that is removed after a fixed time follows from it.
 */
export const SUBJECTS = [
  'clock',
  'events',
  'alerts',
  'identity-history',
  'identity-changes',
  'audit-log',
] as const;
export type Subject = (typeof SUBJECTS)[number];

/** How far upkeep has come with a subject. */
export interface Horizon {
  subject: Subject;
  /** What is older may have been removed. For `clock` it is the time of the last turn. */
  horizon: Date;
  movedAt: Date;
  /** How far the last turn wanted to come, if it refused that. */
  refused: Date | null;
  /** How far an operator has allowed it to come. */
  allowed: Date | null;
}

const TABLE = 'upkeep_horizons';
export const DAY_MS = 24 * 60 * 60 * 1_000;
/** What a horizon may move beyond the time that has passed. */
const SLACK_MS = DAY_MS;
/** Nothing but the clocks themselves shows how long a service was off. Time that has passed without a turn explains no more than this. */
const LONGEST_PAUSE_MS = 7 * DAY_MS;

/** Returns all horizons, by subject. A subject without a turn has none. */
export async function listHorizons(database: Database): Promise<Horizon[]> {
  const rows = await database(TABLE).orderBy('subject');
  return rows.map(({ subject, horizon, moved_at, refused, allowed }) => ({
    subject,
    horizon,
    movedAt: moved_at,
    refused,
    allowed,
  }));
}

/**
 * Moves the horizon of a subject, by no more than the time since its last turn and a day explain, or than an operator has allowed. Its first turn
 * may move it anywhere. A setting that is lowered, and a clock that jumps, would move it further.
 * @param known the horizon before, if there is one
 * @param wanted where the turn wants it
 * @param now the time of the database at this turn
 * @returns whether it was moved. If not, the table notes what was refused
 */
export async function moveHorizon(
  database: Database,
  subject: Subject,
  { known, wanted, now }: { known: Horizon | undefined; wanted: Date; now: Date },
): Promise<boolean> {
  if (!known) {
    await database(TABLE).insert({ subject, horizon: wanted, moved_at: now }).onConflict('subject').ignore();
    return true;
  }
  const isMoved = +wanted <= furthest(known, now) || +wanted <= +(known.allowed ?? 0) + SLACK_MS;
  const change = isMoved
    ? { horizon: wanted, moved_at: now, refused: null, allowed: null }
    : { refused: wanted };
  await database(TABLE).where({ subject }).update(change);
  return isMoved;
}

function furthest({ subject, horizon, movedAt }: Horizon, now: Date): number {
  const passed = +now - +movedAt;
  return +horizon + SLACK_MS + (subject === 'clock' ? Math.min(passed, LONGEST_PAUSE_MS) : passed);
}

/** Allows the next turn what the last one refused. Returns the subjects. */
export async function allowRefused(database: Database): Promise<Horizon[]> {
  const refused = (await listHorizons(database)).filter((one) => one.refused !== null);
  await database(TABLE)
    .whereNotNull('refused')
    .update({ allowed: database.raw('refused') });
  return refused;
}
