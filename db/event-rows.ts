import type { Knex } from 'knex';
import type { AlertState } from './alerts.js';
import { BulkTable } from './bulk/table.js';
import type { EventState } from './events.js';

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

const EVENTS = new BulkTable('events', {
  received_at: 'time',
  webhook_id: 'id',
  id: 'id',
  state: 'text',
  revision: 'number',
  alert_count: 'number',
  faults: 'text',
  raw: 'bytes',
});

const TEXT_COLUMNS = {
  title: 'text',
  severity: 'text',
  description: 'text',
  source: 'text',
  service: 'text',
  environment: 'text',
  team: 'text',
  custom: 'text',
  faults: 'text',
} as const satisfies Partial<Record<keyof NewAlert, 'text'>>;
const ALERT_COLUMNS = {
  received_at: 'time',
  webhook_id: 'id',
  id: 'id',
  state: 'text',
  revision: 'number',
  ...TEXT_COLUMNS,
} as const;
/** Alerts outlive their events: an event that comes again later leaves those that it made before as they are. */
const ALERTS = new BulkTable('alerts', ALERT_COLUMNS, ' ON DUPLICATE KEY UPDATE id = id');
const RENEWED = ['state', 'revision', ...Object.keys(TEXT_COLUMNS)].map(
  (name) => `${name} = VALUES(${name})`,
);
const ALERTS_ANEW = new BulkTable('alerts', ALERT_COLUMNS, ` ON DUPLICATE KEY UPDATE ${RENEWED.join(', ')}`);

/** The rows of events and of their alerts, ready to be sent. */
export class EventRows {
  readonly #events = EVENTS.rows();
  readonly #alerts = ALERTS.rows();
  readonly #ids = new Set<string>();

  static of(events: Iterable<NewEvent>): EventRows {
    const rows = new EventRows();
    for (const event of events) rows.add(event);
    return rows;
  }

  /** Ids of the events. */
  get ids(): ReadonlySet<string> {
    return this.#ids;
  }

  /** Bytes that the rows take in memory. */
  get size(): number {
    return this.#events.size + this.#alerts.size;
  }

  /** Adds an event with its alerts, unless it is there already. */
  add(event: NewEvent): void {
    if (this.#ids.has(event.id)) return;
    this.#ids.add(event.id);
    this.#addEvent(event);
    for (const alert of event.alerts) this.#addAlert(event, alert);
  }

  #addEvent({ id, webhookId, receivedAt, state, revision, alerts, faults, raw }: NewEvent): void {
    const rows = this.#events;
    rows.time(receivedAt);
    rows.id(webhookId);
    rows.id(id);
    rows.text(state);
    rows.number(revision);
    rows.number(alerts.length);
    rows.text(faults);
    rows.bytes(raw);
    rows.endRow();
  }

  /** Field by field, in the order of the columns: to read each by its name took five times as long. */
  #addAlert({ receivedAt, webhookId, revision }: NewEvent, alert: NewAlert): void {
    const rows = this.#alerts;
    rows.time(receivedAt);
    rows.id(webhookId);
    rows.id(alert.id);
    rows.text(alert.state);
    rows.number(revision);
    rows.text(alert.title);
    rows.text(alert.severity);
    rows.text(alert.description);
    rows.text(alert.source);
    rows.text(alert.service);
    rows.text(alert.environment);
    rows.text(alert.team);
    rows.text(alert.custom);
    rows.text(alert.faults);
    rows.endRow();
  }

  /** Inserts the events; fails with a duplicate key when one is there. */
  insertEvents(transaction: Knex.Transaction): Promise<void> {
    return EVENTS.insert(transaction, this.#events);
  }

  /** Inserts the alerts; one that is there stays as it is. */
  insertAlerts(transaction: Knex.Transaction): Promise<void> {
    return ALERTS.insert(transaction, this.#alerts);
  }

  /** Inserts the alerts, and makes those that are there anew. */
  renewAlerts(transaction: Knex.Transaction): Promise<void> {
    return ALERTS_ANEW.insert(transaction, this.#alerts);
  }
}
