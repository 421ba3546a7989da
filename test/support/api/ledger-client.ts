import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { expect } from '@jest/globals';
import { fromUuidBinary } from '../../../db/bulk/uuid-binary.js';
import type { Database } from '../../../db/client/connect.js';
import type { Fault } from '../faults/fault.js';
import { until } from '../until.js';

/** Longer than a busy machine takes. */
const TIMEOUT_MS = 20_000;
/** For the largest backlog of the fault tests. */
const MOST_MS = 600_000;

interface Outcome {
  /** 0 if no response arrived. */
  status: number;
  ms: number;
  retryAfter?: string | undefined;
}

/** Returns a payload that contains the mark, always the same for a serial number. */
type PayloadOf = (mark: string, serial: number) => object;

/** Becomes one alert under the template `generic-alert`. */
const oneAlert: PayloadOf = (mark, serial) => ({
  alert: { name: `alert ${serial}`, severity: 'info', message: mark },
});

/**
 * A sender that never repeats itself: each event has a serial number, and the ledger keeps which of them were
 * acknowledged under which id. In any case, `settle` then compares the ledger with the stored events.
 */
export class LedgerClient {
  readonly outcomes: Outcome[] = [];
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });
  readonly #acknowledged = new Map<number, string>();
  /** When events were acknowledged, by id, as `performance.now()`. */
  readonly #acknowledgedAt = new Map<string, number>();
  /** Tells its events from those of other ledgers. */
  readonly #name = randomUUID();
  #serial = 0;
  #sending = false;
  #lanes: Promise<void>[] = [];
  readonly #payloadOf: PayloadOf;

  /** @param payloadOf by default, each event becomes one alert */
  constructor(payloadOf: PayloadOf = oneAlert) {
    this.#payloadOf = payloadOf;
  }

  /**
   * Sends events over the given number of connections, one after the other on each, until `stop`. The result of
   * `where` may change.
   */
  start(where: () => string, lanes = 32): void {
    this.#sending = true;
    this.#lanes = Array.from({ length: lanes }, async () => {
      while (this.#sending) {
        const { status } = await this.sendOne(where());
        if (status !== 202) await new Promise((resolve) => setTimeout(resolve, 20));
      }
    });
  }

  async stop(): Promise<void> {
    this.#sending = false;
    await Promise.all(this.#lanes);
    this.#agent.destroy();
  }

  get acknowledged(): number {
    return this.#acknowledged.size;
  }

  /**
   * Removes the acknowledged events that a fault is known to have destroyed, so that `settle` no longer waits for them.
   * Returns how many there were.
   * @param isDestroyed gets the moment of the acknowledgement as `performance.now()`
   */
  forget(isDestroyed: (eventId: string, at: number) => boolean): number {
    const destroyed = [...this.#acknowledged].filter(([, id]) =>
      isDestroyed(id, this.#acknowledgedAt.get(id) as number),
    );
    for (const [serial] of destroyed) this.#acknowledged.delete(serial);
    return destroyed.length;
  }

  async sendOne(url: string): Promise<Outcome> {
    const serial = this.#serial++;
    const startedAt = performance.now();
    const { status, eventId, retryAfter } = await this.#post(url, this.#bodyOf(serial));
    const endedAt = performance.now();
    if (status === 202 && eventId) {
      this.#acknowledged.set(serial, eventId);
      this.#acknowledgedAt.set(eventId, endedAt);
    }
    const outcome = { status, ms: endedAt - startedAt, retryAfter };
    this.outcomes.push(outcome);
    return outcome;
  }

  #post(
    url: string,
    body: string,
  ): Promise<{ status: number; eventId?: string; retryAfter?: string | undefined }> {
    return new Promise((resolve) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const sending = request(url, { method: 'POST', agent: this.#agent, headers, timeout: TIMEOUT_MS });
      sending.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part) => {
          text += part;
        });
        const { statusCode: status = 0, headers } = response;
        response.on('end', () => resolve({ status, retryAfter: headers['retry-after'], ...readId(text) }));
        response.on('error', () => resolve({ status: 0 }));
      });
      sending.on('timeout', () => sending.destroy());
      sending.on('error', () => resolve({ status: 0 }));
      sending.end(body);
    });
  }

  /** The longest time that a request waited for its response, in milliseconds. */
  get longestMs(): number {
    return this.outcomes.reduce((longest, { ms }) => Math.max(longest, ms), 0);
  }

  /**
   * Waits until all acknowledged events are stored, and checks that each is stored once, and that all stored events were
   * sent. Reports the balance as that of the fault.
   * @param options.timeoutMs how long to wait while no further event is stored
   */
  async settle(
    database: Database,
    { fault, timeoutMs = 60_000 }: { fault?: Fault; timeoutMs?: number } = {},
  ): Promise<void> {
    const late = await this.#untilStored(database, timeoutMs).catch((error) => error);
    const found = await storedBodies(database);
    const wrong = [...this.#acknowledged].filter(
      ([serial, id]) => found.get(id)?.[0] !== this.#bodyOf(serial),
    );
    const sent = new Set(Array.from({ length: this.#serial }, (_, serial) => this.#bodyOf(serial)));
    const bodies = [...found.values()].flat();
    const foreign = bodies.filter((body) => !sent.has(body));
    const doubled = bodies.length - new Set(bodies).size + foreign.length;
    const balance = { acknowledged: this.acknowledged, stored: bodies.length, lost: wrong.length, doubled };
    fault?.add(balance);
    fault?.waited(this.longestMs);
    fault?.report();
    if (late) throw late;
    expect({ wrong, foreign, doubled }).toEqual({ wrong: [], foreign: [], doubled: 0 });
    if (this.#payloadOf !== oneAlert) return;
    // In one statement: an event that was not acknowledged in time may be stored between two.
    const [[counts]] = await database.raw(
      'SELECT (SELECT COUNT(*) FROM alerts) AS alerts, (SELECT COUNT(*) FROM events) AS events',
    );
    expect(Number(counts.alerts)).toBe(Number(counts.events));
  }

  /** A backlog takes as long as the machine needs, so only a standstill is an error. */
  async #untilStored(database: Database, timeoutMs: number): Promise<void> {
    let stored = -1;
    let grownAt = Date.now();
    const isStored = async () => {
      const counted = await countStored(database);
      if (counted > stored) [stored, grownAt] = [counted, Date.now()];
      if (stored >= this.acknowledged && (await this.#areStored(database))) return true;
      if (Date.now() - grownAt <= timeoutMs) return false;
      const counts = `${stored} are stored, and ${this.acknowledged} were acknowledged`;
      throw new Error(`no event has been stored for ${timeoutMs / 1_000} s: ${counts}`);
    };
    await until('the backlog is stored', isStored, MOST_MS);
  }

  /** Whether all acknowledged events are stored. More may be: an event whose response was lost. */
  async #areStored(database: Database): Promise<boolean> {
    const found = await storedBodies(database).catch(() => new Map());
    return [...this.#acknowledged.values()].every((id) => found.has(id));
  }

  #bodyOf(serial: number): string {
    return JSON.stringify(this.#payloadOf(`${this.#name} ${serial}`, serial));
  }
}

function readId(text: string): { eventId?: string } {
  try {
    return { eventId: JSON.parse(text).eventId };
  } catch {
    return {};
  }
}

/** Returns 0 while the database is unavailable. */
async function countStored(database: Database): Promise<number> {
  const counted = await database('events')
    .count({ events: '*' })
    .first()
    .catch(() => undefined);
  return Number(counted?.events ?? 0);
}

/** Returns every stored body by event id. */
export async function storedBodies(database: Database): Promise<Map<string, string[]>> {
  const rows = await database('events').select('id', 'raw');
  const found = new Map<string, string[]>();
  for (const { id, raw } of rows) {
    const eventId = fromUuidBinary(id);
    found.set(eventId, [...(found.get(eventId) ?? []), raw.toString()]);
  }
  return found;
}
