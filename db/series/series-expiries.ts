import type { Knex } from 'knex';
import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { executeText, readPrepared } from '../client/statement.js';
import { idLists } from './id-list.js';
import type { SilentAlert } from './silent-alerts.js';

/** When the alert of a series expires, as an event says. Counts only while that is the newest event of the alert. Milliseconds since 1970. */
export interface EventExpiry {
  seriesId: string;
  /** Of the event. */
  receivedAt: number;
  expiresAt: number;
  /** What the event says, without its times, in hexadecimal; null if its repetitions are events of their own. */
  digest: string | null;
}

/** A stored expiry. */
export interface StoredExpiry extends EventExpiry {
  /** When the event came, or was repeated last. */
  heardAt: number;
}

/** Rows in one statement. */
const ROWS = 500;
/**
 * Of two events of a series, the later one decides, and an event that has been repeated stays as it is. The columns are set in this order.
 */
const IS_LATER =
  'VALUES(received_at) > received_at OR (VALUES(received_at) = received_at AND COALESCE(heard_at, received_at) <= received_at)';
const LATER = `ON DUPLICATE KEY UPDATE expires_at = IF(${IS_LATER}, VALUES(expires_at), expires_at),
  digest = IF(${IS_LATER}, VALUES(digest), digest), repetitions = IF(${IS_LATER}, 0, repetitions),
  heard_at = IF(${IS_LATER}, VALUES(heard_at), heard_at), received_at = GREATEST(received_at, VALUES(received_at))`;

/** Stores when alerts expire. Call it with the series locked. */
export async function writeExpiries(
  transaction: Knex.Transaction,
  expiries: readonly EventExpiry[],
): Promise<void> {
  const sorted = [...expiries].sort((one, other) => (one.seriesId < other.seriesId ? -1 : 1));
  for (let start = 0; start < sorted.length; start += ROWS) {
    const some = sorted.slice(start, start + ROWS);
    await executeText(
      transaction,
      `INSERT INTO series_expiries (series_id, received_at, heard_at, expires_at, digest) VALUES ${some.map(() => '(?,?,?,?,?)').join()} ${LATER}`,
      some.flatMap(({ seriesId, receivedAt, expiresAt, digest }) => [
        toUuidBinary(seriesId),
        new Date(receivedAt),
        new Date(receivedAt),
        new Date(expiresAt),
        digest === null ? null : Buffer.from(digest, 'hex'),
      ]),
    );
  }
}

/** How often an event was repeated, and what that says. */
export interface Repeated extends StoredExpiry {
  repetitions: number;
}

/** The columns are set in this order. */
const PROLONG = `ON DUPLICATE KEY UPDATE
  repetitions = IF(VALUES(received_at) = received_at, repetitions + VALUES(repetitions), repetitions),
  expires_at = IF(VALUES(received_at) = received_at, GREATEST(expires_at, VALUES(expires_at)), expires_at),
  heard_at = IF(VALUES(received_at) = received_at, GREATEST(heard_at, VALUES(heard_at)), heard_at)`;

/** Counts repetitions of events, which prolong their alerts. Call it with the series locked. */
export async function countRepetitions(
  transaction: Knex.Transaction,
  repeated: readonly Repeated[],
): Promise<void> {
  const sorted = [...repeated].sort((one, other) => (one.seriesId < other.seriesId ? -1 : 1));
  for (let start = 0; start < sorted.length; start += ROWS) {
    const some = sorted.slice(start, start + ROWS);
    await executeText(
      transaction,
      `INSERT INTO series_expiries (series_id, received_at, heard_at, expires_at, digest, repetitions)
        VALUES ${some.map(() => '(?,?,?,?,?,?)').join()} ${PROLONG}`,
      some.flatMap(({ seriesId, receivedAt, heardAt, expiresAt, digest, repetitions }) => [
        toUuidBinary(seriesId),
        new Date(receivedAt),
        new Date(heardAt),
        new Date(expiresAt),
        digest === null ? null : Buffer.from(digest, 'hex'),
        repetitions,
      ]),
    );
  }
}

