import { LRUCache } from 'lru-cache';
import type { NewEvent } from '../../../db/events/new-event.js';
import type { IntakeEvent } from '../../queues/contracts/alert-intake.js';
import { countedMs, type ExpiryRules } from '../series/expiry.js';

/** Messages that are remembered. Of more, those that were not repeated for longest are forgotten: then they are stored once more. */
const MAX_REMEMBERED = 20_000;

/**
 * Recognizes repetitions of what a filter drops. Such events belong to no series, so each worker remembers those that it has stored itself: a
 * repetition is stored once by each of them.
 */
export class FilteredRepetitions {
  readonly #stored = new LRUCache<string, { id: string; receivedAt: number }>({ max: MAX_REMEMBERED });

  /** Returns whether an event only repeats a stored one. Remembers it if not. */
  has(
    { id, webhookId, receivedAt, digest }: IntakeEvent,
    { state, revision }: NewEvent,
    rules: ExpiryRules,
  ): boolean {
    const rule = rules.get(webhookId);
    if (digest === undefined || state !== 'filtered' || !rule?.byEvent) return false;
    const key = `${webhookId} ${revision} ${digest}`;
    const stored = this.#stored.get(key);
    // An event that is written once more has its own id.
    if (stored && stored.id !== id && receivedAt - stored.receivedAt <= countedMs(rule)) return true;
    this.#stored.set(key, { id, receivedAt });
    return false;
  }
}
