import type { Logger } from 'pino';
import { parseStoredErrors, type StoredError } from '../../../db/events/events.js';
import type { MappingErrorCounts } from './tally.js';

/** Limits of the log: thousands of alerts a second must not become thousands of lines. */
const LOG_INTERVAL_MS = 5_000;
const MAX_LINES = 20;

/** Errors that one line lists. */
const MAX_ERRORS = 5;

/**
 * Logs which integrations' mappings do not fit their events: one line per integration every few seconds. A line names fields
 * and paths of the mapping, and nothing of a payload.
 */
export class MappingErrorLog {
  readonly #log: Logger;
  #counts = new Map<string, MappingErrorCounts>();
  #timer: NodeJS.Timeout | null = null;

  constructor(log: Logger) {
    this.#log = log;
  }

  count(counts: ReadonlyMap<string, MappingErrorCounts>): void {
    for (const [webhookId, { incomplete, failed, sample }] of counts) {
      if (incomplete + failed <= 0) continue;
      const known = this.#counts.get(webhookId);
      this.#counts.set(webhookId, {
        incomplete: (known?.incomplete ?? 0) + incomplete,
        failed: (known?.failed ?? 0) + failed,
        sample: known?.sample ?? sample,
      });
      this.#timer ??= setTimeout(() => this.#write(), LOG_INTERVAL_MS).unref();
    }
  }

  #write(): void {
    const all = [...this.#counts];
    this.#counts = new Map();
    this.#timer = null;
    for (const [webhookId, { incomplete, failed, sample }] of all.slice(0, MAX_LINES)) {
      const details = { webhookId, incompleteAlerts: incomplete, failedEvents: failed, ...describe(sample) };
      this.#log.warn(details, 'the mapping of an integration does not fit its events');
    }
    const more = all.length - MAX_LINES;
    if (more > 0)
      this.#log.warn({ integrations: more }, 'the mappings of more integrations do not fit their events');
  }
}

/** Returns the errors of one alert or event as an example, without messages, which may quote keys of a payload. */
function describe(sample: MappingErrorCounts['sample']) {
  if (!sample) return {};
  // Errors of a mapping have a path.
  const errors: (StoredError & { path?: string })[] = parseStoredErrors(sample.faults).slice(0, MAX_ERRORS);
  return {
    revision: sample.revision,
    faults: errors.map(({ code, field, path }) => ({ code, field, path })),
  };
}
