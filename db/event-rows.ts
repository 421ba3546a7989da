import type { Knex } from 'knex';
import type { AlertState } from './alerts.js';
import type { EventState } from './events.js';
import { toShortId } from './short-id.js';
import { executePrepared, type Values } from './statement.js';

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

/** A table's prepared statements, by their number of rows: text cost the server a third more of its time. */
function table(
  name: string,
  columns: readonly string[],
  onDuplicate = '',
): { width: number; texts: Map<number, string> } {
  const row = `(${columns.map(() => '?').join(',')})`;
  const text = (rows: number) =>
    `INSERT INTO ${name} (${columns.join(', ')}) VALUES ${new Array(rows).fill(row).join(',')}${onDuplicate}`;
  return { width: columns.length, texts: new Map(SHAPES.map((rows) => [rows, text(rows)])) };
}

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
const ALERT_COLUMNS = ['received_at', 'webhook_id', 'id', 'state', 'revision', ...TEXT_COLUMNS];
/** Alerts outlive their events: an event that comes again later leaves those that it made before as they are. */
const ALERTS = table('alerts', ALERT_COLUMNS, ' ON DUPLICATE KEY UPDATE id = id');
const RENEWED = ['state', 'revision', ...TEXT_COLUMNS].map((name) => `${name} = VALUES(${name})`);
const ALERTS_ANEW = table('alerts', ALERT_COLUMNS, ` ON DUPLICATE KEY UPDATE ${RENEWED.join(', ')}`);

/** Fails with a duplicate key when one is there. */
export const insertEventRows = (transaction: Knex.Transaction, events: readonly NewEvent[]): Promise<void> =>
  insert(transaction, EVENTS, eventCells(events));

/** Inserts the alerts of events; one that is there stays as it is. */
export const insertAlertRows = (transaction: Knex.Transaction, events: readonly NewEvent[]): Promise<void> =>
  insert(transaction, ALERTS, alertCells(events));

/** Inserts the alerts of events, and makes those that are there anew. */
export const renewAlertRows = (transaction: Knex.Transaction, events: readonly NewEvent[]): Promise<void> =>
  insert(transaction, ALERTS_ANEW, alertCells(events));

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

function eventCells(events: readonly NewEvent[]): Values {
  const cells: Values = [];
  for (const { id, webhookId, receivedAt, state, revision, alerts, faults, raw } of events) {
    cells.push(sqlTime(receivedAt), shortWebhookId(webhookId), shortId(id), state);
    cells.push(revision, alerts.length, faults, raw);
  }
  return cells;
}

function alertCells(events: readonly NewEvent[]): Values {
  const cells: Values = [];
  for (const { receivedAt, webhookId, revision, alerts } of events) {
    const [time, webhook] = [sqlTime(receivedAt), shortWebhookId(webhookId)];
    for (const alert of alerts) {
      cells.push(time, webhook, shortId(alert.id), alert.state, revision);
      pushTexts(cells, alert);
    }
  }
  return cells;
}

/** In the order of `TEXT_COLUMNS`. One by one: to read each by its name took five times as long. */
function pushTexts(cells: Values, alert: NewAlert): void {
  cells.push(alert.title, alert.severity, alert.description, alert.source);
  cells.push(alert.service, alert.environment, alert.team, alert.custom, alert.faults);
}

/** Checked: it comes from the queue. */
function shortId(uuid: string): Buffer {
  const id = toShortId(uuid);
  if (id.length !== 16) throw new Error('not a UUID');
  return id;
}

/** Events that come together are mostly of one integration. */
function shortWebhookId(uuid: string): Buffer {
  if (uuid !== lastWebhook) lastShort = shortId(uuid);
  lastWebhook = uuid;
  return lastShort;
}

let lastWebhook = '';
let lastShort: Buffer = Buffer.alloc(0);

/** UTC, as the session's time zone is. Events of a burst share their millisecond. */
function sqlTime(ms: number): string {
  if (ms !== lastMs) lastTime = new Date(ms).toISOString().slice(0, 23).replace('T', ' ');
  lastMs = ms;
  return lastTime;
}

let lastMs = Number.NaN;
let lastTime = '';
