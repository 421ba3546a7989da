import type { Logger } from 'pino';
import { parseFaults } from '../../../db/events/events.js';
import type { MappingErrorCounts } from './tally.js';

/** Thousands of alerts a second must not become thousands of lines. */
const EVERY_MS = 5_000;
const MAX_LINES = 20;

/** Faults that one line names. */
const MAX_FAULTS = 5;

/**
 * Logs which integrations' mappings do not fit their events: one line for each integration every few seconds. It names the
 * mapping's own fields and paths, and nothing of a payload.
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
      this.#timer ??= setTimeout(() => this.#write(), EVERY_MS).unref();
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
    if (more > 0) this.#log.warn({ integrations: more }, 'the mappings of more integrations do not fit');
  }
}

/** The faults of one alert or event as an example. Their messages may name keys of a payload, so they are left out. */
function describe(sample: MappingErrorCounts['sample']) {
  if (!sample) return {};
  const faults = parseFaults(sample.faults).slice(0, MAX_FAULTS) as {
    path?: string;
    field: string | null;
    code: string;
  }[];
  return {
    revision: sample.revision,
    faults: faults.map(({ code, field, path }) => ({ code, field, path })),
  };
}
