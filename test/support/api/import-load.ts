import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { Database } from '../../../db/client/connect.js';
import type { Client } from './client.js';

const ROWS = 500;
const RETRY_MS = 250;

/**
 * A client that uploads identities, one upload after the other. It repeats an upload with its `Idempotency-Key` at the next API until one accepts
 * it, as a careful client does.
 */
export class ImportLoad {
  /** Uploads that were accepted, by number. */
  readonly #jobs = new Map<number, string>();
  #attempts = 0;
  #number = 0;
  #sending = false;
  #lane: Promise<void> = Promise.resolve();

  start(clients: readonly Client[]): void {
    this.#sending = true;
    this.#lane = this.#run(clients);
  }

  async stop(): Promise<void> {
    this.#sending = false;
    await this.#lane;
  }

  get accepted(): number {
    return this.#jobs.size;
  }

  async #run(clients: readonly Client[]): Promise<void> {
    while (this.#sending) {
      const number = this.#number++;
      while (!this.#jobs.has(number)) {
        const client = clients[this.#attempts++ % clients.length] as Client;
        const response = await client
          .json('PATCH', '/v2/developers/identities', recordsOf(number), {
            'idempotency-key': `upload-${number}`,
            prefer: 'respond-async',
          })
          .catch(() => null);
        if (response?.status === 202) this.#jobs.set(number, response.body.jobId);
        // Too busy, away, or the same key is in progress at the other API.
        else if (response === null || [409, 503].includes(response.status)) await sleep(RETRY_MS);
        else throw new Error(`upload ${number} got ${response.status}: ${response.text}`);
      }
    }
  }

  /** Waits until all uploads have ended, then checks that exactly their rows are stored, and that each ran once. */
  async settle(client: Client, database: Database): Promise<void> {
    for (const id of this.#jobs.values()) {
      const { data } = (await client.jobEnd(id)).body;
      expect(data).toMatchObject({ state: 'completed', counts: { created: ROWS } });
    }
    const rows = await database('identities').select('email', 'integration_id', 'identity');
    const stored = rows.map(({ email, integration_id: id, identity }) => `${email} ${id} ${identity}`).sort();
    const sent = [...this.#jobs.keys()].flatMap(recordsOf);
    expect(stored).toEqual(sent.map((row) => `${row.email} ${row.integrationId} ${row.identity}`).sort());
    // An upload that got 503 because its job did not reach Redis left a job that is canceled and never ran.
    const ran = await database('jobs')
      .where({ type: 'identity-import' })
      .whereNot({ state: 'canceled' })
      .pluck('id');
    expect(ran.sort()).toEqual([...this.#jobs.values()].sort());
  }
}

const recordsOf = (number: number) =>
  Array.from({ length: ROWS }, (_, row) => ({
    email: `dev-${number}-${row}@example.com`,
    integrationId: 1 + (row % 20),
    identity: `login-${number}-${row}`,
  }));
