import type { Knex } from 'knex';
import type { RowDataPacket } from 'mysql2';
import type { AlertState } from './alerts.js';
import type { Database } from './connect.js';
import { isDuplicateKey } from './errors.js';
import type { EventState } from './events.js';
import { fromShortId, toShortId } from './short-id.js';
import { executePrepared, type Values } from './statement.js';
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

/**
 * Stores events with their alerts, all or none; answers how many were new. An event whose id is there already is left
 * as it is, its alerts too: so a batch may be stored any number of times, by any number of workers at once.
 */
export async function storeEvents(database: Database, events: readonly NewEvent[]): Promise<number> {
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

const TEXT_COLUMNS = [
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
/** Rows a statement: a few shapes only, because each is prepared on every connection. */
const SHAPES = [200, 64, 16, 4, 1];
/** Bytes in one statement, about: a thousand alerts of one event, each long, would otherwise be 16 MB. */
const STATEMENT_SIZE = 1_000_000;

const EVENTS = table('events', [
  'received_at',
  'webhook_id',
  'id',
  'state',
  'revision',
  'alert_count',
  'faults',
  'raw',
]);
const ALERTS = table('alerts', ['received_at', 'webhook_id', 'id', 'state', 'revision', ...TEXT_COLUMNS]);
/** A table's statements, by their number of rows. */
function table(name: string, columns: readonly string[]): { width: number; texts: Map<number, string> } {
  const row = `(${columns.map(() => '?').join(',')})`;
  const text = (rows: number) =>
    `INSERT INTO ${name} (${columns.join(', ')}) VALUES ${new Array(rows).fill(row).join(',')}`;
  return { width: columns.length, texts: new Map(SHAPES.map((rows) => [rows, text(rows)])) };
}

async function insertAll(transaction: Knex.Transaction, events: readonly NewEvent[]): Promise<void> {
  const [eventCells, alertCells]: [Values, Values] = [[], []];
  for (const event of events) addCells(event, eventCells, alertCells);
  await insert(transaction, EVENTS, eventCells);
  await insert(transaction, ALERTS, alertCells);
}

/** Inserts rows whose cells come one after the other. */
async function insert(
  transaction: Knex.Transaction,
  { width, texts }: ReturnType<typeof table>,
  cells: Values,
): Promise<void> {
  for (let at = 0; at < cells.length; ) {
    const fitting = fittingRows(cells, at, width);
    const rows = SHAPES.find((shape) => shape <= fitting) ?? 1;
    const next = at + rows * width;
    await executePrepared(transaction, texts.get(rows) as string, cells.slice(at, next));
    at = next;
  }
}

/** How many rows from there go into one statement that any server takes: one at least. */
function fittingRows(cells: Values, from: number, width: number): number {
  const most = Math.min(SHAPES[0] as number, (cells.length - from) / width);
  let size = 0;
  for (let at = from; at < from + most * width; at++) {
    const cell = cells[at];
    if (typeof cell === 'object' && !cell) continue;
    size += typeof cell === 'number' ? 8 : (cell as string | Buffer).length;
    if (size > STATEMENT_SIZE) return Math.max(1, Math.floor((at - from) / width));
  }
  return most;
}

/** The row of an event and those of its alerts, in the order of the columns. */
function addCells(event: NewEvent, eventCells: Values, alertCells: Values): void {
  const { state, revision, alerts, faults, raw } = event;
  const receivedAt = sqlTime(event.receivedAt);
  const webhookId = shortId(event.webhookId);
  eventCells.push(receivedAt, webhookId, shortId(event.id), state, revision, alerts.length, faults, raw);
  for (const alert of alerts) {
    alertCells.push(receivedAt, webhookId, shortId(alert.id), alert.state, revision);
    for (const column of TEXT_COLUMNS) alertCells.push(alert[column]);
  }
}

/** Checked: it comes from the queue. */
function shortId(uuid: string): Buffer {
  const id = toShortId(uuid);
  if (id.length !== 16) throw new Error('not a UUID');
  return id;
}

/** UTC, as the session's time zone is. Events of a burst share their millisecond. */
function sqlTime(ms: number): string {
  if (ms !== lastMs) lastTime = new Date(ms).toISOString().slice(0, 23).replace('T', ' ');
  lastMs = ms;
  return lastTime;
}

let lastMs = Number.NaN;
let lastTime = '';

async function withoutStored(database: Database, events: readonly NewEvent[]): Promise<NewEvent[]> {
  const ids = events.map(({ id }) => toShortId(id));
  const rows: RowDataPacket[] = await database('events').whereIn('id', ids).select('id');
  const stored = new Set(rows.map((row) => fromShortId(row.id)));
  return events.filter(({ id }) => !stored.has(id));
}
