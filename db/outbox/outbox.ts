import type { Knex } from 'knex';
import type { Tables } from 'knex/types/tables.js';
import type { BulkRows } from '../bulk/rows.js';
import { BulkTable } from '../bulk/table.js';
import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { executeText } from '../client/statement.js';

/**
 * How an alert changed. `refolded`: nobody knows from what; what destinations know of it decides. `repeated`: not at all, but a destination is to be
 * told of it again.
 */
export type TransitionKind = 'fired' | 'changed' | 'resolved' | 'refolded' | 'repeated';

/** A place in time: milliseconds since 1970, then an id. */
interface Place {
  receivedAt: number;
  id: string;
}

/** Instead of the place of an alert, if a series has none any more. */
export const NO_ALERT: Place = { receivedAt: 0, id: '00000000-0000-0000-0000-000000000000' };

/** Instead of the integration of a job. */
export const NO_WEBHOOK = NO_ALERT.id;

/** A change of an alert of which nobody has been told yet. */
export interface Transition {
  kind: TransitionKind;
  webhookId: string;
  /** Null for an alert that stands alone. */
  seriesId: string | null;
  /** The place of the alert's first item, or {@link NO_ALERT}. */
  alert: Place;
  /** The last item that the alert had then. */
  item: Place | null;
  /** The alert as it was then, JSON. Without it, the alert is folded again up to {@link item}. */
  alertThen?: string | null;
}

const OUTBOX = new BulkTable('outbox', {
  kind: 'text',
  webhook_id: 'id',
  series_id: 'id',
  alert_received_at: 'time',
  alert_id: 'id',
  item_received_at: 'time',
  item_id: 'id',
  alert: 'text',
});

/** Collects transitions, which are written in the transaction of what changed. */
export class OutboxRows {
  readonly #rows: BulkRows = OUTBOX.rows();

  add({ kind, webhookId, seriesId, alert, item, alertThen = null }: Transition): void {
    const rows = this.#rows;
    rows.text(kind);
    rows.sharedId(webhookId);
    rows.id(seriesId);
    rows.time(alert.receivedAt);
    rows.id(alert.id);
    rows.time(item?.receivedAt ?? null);
    rows.id(item?.id ?? null);
    rows.text(alertThen);
    rows.endRow();
  }

  /** May be repeated with its transaction. */
  insert(transaction: Knex.Transaction): Promise<void> {
    return OUTBOX.insert(transaction, this.#rows);
  }
}

/** The end of a job whose request named a destination to tell. */
export interface JobEnd {
  jobId: string;
  destinationId: string;
  /** What is told, as JSON. */
  job: string;
}

/** Writes the end of a job into the outbox, in the transaction in which it ends. */
export async function insertJobEnd(
  transaction: Knex.Transaction,
  { jobId, destinationId, job }: JobEnd,
): Promise<void> {
  await transaction('outbox').insert({
    kind: 'finished',
    webhook_id: toUuidBinary(NO_WEBHOOK),
    alert_received_at: new Date(NO_ALERT.receivedAt),
    alert_id: toUuidBinary(jobId),
    destination_id: destinationId,
    job,
  });
}

/** How long a process may not know that there is a first destination, or none any more. */
const KNOWN_MS = 1_000;
const known = new WeakMap<object, { at: number; found: Promise<boolean> }>();

/** Returns whether there is a destination, also a paused one. It may have been created up to a second ago without being known. */
export function hasDestinations(database: Database): Promise<boolean> {
  const before = known.get(database);
  const now = performance.now();
  if (before && now - before.at < KNOWN_MS) return before.found;
  const found = database('destinations')
    .whereNull('deleted_at')
    .first('id')
    .then((row) => row !== undefined);
  known.set(database, { at: now, found });
  found.catch(() => known.delete(database));
  return found;
}

/** A transition of the outbox, with its number: those of one series ascend in the order in which they were committed. */
export type NumberedTransition = Transition & {
  id: number;
  /** Who is told; null: all that want it. */
  destinationId: string | null;
};

/** Returns whether this transaction may take transitions; false while another one does. One at a time keeps those of a series in order. */
export async function beginTaking(transaction: Knex.Transaction): Promise<boolean> {
  const [rows] = await transaction.raw(
    "SELECT destination_id FROM lanes WHERE destination_id = 'fan-out' FOR UPDATE SKIP LOCKED",
  );
  return rows.length > 0;
}

/** Returns the oldest rows that are committed: changes of alerts, and ends of jobs. */
export async function nextInOutbox(
  transaction: Knex.Transaction,
  limit: number,
): Promise<{ ids: number[]; transitions: NumberedTransition[]; ends: (JobEnd & { id: number })[] }> {
  const rows = await transaction('outbox').orderBy('id').limit(limit);
  const transitions: NumberedTransition[] = [];
  const ends: (JobEnd & { id: number })[] = [];
  for (const { kind, ...row } of rows) {
    const id = Number(row.id);
    const { destination_id: destinationId, job } = row;
    if (kind !== 'finished') transitions.push({ id, kind, ...toTransition(row) });
    else if (destinationId !== null && job !== null)
      ends.push({ id, jobId: fromUuidBinary(row.alert_id), destinationId, job });
  }
  return { ids: rows.map((row) => Number(row.id)), transitions, ends };
}

const toTransition = (row: Omit<Tables['outbox'], 'kind'>): Omit<NumberedTransition, 'id' | 'kind'> => ({
  webhookId: fromUuidBinary(row.webhook_id),
  seriesId: row.series_id && fromUuidBinary(row.series_id),
  alert: { receivedAt: row.alert_received_at.getTime(), id: fromUuidBinary(row.alert_id) },
  item:
    row.item_received_at && row.item_id
      ? { receivedAt: row.item_received_at.getTime(), id: fromUuidBinary(row.item_id) }
      : null,
  alertThen: row.alert,
  destinationId: row.destination_id,
});

export async function deleteFromOutbox(transaction: Knex.Transaction, ids: readonly number[]): Promise<void> {
  await executeText(transaction, 'DELETE FROM outbox WHERE id IN (?)', [ids]);
}
