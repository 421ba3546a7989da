import { hash } from 'node:crypto';
import type { Knex } from 'knex';
import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import type { SeriesKey } from './series.js';

/** The end of an alert that no event reports, as an item of its series. */
export interface EndItem {
  id: string;
  series: SeriesKey;
  /** Milliseconds since 1970. */
  receivedAt: number;
  origin: 'person' | 'expiry';
  /** Of an expiry: the time of the newest event that it knew of. */
  silentSince: number | null;
  /** What the person said. */
  reason: string | null;
  /** The API key of the person. */
  by: { id: string; name: string } | null;
  /** The job that resolved it for the person. */
  jobId: string | null;
}

/** Returns the id of what Muster does to something for a cause. The same cause gives the same id, so that it counts once. */
export function hashedId(cause: string, subject: string): string {
  const hex = hash('sha256', `${cause}\n${subject}`);
  // A UUID of version 8, whose bits are free but for the version and the variant.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The texts of an end are its reason, as its description: see `Ranks` in `workers/mapping/series`. */
export const endRanks = (reason: string | null): string => (reason === null ? '0000000' : '0020000');

/** Inserts the items of ends. Their series must be locked, and are to be folded with them. */
export async function insertEnds(transaction: Knex.Transaction, ends: readonly EndItem[]): Promise<void> {
  if (ends.length === 0) return;
  await transaction('series_items').insert(
    ends.map(({ id, series, receivedAt, origin, silentSince, reason, by, jobId }) => ({
      received_at: new Date(receivedAt),
      id: toUuidBinary(id),
      series_id: toUuidBinary(series.id),
      status: 'resolved',
      state: 'complete',
      revision: 0,
      event_count: 0,
      description: reason,
      ranks: endRanks(reason),
      is_final: 0,
      origin,
      silent_since: silentSince === null ? null : new Date(silentSince),
      by_key_id: by?.id ?? null,
      by_key_name: by?.name ?? null,
      by_job_id: jobId,
    })),
  );
}

/** Who resolved an alert, and with which job. */
export interface ResolvedByPerson {
  keyId: string;
  keyName: string;
  jobId: string;
}

/** Returns who brought about ends, by the id of the item. */
export async function personsOf(
  database: Database,
  ends: readonly { id: string; receivedAt: number }[],
): Promise<Map<string, ResolvedByPerson>> {
  if (ends.length === 0) return new Map();
  const query = database('series_items')
    .where('origin', 'person')
    .select('id', 'by_key_id', 'by_key_name', 'by_job_id');
  query.where((any) => {
    for (const { id, receivedAt } of ends)
      any.orWhere({ received_at: new Date(receivedAt), id: toUuidBinary(id) });
  });
  return new Map(
    (await query).map(({ id, by_key_id, by_key_name, by_job_id }) => [
      fromUuidBinary(id),
      { keyId: by_key_id ?? '', keyName: by_key_name ?? '', jobId: by_job_id ?? '' },
    ]),
  );
}

/** An end that a job brought about. */
export interface JobEnd {
  id: string;
  series: SeriesKey;
}

/** Returns the next ends that a job brought about at a time, in the order of their ids. */
export async function endsOfJob(
  database: Database,
  { jobId, resolvedAt }: { jobId: string; resolvedAt: Date },
  { after, limit }: { after: string | null; limit: number },
): Promise<JobEnd[]> {
  const query = database('series_items AS i')
    .join('series AS s', 's.id', 'i.series_id')
    .where({ 'i.received_at': resolvedAt, 'i.by_job_id': jobId })
    .orderBy('i.id')
    .limit(limit)
    .select('i.id', 'i.series_id', 's.webhook_id', 's.dedup_key');
  if (after !== null) query.where('i.id', '>', toUuidBinary(after));
  return (await query).map((row) => ({
    id: fromUuidBinary(row.id),
    series: {
      id: fromUuidBinary(row.series_id),
      webhookId: fromUuidBinary(row.webhook_id),
      dedupKey: row.dedup_key,
    },
  }));
}
