import type { Knex } from 'knex';
import type { Database } from '../../../db/client/connect.js';
import { inTransaction } from '../../../db/client/transaction.js';
import type { NewItem } from '../../../db/events/new-event.js';
import {
  countRepetitions,
  type HeardSeries,
  lockHeard,
  type Repeated,
  readExpiries,
  type StoredExpiry,
} from '../../../db/series/series-expiries.js';
import { heardFor, listeningPeriods, type Period } from '../../../db/upkeep/listening.js';
import { comparePositions, isNotNewer } from '../../mapping/index.js';
import { countedMs, ENDS_KNOWN_MS, type ExpiryRules } from './expiry.js';

/** What decides whether the item of an event is a repetition. */
export type Heard = Pick<
  NewItem,
  'id' | 'webhookId' | 'receivedAt' | 'seriesId' | 'status' | 'occurrence' | 'expiresAt' | 'digest'
>;

/** An event whose only item may be a repetition. */
export interface Candidate<Event> {
  event: Event;
  item: Heard;
}

/**
 * Counts the events that only repeat what is stored, and returns them. What repeats a firing alert lets it live longer; what repeats its end
 * changes nothing. Counting twice has the effect of once. Once an event of a series is news, so are those after it.
 * @param changed the series that had news among the events before these; those that have some now are added
 */
export async function countRepeated<Event>(
  database: Database,
  candidates: readonly Candidate<Event>[],
  { rules, changed }: { rules: ExpiryRules; changed: Set<string> },
): Promise<ReadonlySet<Event>> {
  return inTransaction(database, async (transaction) => {
    const known = await readExpiries(transaction, [...new Set(candidates.map(({ item }) => item.seriesId))]);
    // News is not locked here.
    const likely = candidates.filter(({ item }) => known.get(item.seriesId)?.digest === item.digest);
    const heard = await lockHeard(transaction, [...new Set(likely.map(({ item }) => item.seriesId))].sort());
    return count(transaction, candidates, { heard, rules, changed });
  });
}

async function count<Event>(
  transaction: Knex.Transaction,
  all: readonly Candidate<Event>[],
  {
    heard,
    rules,
    changed,
  }: { heard: ReadonlyMap<string, HeardSeries>; rules: ExpiryRules; changed: Set<string> },
): Promise<ReadonlySet<Event>> {
  const periods = await listeningPeriods(transaction);
  const repeated = new Set<Event>();
  const counts = new Map<string, Repeated>();
  for (const { event, item } of [...all].sort((one, other) => comparePositions(one.item, other.item))) {
    const { seriesId, receivedAt, expiresAt } = item;
    const series = heard.get(seriesId);
    const expiry = counts.get(seriesId) ?? series?.expiry;
    if (
      !series ||
      !expiry ||
      changed.has(seriesId) ||
      !isRepetition(item, series, expiry, { rules, periods })
    ) {
      changed.add(seriesId);
      continue;
    }
    repeated.add(event);
    if (receivedAt <= expiry.heardAt) continue;
    counts.set(seriesId, {
      seriesId,
      receivedAt: expiry.receivedAt,
      digest: expiry.digest,
      heardAt: receivedAt,
      expiresAt: Math.max(expiry.expiresAt, expiresAt ?? receivedAt + ENDS_KNOWN_MS),
      repetitions: (counts.get(seriesId)?.repetitions ?? 0) + 1,
    });
  }
  await countRepetitions(transaction, [...counts.values()]);
  return repeated;
}

/** Returns whether an item says what the newest event of its series said. */
function isRepetition(
  item: Heard,
  { newestAt, alertNewestAt, firing, ended, occurrence: current, refoldFrom }: HeardSeries,
  expiry: StoredExpiry,
  { rules, periods }: { rules: ExpiryRules; periods: readonly Period[] },
): boolean {
  const { receivedAt, occurrence } = item;
  if (refoldFrom !== null || expiry.digest !== item.digest) return false;
  if (receivedAt - expiry.receivedAt > countedMs(rules.get(item.webhookId))) return false;
  if (item.status === 'resolved')
    return (
      !firing && newestAt === expiry.receivedAt && (occurrence === null || isNotNewer(occurrence, ended))
    );
  if (item.status !== 'firing' || item.expiresAt == null) return false;
  if (!firing || alertNewestAt !== expiry.receivedAt) return false;
  // Of another Prometheus, which began to evaluate earlier. What it says of an occurrence that is over is outdated.
  const isOlder = isNotNewer(occurrence, current) && !isNotNewer(occurrence, ended);
  if (occurrence !== current && !isOlder) return false;
  const expiredAt = heardFor(periods, expiry.heardAt, expiry.expiresAt - expiry.heardAt);
  return expiredAt === null || expiredAt >= receivedAt;
}
