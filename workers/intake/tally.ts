import type { NewEvent } from '../../db/event-rows.js';
import { addLoad, type Load } from '../queues/intake-gauge.js';

/** What events came to, in numbers. */
export class Tally {
  readonly counts = { stored: 0, failed: 0, alerts: 0 };
  /** What each integration has no longer on its way, as negative numbers. */
  readonly arrived = new Map<string, Load>();

  add(event: NewEvent): void {
    this.#count(event, 1);
  }

  /** Takes back what was added of an event. */
  take(event: NewEvent): void {
    this.#count(event, -1);
  }

  #count({ webhookId, state, alerts, raw }: NewEvent, by: 1 | -1): void {
    this.counts.stored += by;
    this.counts.alerts += by * alerts.length;
    if (state === 'failed') this.counts.failed += by;
    addLoad(this.arrived, webhookId, -by, -by * queuedSize(raw));
  }
}

/** The length of the text that the body was in the queue: bytes were there as base64. */
const queuedSize = (raw: string | Buffer): number =>
  typeof raw === 'string' ? raw.length : 4 * Math.ceil(raw.length / 3);
