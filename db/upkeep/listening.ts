import type { Database } from '../client/connect.js';

/*
 * When the intake accepted events: a row for each period, which the API hosts prolong together. Silence says nothing while nobody listened, so only
 * the time of these rows counts. They are written and read by the clock of the database.
 */

/** How often an API prolongs the period, in milliseconds. */
export const PROLONG_EVERY_MS = 5_000;
/** A period that nobody has prolonged for this long has ended. */
const ENDED_AFTER_S = 20;
/** How long periods are kept: no alert may expire later than 30 days after its last event. */
const KEPT_DAYS = 60;

/** A period in which the intake accepted events, in milliseconds since 1970. */
export interface Period {
  from: number;
  to: number;
}

const PROLONG = `UPDATE listening_periods SET last_seen_at = UTC_TIMESTAMP(3)
  WHERE last_seen_at BETWEEN UTC_TIMESTAMP(3) - INTERVAL ${ENDED_AFTER_S} SECOND AND UTC_TIMESTAMP(3) ORDER BY id DESC LIMIT 1`;
const BEGIN =
  'INSERT INTO listening_periods (began_at, last_seen_at) VALUES (UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))';

/** Notes that the intake accepts events now. */
export async function noteListening(database: Database): Promise<void> {
  const [{ affectedRows }] = await database.raw(PROLONG);
  if (affectedRows === 0) await database.raw(BEGIN);
}

/** Returns the periods, in order and without overlaps. */
export async function listeningPeriods(database: Database): Promise<Period[]> {
  const rows = await database('listening_periods').orderBy('began_at').select('began_at', 'last_seen_at');
  const periods: Period[] = [];
  for (const { began_at, last_seen_at } of rows) {
    const [from, to] = [began_at.getTime(), last_seen_at.getTime()];
    const last = periods.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else periods.push({ from, to });
  }
  return periods;
}

/** Deletes periods that ended long ago. Returns their number. */
export const deleteOldPeriods = (database: Database): Promise<number> =>
  database('listening_periods')
    .whereRaw('last_seen_at < UTC_TIMESTAMP(3) - INTERVAL ? DAY', [KEPT_DAYS])
    .delete();

/** Codes of requests that were right, and came when Muster took no more of their integration. */
const FOR_LOAD = ['over_limit', 'overloaded'];

/**
 * Returns when a request to an integration was last rejected only because it was one too many, in milliseconds since 1970, by the ids of integrations. Its
 * sender was not silent then.
 */
export async function refusedForLoad(database: Database): Promise<Map<string, number>> {
  const rows = await database('webhook_tokens')
    .whereIn('refused_code', FOR_LOAD)
    .orderBy('refused_at')
    .select('webhook_id', 'refused_at');
  return new Map(rows.map(({ webhook_id, refused_at }) => [webhook_id, refused_at?.getTime() ?? 0]));
}

/**
 * Returns when the intake had accepted events for so many milliseconds since a time; null if it has not yet, as far as is known.
 * @param periods in order and without overlaps
 */
export function heardFor(periods: readonly Period[], since: number, ms: number): number | null {
  let left = ms;
  for (const { from, to } of periods) {
    const start = Math.max(from, since);
    if (to <= start) continue;
    if (to - start >= left) return start + left;
    left -= to - start;
  }
  return null;
}