/** Returns the expiries of series by the series' ids. */
export async function readExpiries(
  transaction: Knex.Transaction,
  seriesIds: readonly string[],
): Promise<Map<string, StoredExpiry>> {
  const found = new Map<string, StoredExpiry>();
  for (const { marks, values } of idLists(seriesIds)) {
    const sql = `SELECT series_id, received_at, heard_at, expires_at, digest FROM series_expiries WHERE series_id IN (${marks})`;
    for (const row of await readPrepared<ExpiryRow>(transaction, sql, values)) {
      const expiry = toExpiry(row);
      found.set(expiry.seriesId, expiry);
    }
  }
  return found;
}

type ExpiryRow = [
  seriesId: Buffer,
  receivedAt: Date,
  heardAt: Date | null,
  expiresAt: Date,
  digest: Buffer | null,
];

function toExpiry(row: ExpiryRow): StoredExpiry {
  const [receivedAt, heardAt] = [row[1].getTime(), row[2]?.getTime() ?? 0];
  return {
    seriesId: fromUuidBinary(row[0]),
    receivedAt,
    expiresAt: row[3].getTime(),
    heardAt: Math.max(heardAt, receivedAt),
    // A worker of an earlier release leaves that of an older event.
    digest: heardAt < receivedAt ? null : (row[4]?.toString('hex') ?? null),
  };
}

/** What decides whether an event only repeats what is stored of its series. Times in milliseconds since 1970. */
export interface HeardSeries {
  expiry: StoredExpiry;
  /** Of the newest event of the series, and of its latest alert. */
  newestAt: number | null;
  alertNewestAt: number | null;
  firing: boolean;
  /** As those of `StoredSeries` and of its alert. */
  refoldFrom: number | null;
  ended: string | null;
  occurrence: string | null;
}

/** Locks those of the series that exist until the transaction ends, and returns those that have an expiry by their ids. @param ids sorted */
export async function lockHeard(
  transaction: Knex.Transaction,
  ids: readonly string[],
): Promise<Map<string, HeardSeries>> {
  const locked: HeardRow[] = [];
  for (const { marks, values } of idLists(ids)) {
    // The hint: see `lockStored`. What belongs to series is read after all are locked.
    const sql = `SELECT id, last_received_at, alert_last_received_at, firing, refold_from, ended, occurrence
      FROM series FORCE INDEX (PRIMARY) WHERE id IN (${marks}) ORDER BY id FOR UPDATE`;
    locked.push(...(await readPrepared<HeardRow>(transaction, sql, values)));
  }
  const expiries = await readExpiries(transaction, ids);
  const found = new Map<string, HeardSeries>();
  for (const row of locked) {
    const id = fromUuidBinary(row[0]);
    const expiry = expiries.get(id);
    if (!expiry) continue;
    found.set(id, {
      expiry,
      newestAt: row[1]?.getTime() ?? null,
      alertNewestAt: row[2]?.getTime() ?? null,
      firing: row[3] === 1,
      refoldFrom: row[4]?.getTime() ?? null,
      ended: row[5],
      occurrence: row[6],
    });
  }
  return found;
}

type HeardRow = [
  id: Buffer,
  newestAt: Date | null,
  alertNewestAt: Date | null,
  firing: number,
  refoldFrom: Date | null,
  ended: string | null,
  occurrence: string | null,
];

/** How often the newest event of a series was repeated without being stored. */
export interface Repetitions {
  /** Of the event. */
  receivedAt: Date;
  count: number;
  lastAt: Date;
}

/** Returns how often the newest event of a series was repeated; null if it was not. */
export async function findRepetitions(database: Database, seriesId: string): Promise<Repetitions | null> {
  const row = await database('series_expiries')
    .where({ series_id: toUuidBinary(seriesId) })
    .where('repetitions', '>', 0)
    .first('received_at', 'heard_at', 'repetitions');
  return row?.heard_at ? { receivedAt: row.received_at, count: row.repetitions, lastAt: row.heard_at } : null;
}

/** An alert whose newest event says when it expires. */
export type ExpiringAlert = SilentAlert & { expiresAt: number; heardAt: number };

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
    const heardAt = Math.max(row.heard_at?.getTime() ?? 0, receivedAt);
    const alert = {
      alertId: fromUuidBinary(row.alert_id),
      series,
      silentSince: receivedAt,
      heardAt,
      expiresAt,
    };
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
