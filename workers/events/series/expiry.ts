import type { Knex } from 'knex';
import type { NewItem } from '../../../db/events/new-event.js';
import { type EndItem, endRanks, hashedId, insertEnds } from '../../../db/series/ends.js';
import type { SeriesKey } from '../../../db/series/series.js';
import {
  type EventExpiry,
  readExpiries,
  type StoredExpiry,
  writeExpiries,
} from '../../../db/series/series-expiries.js';
import { heardFor, listeningPeriods, type Period, refusedForLoad } from '../../../db/upkeep/listening.js';
import {
  foldItems,
  isFiring,
  isOwnKey,
  RowItem,
  type SeriesItem,
  type SeriesState,
} from '../../mapping/index.js';

/** When alerts of an integration expire. */
export interface ExpiryRule {
  /** How long after their last event, in milliseconds; null: never. */
  ms: number | null;
  /** Whether events may say it themselves. */
  byEvent: boolean;
  /** After how long without an event the integration counts as silent, in milliseconds; null or left out: never. */
  silenceMs?: number | null;
}

/** When alerts expire, by the id of their integration. Alerts of others do not. */
export type ExpiryRules = ReadonlyMap<string, ExpiryRule>;

/**
 * For how long repetitions are only counted before one is stored, because retention and people look at stored events. Of an integration with a rule
 * of silence, a part of its time.
 */
const COUNTED_MS = 60 * 60_000;
const OF_SILENCE = 1 / 3;

/** Returns for how long repetitions of a stored event are only counted, in milliseconds. */
export const countedMs = ({ silenceMs = null }: Pick<ExpiryRule, 'silenceMs'> = {}): number =>
  silenceMs === null ? COUNTED_MS : Math.min(COUNTED_MS, silenceMs * OF_SILENCE);

/** What an alert is, as far as its expiry is concerned. */
interface Silent {
  alertId: string;
  series: SeriesKey;
  /** When its newest event was received, in milliseconds since 1970. */
  silentSince: number;
}

/**
 * Returns the expiry of an alert after so many milliseconds in which the intake heard nothing; null if they are not over yet.
 * @param heardAt when its newest event was repeated last
 */
export function expiryOf(
  { alertId, series, silentSince }: Silent,
  ms: number,
  periods: readonly Period[],
  heardAt = silentSince,
): (EndItem & { alertId: string }) | null {
  const receivedAt = heardFor(periods, heardAt, ms);
  if (receivedAt === null) return null;
  const id = hashedId(`expiry ${silentSince}`, alertId);
  return {
    id,
    alertId,
    series,
    receivedAt,
    origin: 'expiry',
    silentSince,
    reason: null,
    by: null,
    jobId: null,
  };
}

/** Returns an end as an item that is new to its series. */
export const endItem = ({ series, reason, ...end }: EndItem): NewItem => ({
  id: end.id,
  receivedAt: end.receivedAt,
  origin: end.origin,
  silentSince: end.silentSince,
  webhookId: series.webhookId,
  dedupKey: series.dedupKey,
  seriesId: series.id,
  status: 'resolved',
  state: 'complete',
  revision: 0,
  eventCount: 0,
  occurrence: null,
  final: false,
  title: null,
  severity: null,
  description: reason,
  source: null,
  service: null,
  environment: null,
  team: null,
  ownerEmail: null,
  custom: null,
  faults: null,
  ranks: endRanks(reason),
});

/** Returns what events say about when their alerts expire, the latest of each series. */
export function expiriesOf(items: readonly NewItem[]): EventExpiry[] {
  const latest = new Map<string, EventExpiry>();
  for (const { seriesId, receivedAt, expiresAt, digest = null, status } of items) {
    const until = expiresAt ?? (status === 'resolved' && digest !== null ? receivedAt + ENDS_KNOWN_MS : null);
    if (until === null || (latest.get(seriesId)?.receivedAt ?? 0) > receivedAt) continue;
    latest.set(seriesId, { seriesId, receivedAt, expiresAt: until, digest });
  }
  return [...latest.values()];
}

/** How long an end is known after it came, or was repeated last. Prometheus repeats one each minute, for 15 minutes. */
export const ENDS_KNOWN_MS = 20 * 60_000;

/**
 * Finds the alerts that expired before the next event of their series: a worker may store that late, so that no upkeep came in between. Then the
 * event opens the next alert, as it would have in time.
 */
