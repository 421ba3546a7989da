import { isDeepStrictEqual } from 'node:util';
import { NO_LATEST } from '../../../db/series/refold-marks.js';
import { type ItemOutcome, outcomeOfStored } from '../../../workers/mapping/index.js';

/** A row by its columns, in the order of the table's columns. */
export type Row = Record<string, unknown>;

/** The state of a series while its items are added once more, in the order of arrival. All items of a series have the same texts. */
export class ReplayedSeries {
  /** The series after the items so far. */
  row: Row;
  /** Its latest alert after the items so far; null if there is none. */
  alert: Row | null = null;
  readonly #final: Row;
  readonly #alerts: ReadonlyMap<string, Row>;

  /**
   * @param final the series as it is stored, after its last item
   * @param alerts the alerts as they are stored, by the hexadecimal form of their ids
   */
  constructor(final: Row, alerts: ReadonlyMap<string, Row>) {
    this.#final = final;
    this.#alerts = alerts;
    this.row = { ...final, ...NO_ITEMS };
  }

  /** Adds the next item. Returns what it did. @throws Error if the alert that it opens is not stored */
  add({ id, received_at, status }: Row): ItemOutcome {
    const outcome = outcomeOfStored(status as 'firing' | 'resolved', this.row.firing === 1);
    const alert = outcome === 'opened' ? this.#open(id as Buffer) : this.alert;
    this.row = { ...this.row, last_received_at: received_at, last_item: id };
    if (outcome === 'nothing_to_resolve' || !alert) return outcome;
    this.alert = alert;
    alert.event_count = Number(alert.event_count) + 1;
    alert.last_event_at = received_at;
    if (outcome === 'resolved') alert.resolved_at = received_at;
    const { severity, providers, alert_bytes, peak } = this.#final;
    Object.assign(this.row, {
      firing: outcome === 'resolved' ? 0 : 1,
      alert_received_at: alert.received_at,
      alert_id: alert.id,
      alert_last_received_at: received_at,
      alert_last_item: id,
      event_count: alert.event_count,
      previous_alert_id: alert.previous_alert_id,
      severity,
      providers,
      alert_bytes,
      peak,
    });
    return outcome;
  }

  /** Checks that all items lead to the rows that are stored. @throws Error */
  check(): void {
    const { alert } = this;
    const isSame =
      isDeepStrictEqual(this.row, { ...this.#final }) &&
      (!alert || isDeepStrictEqual(alert, { ...this.#stored(alert.id as Buffer) }));
    if (!isSame) throw new Error(`the items of the key ${this.row.dedup_key} do not lead to what is stored`);
  }

  #open(id: Buffer): Row {
    return { ...this.#stored(id), event_count: 0, last_event_at: null, resolved_at: null };
  }

  #stored(alertId: Buffer): Row {
    const row = this.#alerts.get(alertId.toString('hex'));
    if (!row) throw new Error(`no alert starts with the item ${alertId.toString('hex')}`);
    return row;
  }
}

/** The state of a series without items. */
const NO_ITEMS: Row = { last_received_at: null, last_item: null, ...NO_LATEST };
