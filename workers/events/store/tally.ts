import type { NewEvent } from '../../../db/events/event-rows.js';
import { addLoad, type Load } from '../../queues/intake-gauge.js';

/** How often an integration's mapping did not fit. */
export interface MappingErrorCounts {
  /** Incomplete alerts, and events of which no alert could be made. */
  incomplete: number;
  failed: number;
  /** The faults of one of them, as they are stored. */
  sample: { revision: number; faults: string | null } | null;
}

/** What events came to, in numbers. */
export class Tally {
  readonly counts = { stored: 0, failed: 0, alerts: 0 };
  /** By integration; those whose mapping fits are left out. */
  readonly mappingErrors = new Map<string, MappingErrorCounts>();
  /** What each integration has no longer on its way, as negative numbers. */
  readonly arrived = new Map<string, Load>();

  add(event: NewEvent): void {
    this.#count(event, 1);
  }

  /** Takes back what was added of an event. */
  take(event: NewEvent): void {
    this.#count(event, -1);
  }

  #count(event: NewEvent, by: 1 | -1): void {
    const { webhookId, state, alerts, raw } = event;
    this.counts.stored += by;
    this.counts.alerts += by * alerts.length;
    if (state === 'failed') this.counts.failed += by;
    if (state !== 'rejected') this.#countMappingErrors(event, by);
    addLoad(this.arrived, webhookId, -by, -by * queuedSize(raw));
  }

  #countMappingErrors({ webhookId, state, revision, faults, alerts }: NewEvent, by: 1 | -1): void {
    let incomplete = 0;
    for (const alert of alerts) if (alert.state === 'incomplete') incomplete += 1;
    const failed = state === 'failed' ? 1 : 0;
    if (incomplete + failed === 0) return;
    const known = this.mappingErrors.get(webhookId) ?? { incomplete: 0, failed: 0, sample: null };
    known.incomplete += by * incomplete;
    known.failed += by * failed;
    known.sample ??= {
      revision,
      faults: failed ? faults : (alerts.find((alert) => alert.state === 'incomplete')?.faults ?? null),
    };
    this.mappingErrors.set(webhookId, known);
  }
}

/** The length of the text that the body was in the queue: bytes were there as base64. */
const queuedSize = (raw: string | Buffer): number =>
  typeof raw === 'string' ? raw.length : 4 * Math.ceil(raw.length / 3);
