import type { Knex } from 'knex';
import { escape as literal, type RowDataPacket } from 'mysql2';
import type { AlertState } from './alerts.js';
import type { Database } from './connect.js';
import { isDuplicateKey } from './errors.js';
import type { EventState } from './events.js';
import { fromShortId, toShortId } from './short-id.js';
import { runReady } from './statement.js';
import { inTransaction } from './transaction.js';

/** An alert about to be stored; texts are no longer than their columns. */
export interface NewAlert {
  id: string;
  state: AlertState;
  title: string | null;
  severity: string | null;
  description: string | null;
  source: string | null;
  service: string | null;
  environment: string | null;
  team: string | null;
  /** JSON, or null when there are no custom fields. */
  custom: string | null;
  /** JSON of why it is incomplete; null when it is complete. */
  faults: string | null;
}

/** An event about to be stored, with what was made of it. */
export interface NewEvent {
  id: string;
  webhookId: string;
  /** Milliseconds since 1970. */
  receivedAt: number;
  state: EventState;
  revision: number;
  /** JSON of why no alert was made of it; null when all went well. */
  faults: string | null;
  /** The body as it was sent; text when it is UTF-8. */
  raw: string | Buffer;
  alerts: readonly NewAlert[];
}

/** An event as the rows that it will be: small, so that many can wait for their write. */
export interface EventRows {
  id: string;
  event: string;
  alerts: string[];
}

/**
 * Stores events with their alerts, all or none; answers how many were new. An event whose id is there already is left
 * as it is, its alerts too: so a batch may be stored any number of times, by any number of workers at once.
 */
export async function storeEvents(database: Database, events: readonly EventRows[]): Promise<number> {
  let fresh = [...new Map(events.map((event) => [event.id, event])).values()];
  while (fresh.length > 0) {
    try {
      await inTransaction(database, (transaction) => insertAll(transaction, fresh));
      return fresh.length;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      fresh = await withoutStored(database, fresh);
    }
  }
  return 0;
}

const INSERT_EVENTS =
  'INSERT INTO events (received_at, webhook_id, id, state, revision, alert_count, faults, raw) VALUES ';
/** Columns of an alert that hold text or nothing. */
export const TEXT_COLUMNS = [
  'title',
  'severity',
  'description',
  'source',
  'service',
  'environment',
  'team',
  'custom',
  'faults',
] as const satisfies readonly (keyof NewAlert)[];
/** To be followed by rows, as `toRows` makes them. */
export const INSERT_ALERTS = `INSERT INTO alerts (received_at, webhook_id, id, state, revision, ${TEXT_COLUMNS.join(', ')}) VALUES `;
/** Characters in one statement, about: a thousand alerts of one event, each long, would otherwise be 16 MB. */
const STATEMENT_SIZE = 1_000_000;

async function insertAll(transaction: Knex.Transaction, events: readonly EventRows[]): Promise<void> {
  for (const rows of statements(events.map(({ event }) => event))) {
    await runReady(transaction, INSERT_EVENTS + rows);
  }
  for (const rows of statements(events.flatMap(({ alerts }) => alerts))) {
    await runReady(transaction, INSERT_ALERTS + rows);
  }
}

/** Rows joined to statements that any server takes. */
export function* statements(rows: readonly string[]): Generator<string> {
  let start = 0;
  let size = 0;
  for (const [place, row] of rows.entries()) {
    size += row.length;
    if (size < STATEMENT_SIZE && place < rows.length - 1) continue;
    yield rows.slice(start, place + 1).join(',');
    start = place + 1;
    size = 0;
  }
}

/**
 * Written out, because this is where a worker spends its time: arrays of cells for the driver to format took more of it.
 * Joined, because a template's text stays in pieces until it is used, and these wait.
 */
export function toRows(event: NewEvent): EventRows {
  const { id, state, revision, alerts, faults, raw } = event;
  const place = `${sqlTime(event.receivedAt)},${sqlId(event.webhookId)}`;
  const body = typeof raw === 'string' ? sqlText(raw) : `X'${raw.toString('hex')}'`;
  const row = [place, sqlId(id), sqlText(state), revision, alerts.length, sqlText(faults), body];
  return { id, event: `(${row.join(',')})`, alerts: alerts.map((alert) => alertRow(place, revision, alert)) };
}

function alertRow(place: string, revision: number, alert: NewAlert): string {
  const cells = [place, sqlId(alert.id), sqlText(alert.state), revision];
  for (const column of TEXT_COLUMNS) cells.push(sqlText(alert[column]));
  return `(${cells.join(',')})`;
}

const sqlText = (text: string | null): string => (text === null ? 'NULL' : literal(text));

/** A UUID as the 16 bytes of its column. Checked: it comes from the queue. */
export function sqlId(uuid: string): string {
  if (!UUID.test(uuid)) throw new Error('not a UUID');
  return `X'${uuid.slice(0, 8)}${uuid.slice(9, 13)}${uuid.slice(14, 18)}${uuid.slice(19, 23)}${uuid.slice(24)}'`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** UTC, as the session's time zone is. */
const sqlTime = (ms: number): string => `'${new Date(ms).toISOString().slice(0, 23).replace('T', ' ')}'`;

async function withoutStored(database: Database, events: readonly EventRows[]): Promise<EventRows[]> {
  const ids = events.map(({ id }) => toShortId(id));
  const rows: RowDataPacket[] = await database('events').whereIn('id', ids).select('id');
  const stored = new Set(rows.map((row) => fromShortId(row.id)));
  return events.filter(({ id }) => !stored.has(id));
}
