import type { Knex } from 'knex';
import type { BulkRows } from '../bulk/rows.js';
import type { BulkTable } from '../bulk/table.js';
import { OutboxRows } from '../outbox/outbox.js';
import { isDeliveryId } from './alerts/alert-id.js';
import {
  ALERTS,
  addAlert,
  addEvent,
  addItem,
  DELIVERIES,
  EVENTS,
  ITEMS,
  UPSERTED_ALERTS,
} from './event-tables.js';
import { itemSize, type NewAlert, type NewEvent, type NewItem, type Ping, rowSize } from './new-event.js';

/**
 * The alerts of an event that has more than this are encoded only while they are sent. They mostly share their texts, and
 * rows would hold each text a thousand times: with eight such events, a worker grew from 220 MB to 350 MB.
 */
const MAX_ENCODED_ALERTS = 16;
/** Bytes of such alerts, and of items, that are encoded at a time. */
const PIECE_BYTES = 1_000_000;

/** A ping with its place. Milliseconds since 1970. */
export interface ReceivedPing extends Ping {
  webhookId: string;
  receivedAt: number;
}

/** The rows of events and their alerts, encoded and ready to send. */
export class EventRows {
  readonly #events = EVENTS.rows();
  readonly #alerts = ALERTS.rows();
  readonly #deliveries = DELIVERIES.rows();
  readonly #receivedAt = new Map<string, number>();
  /** Events with many alerts, which are encoded while they are sent. */
  readonly #large: NewEvent[] = [];
  /** Items stay objects, because their series are folded from them after they are inserted. */
  readonly #items: NewItem[] = [];
  readonly #pings: ReceivedPing[] = [];
  /** Of alerts that stand alone; null: nobody is told. */
  readonly #outbox: OutboxRows | null;
  /** Bytes of the large events and of the items. */
  #heldSize = 0;

  /** @param tells whether to write alerts that stand alone into the outbox */
  constructor(tells = false) {
    this.#outbox = tells ? new OutboxRows() : null;
  }

  static of(events: Iterable<NewEvent>): EventRows {
    const rows = new EventRows();
    for (const event of events) rows.add(event);
    return rows;
  }

  /** The ids of the events, and when each was received. Milliseconds since 1970. */
  get receivedAt(): ReadonlyMap<string, number> {
    return this.#receivedAt;
  }

  /** About how many bytes of memory the rows take. */
  get size(): number {
    return this.#events.size + this.#deliveries.size + this.#alerts.size + this.#heldSize;
  }

  /** The pings of heartbeats among the events. */
  get pings(): readonly ReceivedPing[] {
    return this.#pings;
  }

  /** The items of the events that belong to a series. */
  get items(): readonly NewItem[] {
    return this.#items;
  }

  /** Adds an event with its alerts and items, unless an event with the same id was added before. */
  add(event: NewEvent): void {
    if (this.#receivedAt.has(event.id)) return;
    this.#receivedAt.set(event.id, event.receivedAt);
    addEvent(this.#events, event);
    if (isDeliveryId(event.id)) {
      this.#deliveries.id(event.id);
      this.#deliveries.time(event.receivedAt);
      this.#deliveries.endRow();
    }
    if (event.alerts.length > MAX_ENCODED_ALERTS) {
      this.#large.push(event);
      this.#heldSize += rowSize(event);
    } else for (const alert of event.alerts) addAlert(this.#alerts, event, alert);
    if (this.#outbox) tellOf(event, this.#outbox);
    if (event.ping)
      this.#pings.push({ ...event.ping, webhookId: event.webhookId, receivedAt: event.receivedAt });
    for (const item of event.items) {
      this.#items.push(item);
      this.#heldSize += itemSize(item);
    }
  }

  /**
   * Inserts the events, their alerts and their items. Stored alerts stay as they are.
   * @throws the driver's duplicate key error if one of the events, deliveries or items is stored
   */
  async insert(transaction: Knex.Transaction): Promise<void> {
    await EVENTS.insert(transaction, this.#events);
    await DELIVERIES.insert(transaction, this.#deliveries);
    await insertInPieces(transaction, ITEMS, this.#items, addItem);
    await this.#insertAlerts(transaction, ALERTS);
    await this.#outbox?.insert(transaction);
  }

  /** Inserts the alerts of the events and overwrites those that are stored. */
  upsertAlerts(transaction: Knex.Transaction): Promise<void> {
    return this.#insertAlerts(transaction, UPSERTED_ALERTS);
  }

  async #insertAlerts(transaction: Knex.Transaction, table: BulkTable): Promise<void> {
    await table.insert(transaction, this.#alerts);
    for (const event of this.#large) {
      const add = (rows: BulkRows, alert: NewAlert) => addAlert(rows, event, alert);
      await insertInPieces(transaction, table, event.alerts, add);
    }
  }
}

function tellOf({ webhookId, receivedAt, alerts }: NewEvent, outbox: OutboxRows): void {
  for (const { id, isTest } of alerts)
    if (!isTest)
      outbox.add({ kind: 'fired', webhookId, seriesId: null, alert: { receivedAt, id }, item: null });
}

async function insertInPieces<Row>(
  transaction: Knex.Transaction,
  table: BulkTable,
  all: readonly Row[],
  add: (rows: BulkRows, row: Row) => void,
): Promise<void> {
  let rows = table.rows();
  for (const row of all) {
    add(rows, row);
    if (rows.size < PIECE_BYTES) continue;
    await table.insert(transaction, rows);
    rows = table.rows();
  }
  await table.insert(transaction, rows);
}
