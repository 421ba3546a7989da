import { parse } from 'csv-parse/sync';
import type { Fleet } from '../servers/fleet.js';
import { until } from '../until.js';
import type { Client } from './client.js';
import { makeWebhook, sendEvent } from './webhooks.js';

const ACCOUNTS = 8_000;
const EVENTS = 400;
const IDENTITIES = '/v2/developers/identities';
const LATER = { prefer: 'respond-async' };

/** A job that was accepted, and what it should leave behind. */
export interface AcceptedJob {
  id: string;
  /** Returns the lines that must be there once it has ended, and those that are there. */
  outcome(): Promise<{ expected: string[]; found: string[] }>;
}

/** Submits jobs that take a while, one of each kind, and knows what each must leave behind. */
export class InterruptedJobs {
  readonly #fleet: Fleet;
  readonly #owners = new Map<string, string>();
  readonly #rows = new Map<string, string>();
  #webhook: { id: string; path: string } | undefined;
  #serial = 0;

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
  }

  /** The kinds of jobs, by name. Each function submits one. */
  readonly kinds: Record<string, () => Promise<AcceptedJob>> = {
    import: async () => this.#identities(await this.#upload(drawn(1))),
    table: async () => {
      const value = `value ${++this.#serial}`;
      const method = this.#rows.size > 0 && this.#serial % 2 ? 'PATCH' : 'PUT';
      if (method === 'PUT') this.#rows.clear();
      for (const key of drawn(0.8)) this.#rows.set(key, value);
      const sent = [...this.#rows].filter(([, its]) => its === value);
      const { status, body, text } = await this.#client.json(
        method,
        '/v2/tables/interrupted',
        sent.map(([key, its]) => ({ key, value: its })),
        LATER,
      );
      if (status !== 202) throw new Error(text);
      const outcome = async () => {
        const rows = await this.#fleet
          .database('lookup_tables AS t')
          .join('lookup_rows AS r', (on) => on.on('r.table_id', 't.id').on('r.revision', 't.revision'))
          .pluck('r.cells');
        return { expected: [...this.#rows].map((row) => JSON.stringify(row)), found: rows };
      };
      return { id: body.jobId, outcome };
    },
    revert: async () => {
      const before = new Map(this.#owners);
      const imported = await this.#upload(drawn(1));
      await this.#client.jobEnd(imported);
      const { status, body, text } = await this.#client.send('POST', `/v2/jobs/${imported}/revert`);
      if (status !== 202) throw new Error(text);
      this.#owners.clear();
      for (const [key, owner] of before) this.#owners.set(key, owner);
      return this.#identities(body.jobId);
    },
    mirror: async () => {
      const query = `?mode=mirror&integrationIds=1,2&maxRemovals=${ACCOUNTS}`;
      this.#owners.clear();
      return this.#identities(await this.#upload(drawn(0.7), query));
    },
    export: async () => {
      const { body } = await this.#client.json('POST', `${IDENTITIES}/exports`, {}, LATER);
      const outcome = async () => {
        const { data } = (await this.#client.get(`/v2/jobs/${body.jobId}`)).body;
        const { text } = await this.#client.get(data.links.file);
        const rows = parse(text, { columns: true }) as Record<string, string>[];
        const found = rows.map((row) => `${row.integrationId},${row.identity} ${row.email}`);
        return { expected: this.#lines(), found };
      };
      return { id: body.jobId, outcome };
    },
    remap: async () => {
      this.#webhook ??= await this.#withEvents();
      const { id } = this.#webhook;
      // Every alert changes, so one that the remap left out differs.
      const revision = `revision ${++this.#serial}`;
      const fields = { title: { template: '{{webhook.alert.name}}' }, description: { template: revision } };
      const saved = await this.#client.json('PUT', `/v2/webhooks/${id}/mapping`, { fields });
      if (saved.status !== 201) throw new Error(saved.text);
      const { body } = await this.#client.json('POST', `/v2/webhooks/${id}/remap`, {}, LATER);
      const outcome = async () => {
        const events = await this.#fleet.database('events').select('id', 'raw');
        const alerts = await this.#fleet.database('alerts').select('id', 'title', 'description');
        return {
          expected: events.map(
            (row) => `${eventIdIn(row)} ${JSON.parse(String(row.raw)).alert.name} ${revision}`,
          ),
          found: alerts.map((row) => `${eventIdIn(row)} ${row.title} ${row.description}`),
        };
      };
      return { id: body.jobId, outcome };
    },
  };

  /**
   * Submits an import in which every tenth row is invalid. With `continue` the others are stored, with `abort` the job fails and nothing is
   * stored.
   */
  async withInvalidRows(onError: 'continue' | 'abort'): Promise<AcceptedJob> {
    const before = new Map(this.#owners);
    const keys = drawn(0.5);
    const invalid = keys.filter((_, at) => at % 10 === 0).map((key) => `nobody,${key}`);
    const id = await this.#upload(keys, `?onError=${onError}`, invalid);
    if (onError === 'abort') {
      this.#owners.clear();
      for (const [key, owner] of before) this.#owners.set(key, owner);
    }
    return this.#identities(id);
  }

  get #client(): Client {
    return (this.#fleet.apis[0] as Fleet['apis'][0]).client;
  }

  /** Uploads a new owner for each account, and further lines. Returns the id of the job. */
  async #upload(keys: readonly string[], query = '', lines: readonly string[] = []): Promise<string> {
    const owner = `owner-${++this.#serial}@example.com`;
    const rows = [...keys.map((key) => `${owner},${key}`), ...lines];
    const csv = `email,integrationId,identity\n${rows.map((row) => `${row}\n`).join('')}`;
    const { status, body, text } = await this.#client.upload(csv, query, LATER);
    if (status !== 202) throw new Error(text);
    for (const key of keys) this.#owners.set(key, owner);
    return body.jobId;
  }

  #lines(): string[] {
    return [...this.#owners].map(([key, owner]) => `${key} ${owner}`);
  }

  #identities(id: string): AcceptedJob {
    const outcome = async () => {
      const rows = await this.#fleet.database('identities').whereNotNull('email').select();
      const found = rows.map((row) => `${row.integration_id},${row.identity} ${row.email}`);
      return { expected: this.#lines(), found };
    };
    return { id, outcome };
  }

  /** Creates an integration with stored events. */
  async #withEvents() {
    const webhook = await makeWebhook(this.#client);
    const { url } = this.#fleet.apis[0] as Fleet['apis'][0];
    for (let event = 0; event < EVENTS; event++) {
      const alert = { name: `alert ${event}`, severity: 'info', message: 'stored' };
      await sendEvent(url, webhook.path, { alert });
    }
    const count = async () => (await this.#fleet.database('alerts').select('id')).length;
    await until('the events are stored', async () => (await count()) === EVENTS);
    return webhook;
  }
}

/** The id of an alert is that of its event, except for the end. */
const eventIdIn = (row: { id: Buffer }): string => row.id.toString('hex').slice(0, -3);

/** Returns that part of all accounts, in random order, as `integrationId,identity`. */
function drawn(part: number): string[] {
  return Array.from({ length: ACCOUNTS }, (_, at) => `${1 + (at % 2)},account-${at}`)
    .filter(() => Math.random() < part)
    .sort(() => Math.random() - 0.5);
}
