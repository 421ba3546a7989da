import type { Knex } from 'knex';
import type { BulkTable } from '../bulk/table.js';
import { ALERTS, addAlert, addEvent, EVENTS, UPSERTED_ALERTS } from './event-tables.js';
import { type NewEvent, rowSize } from './new-event.js';

/**
 * The alerts of an event that has more than this are encoded only while they are sent. They mostly share their texts, and
 * rows would hold each text a thousand times: with eight such events, a worker grew from 220 MB to 350 MB.
 */
const MAX_ENCODED_ALERTS = 16;
/** Bytes of such an event's alerts that are encoded at a time. */
const PIECE_BYTES = 1_000_000;

/** The rows of events and their alerts, encoded and ready to send. */
export class EventRows {
  readonly #events = EVENTS.rows();
  readonly #alerts = ALERTS.rows();
  readonly #ids = new Set<string>();
  /** Events with many alerts, which are encoded while they are sent. */
  readonly #large: NewEvent[] = [];
  #largeSize = 0;

  static of(events: Iterable<NewEvent>): EventRows {
    const rows = new EventRows();
    for (const event of events) rows.add(event);
    return rows;
  }

  /** The ids of the events. */
  get ids(): ReadonlySet<string> {
    return this.#ids;
  }

  /** About how many bytes of memory the rows take. */
  get size(): number {
    return this.#events.size + this.#alerts.size + this.#largeSize;
  }

  /** Adds an event and its alerts, unless an event with the same id was added before. */
  add(event: NewEvent): void {
    if (this.#ids.has(event.id)) return;
    this.#ids.add(event.id);
    addEvent(this.#events, event);
    if (event.alerts.length > MAX_ENCODED_ALERTS) {
      this.#large.push(event);
      this.#largeSize += rowSize(event);
    } else for (const alert of event.alerts) addAlert(this.#alerts, event, alert);
  }

  /**
   * Inserts the events and their alerts. Stored alerts stay as they are.
   * @throws the driver's duplicate key error if one of the events is stored
   */
  async insert(transaction: Knex.Transaction): Promise<void> {
    await EVENTS.insert(transaction, this.#events);
    await this.#insertAlerts(transaction, ALERTS);
  }

  /** Inserts the alerts of the events and overwrites those that are stored. */
  upsertAlerts(transaction: Knex.Transaction): Promise<void> {
    return this.#insertAlerts(transaction, UPSERTED_ALERTS);
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
