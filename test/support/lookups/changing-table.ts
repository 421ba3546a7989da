import type { Client } from '../api/client.js';
import type { Fleet } from '../servers/fleet.js';
import { Timeline } from './timeline.js';

type Cells = Record<string, string>;
export type Rows = ReadonlyMap<string, Cells>;

/** A key that nothing looks up. Its row differs in each upload, so that no two revisions are identical. */
const UNUSED = 'unused';

/** Changes a lookup table, one change at a time, and knows what each of its revisions must contain and when it may have been the active one. */
export class ChangingTable {
  readonly name: string;
  /** The number of the active revision; null: there is no table. */
  readonly active = new Timeline<number | null>(null);
  readonly #revisions = new Map<number, Rows>();
  /** Revisions that can be made the active one again. */
  #kept: number[] = [];
  #uploads = 0;
  readonly #key: string;
  readonly #fleet: Fleet;

  constructor(fleet: Fleet, name: string, key: string) {
    this.#fleet = fleet;
    this.name = name;
    this.#key = key;
  }

  /** Returns the rows of a revision; none if it is null or unknown. */
  rowsOf(revision: number | null): Rows {
    return this.#revisions.get(revision ?? 0) ?? new Map();
  }

  get kept(): readonly number[] {
    return this.#kept;
  }

  /** Uploads the table. */
  async replace(rows: Rows): Promise<void> {
    const from = performance.now();
    const jobId = await this.#upload('PUT', rows);
    await this.#complete(jobId, rows, from);
  }

  /** Adds or changes rows of the table, which must exist. */
  async merge(rows: Rows): Promise<void> {
    const merged = new Map([...this.rowsOf(this.active.current), ...rows]);
    const from = performance.now();
    const jobId = await this.#upload('PATCH', rows);
    await this.#complete(jobId, merged, from);
  }

  async revert(revision: number): Promise<void> {
    const from = performance.now();
    const path = `/v2/tables/${this.name}/revert`;
    const { status, text } = await this.#client.json('POST', path, { revision });
    if (status !== 200) throw new Error(text);
    this.active.settle(revision, from);
  }

  /** Does the same while rows are added. Whichever is first, the table ends as somebody wants it who has decided later. */
  async revertDuringMerge(revision: number, rows: Rows): Promise<void> {
    const merged = new Map([...this.rowsOf(this.active.current), ...rows]);
    const from = performance.now();
    const jobId = await this.#upload('PATCH', rows);
    await this.revert(revision);
    const revertedAt = performance.now();
    const { state, error } = (await this.#client.jobEnd(jobId)).body.data;
    const added = await this.#revisionOf(jobId);
    if (added === undefined) {
      if (state !== 'failed' || error.code !== 'table_changed') throw new Error(`${state}: ${error?.code}`);
      return;
    }
    // It was the active one before the revert.
    this.#revisions.set(added, merged);
    this.#kept.push(added);
    this.active.mayHaveHeld(added, from, revertedAt);
  }

  async delete(): Promise<void> {
    const from = performance.now();
    const { status, text } = await this.#client.send('DELETE', `/v2/tables/${this.name}`);
    if (status !== 204) throw new Error(text);
    this.#kept = [];
    this.active.settle(null, from);
  }

  async #complete(jobId: string, rows: Rows, from: number): Promise<void> {
    const { state, warnings, error } = (await this.#client.jobEnd(jobId)).body.data;
    const revision = await this.#revisionOf(jobId);
    if (state !== 'completed' || warnings.length > 0 || revision === undefined)
      throw new Error(`${state}: ${JSON.stringify(error ?? warnings)}`);
    this.#revisions.set(revision, rows);
    this.#kept.push(revision);
    this.active.settle(revision, from);
  }

  /** Returns the revision that an upload has made, if it has become the active one. */
  async #revisionOf(jobId: string): Promise<number | undefined> {
    const made = { job_id: jobId, state: 'ready' as const };
    return (await this.#fleet.database('lookup_revisions').where(made).first('revision'))?.revision;
  }

  async #upload(method: 'PUT' | 'PATCH', rows: Rows): Promise<string> {
    const lines = [...rows].map(([key, cells]) => ({ [this.#key]: key, ...cells }));
    const [first = {}] = lines;
    const last = Object.keys(first).map((column) => [
      column,
      column === this.#key ? UNUSED : `${this.#uploads++}`,
    ]);
    const path = `/v2/tables/${this.name}`;
    const sent = [...lines, Object.fromEntries(last)];
    const { status, body, text } = await this.#client.json(method, path, sent, { prefer: 'respond-async' });
    if (status !== 202) throw new Error(text);
    return body.jobId;
  }

  get #client(): Client {
    return (this.#fleet.apis[0] as Fleet['apis'][0]).client;
  }
}
