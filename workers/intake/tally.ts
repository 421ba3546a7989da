import type { NewEvent } from '../../db/event-rows.js';

/** What events came to, in numbers. */
export class Tally {
  readonly counts = { stored: 0, failed: 0, alerts: 0 };
  /** How many fewer of each integration are on their way. */
  readonly arrived = new Map<string, number>();

  add(event: NewEvent): void {
    this.#count(event, 1);
  }

  /** Takes back what was added of an event. */
  take(event: NewEvent): void {
    this.#count(event, -1);
  }

  #count({ webhookId, state, alerts }: NewEvent, by: 1 | -1): void {
    this.counts.stored += by;
    this.counts.alerts += by * alerts.length;
    if (state === 'failed') this.counts.failed += by;
    this.arrived.set(webhookId, (this.arrived.get(webhookId) ?? 0) - by);
  }
}
