import type { NewAlert, NewEvent } from '../../../db/events/new-event.js';
import { type IntakeEvent, queuedSize } from '../../queues/contracts/alert-intake.js';
import { addLoad, type IntakeLoad } from '../../queues/intake-gauge.js';

/** How often an integration's mapping did not fit its events. */
export interface MappingErrorCounts {
  /** Incomplete alerts. */
  incomplete: number;
  /** Events without an alert because of an error. */
  failed: number;
  /** The errors of one of them, as they are stored. */
  sample: { revision: number; faults: string | null } | null;
}

/** Counts of written events. */
export class Tally {
  readonly counts = { stored: 0, filtered: 0, failed: 0, alerts: 0 };
  /** Events that only repeated what is stored. */
  repeated = 0;
  /** Of events for which keys were looked up that found nothing. */
  readonly missed: Pick<NewEvent, 'id' | 'receivedAt' | 'misses'>[] = [];
  /** By integration. Those whose mapping fits are left out. */
  readonly mappingErrors = new Map<string, MappingErrorCounts>();
  /** By integration, what left the queue, as negative numbers. */
  readonly arrived = new Map<string, IntakeLoad>();

  add(event: NewEvent): void {
    this.#count(event, 1);
    const { id, receivedAt, misses = [] } = event;
    if (misses.length > 0) this.missed.push({ id, receivedAt, misses });
  }

  /** Counts an event that only repeats what is stored. */
  repeat(): void {
    this.repeated += 1;
  }

  /** Counts an event that leaves the queue, whatever becomes of it. */
  leave(event: IntakeEvent): void {
    addLoad(this.arrived, event.webhookId, -1, -queuedSize(event));
  }

  /** Takes back an `add`. */
  take(event: NewEvent): void {
    this.#count(event, -1);
  }

  #count(event: NewEvent, by: 1 | -1): void {
    const { state, alerts, items } = event;
    this.counts.stored += by;
    this.counts.alerts += by * (alerts.length + items.length);
    if (state === 'filtered') this.counts.filtered += by;
    if (state === 'failed') this.counts.failed += by;
    if (state !== 'rejected') this.#countMappingErrors(event, by);
  }

  /** A resolved item or an update often carries only its key. That is not an error: the texts of its alert come from earlier items. */
  #countMappingErrors({ webhookId, state, revision, faults, alerts, items }: NewEvent, by: 1 | -1): void {
    let incomplete = 0;
    let sample: NewAlert | null = null;
    for (const alert of alerts) {
      if (alert.state !== 'incomplete') continue;
      incomplete += 1;
      sample ??= alert;
    }
    for (const item of items) {
      if (item.state !== 'incomplete' || item.status === 'resolved' || item.status === 'update') continue;
      incomplete += 1;
      sample ??= item;
    }
    const failed = state === 'failed' ? 1 : 0;
    if (incomplete + failed === 0) return;
    const known = this.mappingErrors.get(webhookId) ?? { incomplete: 0, failed: 0, sample: null };
    known.incomplete += by * incomplete;
    known.failed += by * failed;
    known.sample ??= { revision, faults: failed ? faults : (sample?.faults ?? null) };
    this.mappingErrors.set(webhookId, known);
  }
}
