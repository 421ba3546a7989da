import type { Knex } from 'knex';
import type { BulkRows } from '../bulk/rows.js';
import { rankOf } from '../events/alerts/severity-rank.js';
import { addTexts } from '../events/event-tables.js';
import type { NewAlert } from '../events/new-event.js';
import type { SeriesKey, SeriesPosition, StoredSeriesAlert } from './series.js';
import { KEYED_ALERTS, SERIES, SERIES_ALERTS } from './series-tables.js';

/** An alert of a series to store. The times are milliseconds since 1970. */
export interface SeriesAlert extends NewAlert {
  /** Of its first item, whose id is the alert's id. */
  receivedAt: number;
  lastEventAt: number;
  resolvedAt: number | null;
  /** Null while it fires. */
  resolvedBy: 'event' | 'person' | 'expiry' | null;
  /** What was said about its end. */
  resolution: string | null;
  /** The most severe severity that it had; null if it had none. */
  peakSeverity: string | null;
  peakAt: number | null;
  peakRank: number | null;
  eventCount: number;
  previousAlertId: string | null;
  /** The newest occurrence that had been resolved when it opened. */
  endedBefore: string | null;
  /** Of its newest item. */
  revision: number;
}

/** The state of a series to store. */
export interface SeriesUpdate {
  newest: SeriesPosition;
  /** See `StoredSeries`. */
  ended: string | null;
  alert: StoredSeriesAlert | null;
}

/** Bytes of rows that are collected before they are sent. */
const MAX_BYTES = 1_000_000;

/** Collects the rows of series whose rows are locked, and writes them in bulk. */
export class SeriesWriter {
  readonly #transaction: Knex.Transaction;
  #series = SERIES.rows();
  #alerts = KEYED_ALERTS.rows();
  #seriesAlerts = SERIES_ALERTS.rows();

  constructor(transaction: Knex.Transaction) {
    this.#transaction = transaction;
  }

  /** Adds the state of a series. */
  addSeries(key: SeriesKey, { newest, ended, alert }: SeriesUpdate): void {
    const rows = this.#series;
    addKey(rows, key);
    rows.time(newest.receivedAt);
    rows.id(newest.id);
    rows.number(alert?.firing ? 1 : 0);
    rows.time(alert?.receivedAt ?? null);
    rows.id(alert?.id ?? null);
    rows.time(alert?.newest.receivedAt ?? null);
    rows.id(alert?.newest.id ?? null);
    rows.number(alert?.eventCount ?? 0);
    rows.id(alert?.previousAlertId ?? null);
    rows.text(ended);
    rows.text(alert?.occurrence ?? null);
    rows.text(alert?.severity ?? null);
    rows.text(alert?.providers ?? null);
    rows.number(alert?.bytes ?? 0);
    rows.text(alert?.closedBy ?? null);
    rows.text(alert?.peak ?? null);
    rows.endRow();
  }

  /** Adds an alert. `isNew`: it may not be stored yet, or what ended before it may have changed. */
  addAlert(key: SeriesKey, alert: SeriesAlert, isNew: boolean): void {
    const rows = this.#alerts;
    rows.time(alert.receivedAt);
    rows.id(alert.id);
    rows.sharedId(key.webhookId);
    rows.text(key.dedupKey);
    rows.time(alert.lastEventAt);
    rows.time(alert.resolvedAt);
    rows.text(alert.resolvedBy);
    rows.text(alert.resolution);
    rows.text(alert.peakSeverity);
    rows.time(alert.peakAt);
    rows.number(alert.peakRank);
    rows.number(rankOf(alert));
    rows.number(alert.resolvedAt === null ? null : alert.resolvedAt - alert.receivedAt);
    rows.number(alert.eventCount);
    rows.id(alert.previousAlertId);
    rows.text(alert.state);
    rows.number(alert.revision);
    addTexts(rows, alert);
    rows.endRow();
    if (!isNew) return;
    this.#seriesAlerts.id(key.id);
    this.#seriesAlerts.time(alert.receivedAt);
    this.#seriesAlerts.id(alert.id);
    this.#seriesAlerts.text(alert.endedBefore);
    this.#seriesAlerts.endRow();
  }

  /** Returns whether enough rows are collected for {@link flush}. */
  get isFull(): boolean {
    return this.#alerts.size + this.#series.size >= MAX_BYTES;
  }

  /** Writes what was added. */
  async flush(): Promise<void> {
    const [series, alerts, seriesAlerts] = [this.#series, this.#alerts, this.#seriesAlerts];
    this.#series = SERIES.rows();
    this.#alerts = KEYED_ALERTS.rows();
    this.#seriesAlerts = SERIES_ALERTS.rows();
    await KEYED_ALERTS.insert(this.#transaction, alerts);
    await SERIES_ALERTS.insert(this.#transaction, seriesAlerts);
    await SERIES.insert(this.#transaction, series);
  }
}

/** Appends the cells that identify a series. */
export function addKey(rows: BulkRows, { id, webhookId, dedupKey }: SeriesKey): void {
  rows.id(id);
  rows.sharedId(webhookId);
  rows.text(dedupKey);
}
