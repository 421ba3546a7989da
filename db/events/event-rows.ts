import type { Knex } from 'knex';
import type { BulkTable } from '../bulk/table.js';
import type { AlertState } from './alerts.js';
import { ALERTS, ALERTS_ANEW, addAlert, addEvent, EVENTS } from './event-tables.js';
import type { EventState } from './events.js';
import { rowSize } from './row-size.js';

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
 * An event with more alerts is kept as it is until it is sent: they mostly share their texts, which as rows would be there
 * a thousand times. Eight such events in hand took a worker from 220 MB to 350.
 */
const FEW_ALERTS = 16;
/** Bytes of rows at a time that are made of such an event. */
const PIECE_BYTES = 1_000_000;

/** The rows of events and of their alerts, ready to be sent. */
export class EventRows {
  readonly #events = EVENTS.rows();
  readonly #alerts = ALERTS.rows();
  readonly #ids = new Set<string>();
  /** Events of whose alerts rows are made when they are sent. */
  readonly #large: NewEvent[] = [];
  #largeSize = 0;

  static of(events: Iterable<NewEvent>): EventRows {
    const rows = new EventRows();
    for (const event of events) rows.add(event);
    return rows;
  }

  /** Ids of the events. */
  get ids(): ReadonlySet<string> {
    return this.#ids;
  }

  /** Bytes that the rows take in memory, about. */
  get size(): number {
    return this.#events.size + this.#alerts.size + this.#largeSize;
  }

  /** Adds an event with its alerts, unless it is there already. */
  add(event: NewEvent): void {
    if (this.#ids.has(event.id)) return;
    this.#ids.add(event.id);
    addEvent(this.#events, event);
    if (event.alerts.length > FEW_ALERTS) {
      this.#large.push(event);
      this.#largeSize += rowSize(event);
    } else for (const alert of event.alerts) addAlert(this.#alerts, event, alert);
  }

  /** Inserts the events; fails with a duplicate key when one is there. */
  insertEvents(transaction: Knex.Transaction): Promise<void> {
    return EVENTS.insert(transaction, this.#events);
  }

  /** Inserts the alerts; one that is there stays as it is. */
  insertAlerts(transaction: Knex.Transaction): Promise<void> {
    return this.#insertAlerts(transaction, ALERTS);
  }

  /** Inserts the alerts, and makes those that are there anew. */
  upsertAlerts(transaction: Knex.Transaction): Promise<void> {
    return this.#insertAlerts(transaction, ALERTS_ANEW);
  }

  async #insertAlerts(transaction: Knex.Transaction, table: BulkTable): Promise<void> {
    await table.insert(transaction, this.#alerts);
    for (const event of this.#large) await insertInPieces(transaction, table, event);
  }
}

async function insertInPieces(
  transaction: Knex.Transaction,
  table: BulkTable,
  event: NewEvent,
): Promise<void> {
  let rows = table.rows();
  for (const alert of event.alerts) {
    addAlert(rows, event, alert);
    if (rows.size < PIECE_BYTES) continue;
    await table.insert(transaction, rows);
    rows = table.rows();
  }
  await table.insert(transaction, rows);
}
