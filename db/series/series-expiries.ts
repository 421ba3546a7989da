import type { Knex } from 'knex';
import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import type { SilentAlert } from './silent-alerts.js';

/** When the alert of a series expires, as an event says. Counts only while that is the newest event of the alert. Milliseconds since 1970. */
export interface EventExpiry {
  seriesId: string;
  /** Of the event. */
  receivedAt: number;
  expiresAt: number;
}

/** Rows in one statement. */
const ROWS = 500;
/** Of two events of a series, the later one decides. The columns are set in this order. */
const LATER = `ON DUPLICATE KEY UPDATE expires_at = IF(VALUES(received_at) >= received_at, VALUES(expires_at), expires_at),
  received_at = GREATEST(received_at, VALUES(received_at))`;

/** Stores when alerts expire. Call it with the series locked. */
export async function writeExpiries(
  transaction: Knex.Transaction,
  expiries: readonly EventExpiry[],
): Promise<void> {
  const sorted = [...expiries].sort((one, other) => (one.seriesId < other.seriesId ? -1 : 1));
  for (let start = 0; start < sorted.length; start += ROWS) {
    const some = sorted.slice(start, start + ROWS);
    await transaction.raw(
      `INSERT INTO series_expiries (series_id, received_at, expires_at) VALUES ${some.map(() => '(?,?,?)').join()} ${LATER}`,
      some.flatMap(({ seriesId, receivedAt, expiresAt }) => [
        toUuidBinary(seriesId),
        new Date(receivedAt),
        new Date(expiresAt),
      ]),
    );
  }
}

/** Returns the expiries of series by the series' ids. */
export async function readExpiries(
  database: Database,
  seriesIds: readonly string[],
): Promise<Map<string, EventExpiry>> {
  const found = new Map<string, EventExpiry>();
  for (let start = 0; start < seriesIds.length; start += ROWS) {
    const ids = seriesIds.slice(start, start + ROWS).map(toUuidBinary);
    for (const row of await database('series_expiries').whereIn('series_id', ids)) {
      const seriesId = fromUuidBinary(row.series_id);
      found.set(seriesId, {
        seriesId,
        receivedAt: row.received_at.getTime(),
        expiresAt: row.expires_at.getTime(),
      });
    }
  }
  return found;
}

/** An alert whose newest event says when it expires. */
export type ExpiringAlert = SilentAlert & { expiresAt: number };

/**
 * Returns the next expiries that are due at a time, each with its alert: null if that is over, or has had another event since. Leaves out
 * series that are to be folded again.
 */
export async function dueExpiries(
  database: Database,
  until: Date,
  { after, limit }: { after: { expiresAt: number; seriesId: string } | null; limit: number },
): Promise<{ seriesId: string; expiresAt: number; alert: ExpiringAlert | null }[]> {
  const query = database('series_expiries AS e')
    .leftJoin('series AS s', 's.id', 'e.series_id')
    .where('e.expires_at', '<=', until)
    .whereNull('s.refold_from')
    .orderBy(['e.expires_at', 'e.series_id'])
    .limit(limit)
    .select('e.*', 's.webhook_id', 's.dedup_key', 's.firing', 's.alert_id', 's.alert_last_received_at');
  if (after) {
    const [time, id] = [new Date(after.expiresAt), toUuidBinary(after.seriesId)];
    query.where((either) => {
      either
        .where('e.expires_at', '>', time)
        .orWhere((tie) => tie.where('e.expires_at', time).where('e.series_id', '>', id));
    });
  }
  return (await query).map((row) => {
    const seriesId = fromUuidBinary(row.series_id);
    const [receivedAt, expiresAt] = [row.received_at.getTime(), row.expires_at.getTime()];
    const counts = row.firing === 1 && row.alert_id && row.alert_last_received_at?.getTime() === receivedAt;
    if (!counts) return { seriesId, expiresAt, alert: null };
    const webhookId = fromUuidBinary(row.webhook_id);
    const series = { id: seriesId, webhookId, dedupKey: row.dedup_key };
    const alert = { alertId: fromUuidBinary(row.alert_id), series, silentSince: receivedAt, expiresAt };
    return { seriesId, expiresAt, alert };
  });
}

/** Deletes the expiries that events said which say none any more. */
export async function deleteExpiriesOf(
  transaction: Knex.Transaction,
  events: readonly Pick<EventExpiry, 'seriesId' | 'receivedAt'>[],
): Promise<void> {
  for (let start = 0; start < events.length; start += ROWS) {
    const pairs = events
      .slice(start, start + ROWS)
      .map(({ seriesId, receivedAt }) => [toUuidBinary(seriesId), new Date(receivedAt)]);
    await transaction('series_expiries').whereIn(['series_id', 'received_at'], pairs).delete();
  }
}

/** Deletes the expiries of series. */
export async function deleteExpiries(database: Database, seriesIds: readonly string[]): Promise<void> {
  for (let start = 0; start < seriesIds.length; start += ROWS)
    await database('series_expiries')
      .whereIn('series_id', seriesIds.slice(start, start + ROWS).map(toUuidBinary))
      .delete();
}
