import type { Draw } from '../series/sent-events.js';
import type { Fleet } from '../servers/fleet.js';
import { ChangingTable, type Rows } from './changing-table.js';
import { Timeline } from './timeline.js';

export const SERVICES = ['shop', 'blog', 'mail', 'cart'];
const TEAMS = ['red', 'blue', 'grey'];
export const ACCOUNTS = ['ada', 'bob', 'eve'];
export const ACCOUNT_SYSTEM = 7;

const IDENTITIES = '/v2/developers/identities';
export const LATER = { prefer: 'respond-async' };

/** The place of owners, among the names of tables. */
export const OWNERS = 'owners';

/** What was looked up, as a receipt says. */
export interface Looked {
  /** Null: the owner of an account. */
  table: string | null;
  revision: number | null;
  key: string;
  row: Record<string, string> | null;
}

/** Changes what is looked up, and knows what could be found when. */
export class ChangingWorld {
  readonly #tables: Record<'services' | 'teams', ChangingTable>;
  readonly #owners = new Map(ACCOUNTS.map((login) => [login, new Timeline<string | null>(null)]));
  readonly #fleet: Fleet;
  readonly #draw: Draw;
  #serial = 0;

  constructor(fleet: Fleet, draw: Draw) {
    this.#fleet = fleet;
    this.#draw = draw;
    this.#tables = {
      services: new ChangingTable(fleet, 'services', 'service'),
      teams: new ChangingTable(fleet, 'teams', 'team'),
    };
  }

  async start(): Promise<void> {
    await this.#tables.services.replace(this.#services());
    await this.#tables.teams.replace(this.#teams());
  }

  /** Makes a change that is drawn, and waits until it is made. */
  async change(): Promise<void> {
    const kind = this.#draw.from(['put', 'patch', 'patch and revert', 'revert', 'delete', 'owner', 'owner']);
    if (kind === 'owner') return this.#giveAccount();
    const [table, rows] = this.#draw.below(2)
      ? [this.#tables.services, this.#services()]
      : [this.#tables.teams, this.#teams()];
    if (kind === 'put' || table.active.current === null) return table.replace(rows);
    if (kind === 'patch') return table.merge(rows);
    const earlier = this.#draw.from(table.kept.slice(-4));
    if (kind === 'patch and revert') return table.revertDuringMerge(earlier, rows);
    return kind === 'revert' ? table.revert(earlier) : table.delete();
  }

  /** Returns what a lookup that found this must have found, with `canBe`: whether it could be found between two times. */
  check({ table, revision, key, row }: Looked, from: number, to: number) {
    if (table === null) {
      const owner = this.#owners.get(key) ?? NOBODY;
      return { table, revision: null, key, row, canBe: owner.canBeFound(row?.email ?? null, from, to) };
    }
    const known = this.#tableOf(table);
    const canBe = known?.active.canBeFound(revision, from, to);
    return { table, revision, key, row: known?.rowsOf(revision).get(key) ?? null, canBe };
  }

  /** Returns the row that a lookup finds now. */
  readonly find = (place: string, key: string): Looked['row'] => {
    if (place === OWNERS) return ownerRow(this.#owners.get(key)?.current ?? null);
    const table = this.#tableOf(place);
    return table?.rowsOf(table.active.current).get(key) ?? null;
  };

  #tableOf(name: string): ChangingTable | undefined {
    return Object.values(this.#tables).find((table) => table.name === name);
  }

  /** Gives an account another owner, or takes its owner away. */
  async #giveAccount(): Promise<void> {
    const identity = this.#draw.from(ACCOUNTS);
    const email = this.#draw.below(4) ? `owner-${++this.#serial}@example.com` : null;
    const account = { integrationId: ACCOUNT_SYSTEM, identity };
    const { client } = this.#fleet.apis[0] as Fleet['apis'][0];
    const from = performance.now();
    const { body } = await (email === null
      ? client.json('DELETE', IDENTITIES, [account], LATER)
      : client.json('PATCH', IDENTITIES, [{ email, ...account }], LATER));
    const { state } = (await client.jobEnd(body.jobId)).body.data;
    if (state !== 'completed') throw new Error(`the job of an account ended as ${state}`);
    this.#owners.get(identity)?.settle(email, from);
  }

  #services(): Rows {
    return this.#some(SERVICES, () => ({
      title: `title ${++this.#serial}`,
      team: this.#draw.from(TEAMS),
    }));
  }

  #teams(): Rows {
    return this.#some(TEAMS, () => ({
      zone: `zone ${++this.#serial}`,
      severity: this.#draw.from(['critical', 'P1', 'error']),
    }));
  }

  #some(keys: readonly string[], cells: () => Record<string, string>): Rows {
    const some = keys.filter(() => this.#draw.below(4));
    return new Map((some.length > 0 ? some : keys).map((key) => [key, cells()]));
  }
}

const NOBODY = new Timeline<string | null>(null);

const ownerRow = (email: string | null): Looked['row'] => (email === null ? null : { email });
