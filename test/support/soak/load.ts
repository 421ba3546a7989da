import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { Client } from '../api/client.js';
import { type AcceptedJob, InterruptedJobs } from '../api/interrupted-jobs.js';
import type { LedgerClient } from '../api/ledger-client.js';
import { type Balance, balanceOf } from '../faults/fault.js';
import { MAPPINGS, type TestMapping } from '../series/oracle.js';
import type { Fleet } from '../servers/fleet.js';
import { until } from '../until.js';

const LATER = { prefer: 'respond-async' };
const JOB_TIMEOUT_MS = 600_000;
/** A remap maps all events of the run again, some 260 a second under this load. More events would leave no time for other jobs. */
const BURST = { connections: 16, events: 500, pauseMs: 10_000 };
const BURST_TIMEOUT_MS = 60_000;
/** Open windows of the console. */
const WINDOWS = 3;
const REFRESH_MS = 3_000;
/** What a window refreshes. */
const SHOWN = [
  '/readyz',
  '/v2/health',
  '/v2/jobs',
  '/v2/jobs/facets',
  '/v2/events',
  '/v2/webhooks',
  '/v2/keys',
];
/** What a client reads, page by page. */
const LISTS = [
  '/v2/events',
  '/v2/alerts',
  '/v2/alerts?status=firing',
  '/v2/developers/identities',
  '/v2/jobs',
];
const PAGES = 5;
const READ_PAUSE_MS = 200;

/** Does everything at once that clients do with a service, and checks the result of each job. */
export class SoakLoad {
  /** Of all jobs, by line of their result. */
  readonly balance: Balance = { acknowledged: 0, stored: 0, lost: 0, doubled: 0 };
  jobs = 0;
  /** The longest wait for the response to a request that only reads. */
  longestReadMs = 0;
  /** The mapping by which the alerts are made now. */
  mapping: TestMapping = MAPPINGS.byKey;
  readonly #fleet: Fleet;
  readonly #webhook: { id: string; path: string };
  readonly #submitted: InterruptedJobs;
  #isOver = false;

  constructor(fleet: Fleet, webhook: { id: string; path: string }) {
    this.#fleet = fleet;
    this.#webhook = webhook;
    this.#submitted = new InterruptedJobs(fleet);
  }

  /** Runs for a time. Rejects at the first response or result that is wrong. */
  async run(ledger: LedgerClient, ms: number): Promise<void> {
    const timer = setTimeout(() => {
      this.#isOver = true;
    }, ms);
    const windows = Array.from({ length: WINDOWS }, () => this.#lookOn());
    const lanes = [this.#bursts(ledger), this.#work(), this.#read(), ...windows];
    try {
      await Promise.all(lanes);
    } finally {
      clearTimeout(timer);
      this.#isOver = true;
      await Promise.allSettled(lanes);
    }
  }

  get #client(): Client {
    return (this.#fleet.apis[0] as Fleet['apis'][0]).client;
  }

  async #bursts(ledger: LedgerClient): Promise<void> {
    while (!this.#isOver) {
      const wanted = ledger.acknowledged + BURST.events;
      ledger.start(() => (this.#fleet.apis[0]?.url ?? '') + this.#webhook.path, BURST.connections);
      await until('a burst is acknowledged', () => ledger.acknowledged >= wanted, BURST_TIMEOUT_MS);
      await ledger.stop();
      await sleep(BURST.pauseMs);
    }
  }

  /** Runs jobs of all kinds, one after the other, because each changes what the next one finds. */
  async #work(): Promise<void> {
    const { import: plain, mirror, revert, export: download } = this.#submitted.kinds;
    const turns = [
      plain,
      () => this.#submitted.withInvalidRows('continue'),
      mirror,
      () => this.#submitted.withInvalidRows('abort'),
      revert,
      download,
    ] as (() => Promise<AcceptedJob>)[];
    while (!this.#isOver) {
      for (const submit of turns) {
        if (this.#isOver) return;
        await this.#check(await submit());
      }
      await this.remap(this.mapping === MAPPINGS.byKey ? MAPPINGS.byGroup : MAPPINGS.byKey);
    }
  }

  async #check({ id, outcome }: AcceptedJob): Promise<void> {
    const { state } = (await this.#client.jobEnd(id, JOB_TIMEOUT_MS)).body.data;
    const { expected, found } = await outcome();
    const balance = balanceOf(expected, found);
    expect({ id, state, ...balance }).toMatchObject({ lost: 0, doubled: 0, stored: expected.length });
    for (const count of Object.keys(balance) as (keyof Balance)[]) this.balance[count] += balance[count];
    this.jobs += 1;
  }

  /** Saves a mapping and applies it to all stored events. */
  async remap(next: TestMapping): Promise<void> {
    const path = `/v2/webhooks/${this.#webhook.id}`;
    const saved = await this.#client.json('PUT', `${path}/mapping`, next.mapping);
    expect([saved.status, saved.text]).toEqual([201, expect.any(String)]);
    this.mapping = next;
    const { body } = await this.#client.json('POST', `${path}/remap`, {}, LATER);
    const { data } = (await this.#client.jobEnd(body.jobId ?? body.data.id, JOB_TIMEOUT_MS)).body;
    expect(data).toMatchObject({ state: 'completed' });
    this.jobs += 1;
  }

  /** Reads the first pages of one list after the other. */
  async #read(): Promise<void> {
    for (let at = 0; !this.#isOver; at++) {
      const list = LISTS[at % LISTS.length] as string;
      let cursor: string | null = '';
      for (let page = 0; page < PAGES && cursor !== null && !this.#isOver; page++) {
        const parameters: string = `pageSize=100${cursor && `&cursor=${cursor}`}`;
        const body = await this.#get(`${list}${list.includes('?') ? '&' : '?'}${parameters}`);
        cursor = body.page.nextCursor;
        await sleep(READ_PAUSE_MS);
      }
    }
  }

  /** Refreshes what a window of the console shows. */
  async #lookOn(): Promise<void> {
    while (!this.#isOver) {
      await Promise.all(SHOWN.map((path) => this.#get(path)));
      await sleep(REFRESH_MS);
    }
  }

  async #get(path: string) {
    const startedAt = performance.now();
    const { status, text, body } = await this.#client.get(path);
    this.longestReadMs = Math.max(this.longestReadMs, performance.now() - startedAt);
    expect({ path, status, text }).toEqual({ path, status: 200, text: expect.any(String) });
    return body;
  }
}
