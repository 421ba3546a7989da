import { Agent, request } from 'node:http';
import { expect } from '@jest/globals';
import { fromUuidBinary } from '../../../db/bulk/uuid-binary.js';
import type { Database } from '../../../db/client/connect.js';
import { until } from '../until.js';

const TIMEOUT_MS = 5_000;

interface Outcome {
  /** 0 if no response arrived. */
  status: number;
  ms: number;
}

/**
 * A sender that never repeats itself: each event has a serial number, and the ledger keeps which of them were
 * acknowledged under which id. In any case, `settle` then compares the ledger with the stored events.
 */
export class LedgerClient {
  readonly outcomes: Outcome[] = [];
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });
  readonly #acknowledged = new Map<number, string>();
  #serial = 0;
  #sending = false;
  #lanes: Promise<void>[] = [];

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
   */
  forget(isDestroyed: (eventId: string) => boolean): number {
    const destroyed = [...this.#acknowledged].filter(([, id]) => isDestroyed(id));
    for (const [serial] of destroyed) this.#acknowledged.delete(serial);
    return destroyed.length;
  }

  async sendOne(url: string): Promise<Outcome> {
    const serial = this.#serial++;
    const startedAt = performance.now();
    const { status, eventId } = await this.#post(url, bodyOf(serial));
    if (status === 202 && eventId) this.#acknowledged.set(serial, eventId);
    const outcome = { status, ms: performance.now() - startedAt };
    this.outcomes.push(outcome);
    return outcome;
  }

  #post(url: string, body: string): Promise<{ status: number; eventId?: string }> {
    return new Promise((resolve) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const sending = request(url, { method: 'POST', agent: this.#agent, headers, timeout: TIMEOUT_MS });
      sending.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part) => {
          text += part;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, ...readId(text) }));
        response.on('error', () => resolve({ status: 0 }));
      });
      sending.on('timeout', () => sending.destroy());
      sending.on('error', () => resolve({ status: 0 }));
      sending.end(body);
    });
  }

  /**
   * Waits until all acknowledged events are stored, then checks that each is stored once, and that all stored events
   * were sent.
   */
  async settle(database: Database, timeoutMs = 60_000): Promise<void> {
    let found = new Map<string, string[]>();
    const missing = () => [...this.#acknowledged].filter(([, id]) => !found.has(id)).length;
    await until(
      `all of ${this.acknowledged} acknowledged events are stored`,
      async () => {
        if ((await countStored(database)) < this.acknowledged) return false;
        found = await storedBodies(database).catch(() => found);
        return missing() === 0;
      },
      timeoutMs,
    );
    const wrong = [...this.#acknowledged].filter(([serial, id]) => found.get(id)?.[0] !== bodyOf(serial));
    expect(wrong).toEqual([]);
    const sent = new Set(Array.from({ length: this.#serial }, (_, serial) => bodyOf(serial)));
    const bodies = [...found.values()].flat();
    expect(bodies.filter((body) => !sent.has(body))).toEqual([]);
    expect(new Set(bodies).size).toBe(bodies.length);
    const [[{ alerts }]] = await database.raw('SELECT COUNT(*) AS alerts FROM alerts');
    expect(Number(alerts)).toBe(bodies.length);
  }
}

const bodyOf = (serial: number): string =>
  JSON.stringify({ alert: { name: `alert ${serial}`, severity: 'info', message: `serial ${serial}` } });

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
async function storedBodies(database: Database): Promise<Map<string, string[]>> {
  const rows = await database('events').select('id', 'raw');
  const found = new Map<string, string[]>();
  for (const { id, raw } of rows) {
    const eventId = fromUuidBinary(id);
    found.set(eventId, [...(found.get(eventId) ?? []), raw.toString()]);
  }
  return found;
}