export class Expiries {
  readonly #transaction: Knex.Transaction;
  readonly #rules: ExpiryRules;
  #periods: Promise<Period[]> | null = null;
  #refusals: Promise<ReadonlyMap<string, number>> | null = null;
  #stored: ReadonlyMap<string, StoredExpiry> = new Map();
  #news: readonly NewItem[] = [];
  /** Items that change no alert say nothing about its expiry. */
  readonly outdated = new Set<string>();
  /** Those that were found, to be stored. */
  readonly found: EndItem[] = [];

  constructor(transaction: Knex.Transaction, rules: ExpiryRules) {
    this.#transaction = transaction;
    this.#rules = rules;
  }

  /** Reads what was said about the expiries of new items. Their series must be locked. */
  async load(items: readonly NewItem[]): Promise<void> {
    const theirs = items.filter(({ webhookId }) => this.#rules.get(webhookId)?.byEvent);
    if (theirs.length === 0) return;
    this.#stored = await readExpiries(this.#transaction, [
      ...new Set(theirs.map(({ seriesId }) => seriesId)),
    ]);
    this.#news = theirs;
  }

  /** Stores what the new items say, and the expiries that were found. */
  async store(): Promise<void> {
    if (this.#news.length > 0)
      await writeExpiries(
        this.#transaction,
        expiriesOf(this.#news.filter(({ id }) => !this.outdated.has(id))),
      );
    await insertEnds(this.#transaction, this.found);
  }

  /** Returns whether an alert may have expired between two times. */
  mayExpire(webhookId: string, silentSince: number, receivedAt: number): boolean {
    const rule = this.#rules.get(webhookId);
    return rule !== undefined && (rule.byEvent || (rule.ms !== null && receivedAt - silentSince > rule.ms));
  }

  /** Returns new items of a series, with the expiries between them. `items` are sorted and newer than the state. */
  async between(
    key: SeriesKey,
    state: SeriesState,
    items: readonly SeriesItem[],
  ): Promise<readonly SeriesItem[]> {
    const rule = this.#rules.get(key.webhookId);
    if (rule === undefined || state.windowMs !== null || isOwnKey(key.dedupKey)) return items;
    let current = state;
    const all: SeriesItem[] = [];
    for (const item of items) {
      const end = await this.#before(item, key, current, rule);
      for (const one of end ? [end, item] : [item]) {
        all.push(one);
        current = foldItems(current, [one]).state;
      }
    }
    return all;
  }

  async #before(
    { receivedAt }: SeriesItem,
    series: SeriesKey,
    { latest }: SeriesState,
    rule: ExpiryRule,
  ): Promise<SeriesItem | null> {
    if (!latest || !isFiring(latest)) return null;
    const silentSince = latest.newest.receivedAt;
    const { heardAt, ms } = this.#lifeOf(latest.newest, series) ?? { heardAt: silentSince, ms: rule.ms };
    if (ms === null || receivedAt - heardAt <= ms) return null;
    this.#periods ??= listeningPeriods(this.#transaction);
    const silent = { alertId: latest.id, series, silentSince };
    const expiry = expiryOf(silent, ms, await this.#periods, heardAt);
    if (!expiry || expiry.receivedAt >= receivedAt) return null;
    this.#refusals ??= refusedForLoad(this.#transaction);
    const refusedAt = Math.min((await this.#refusals).get(series.webhookId) ?? 0, receivedAt);
    const end = refusedAt > heardAt ? expiryOf(silent, ms, await this.#periods, refusedAt) : expiry;
    if (!end || end.receivedAt >= receivedAt) return null;
    this.found.push(end);
    return new RowItem(endItem(end));
  }

  /** Returns for how long an event, or its last repetition, said that its alert lives, in milliseconds; null if it said nothing. */
  #lifeOf(newest: SeriesItem, { id }: SeriesKey): { heardAt: number; ms: number } | null {
    const { receivedAt } = newest;
    const stored = this.#stored.get(id);
    if (stored?.receivedAt === receivedAt)
      return { heardAt: stored.heardAt, ms: stored.expiresAt - stored.heardAt };
    const said = newest instanceof RowItem ? newest.row.expiresAt : null;
    return said == null ? null : { heardAt: receivedAt, ms: said - receivedAt };
  }
}
