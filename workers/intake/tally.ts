import type { NewEvent } from '../../db/event-rows.js';

/** What events came to, in numbers. */
export class Tally {
  readonly counts = { stored: 0, failed: 0, alerts: 0 };
  /** How many fewer of each integration are on their way. */
  readonly arrived = new Map<string, number>();

  add({ webhookId, state, alerts }: NewEvent): void {
    this.counts.stored += 1;
    this.counts.alerts += alerts.length;
    if (state === 'failed') this.counts.failed += 1;
    this.arrived.set(webhookId, (this.arrived.get(webhookId) ?? 0) - 1);
  }
}
