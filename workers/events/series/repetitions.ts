import type { Knex } from 'knex';
import type { Database } from '../../../db/client/connect.js';
import { inTransaction } from '../../../db/client/transaction.js';
import type { NewEvent, NewItem } from '../../../db/events/new-event.js';
import { lockStored } from '../../../db/series/lock-series.js';
import type { StoredSeries } from '../../../db/series/series.js';
import {
  countRepetitions,
  type Repeated,
  readExpiries,
  type StoredExpiry,
} from '../../../db/series/series-expiries.js';
import { heardFor, listeningPeriods, type Period } from '../../../db/upkeep/listening.js';
import { comparePositions, isNotNewer } from '../../mapping/index.js';
import { countedMs, ENDS_KNOWN_MS, type ExpiryRules } from './expiry.js';

/** An event whose only item may be a repetition. */
interface Candidate {
  event: NewEvent;
  item: NewItem;
}

/** Returns the item of an event that says nothing else than an alert, and may say it again; null for others. */
export function repeatableItem({ alerts, items }: NewEvent, rules: ExpiryRules): NewItem | null {
  const [item] = items;
  if (!item?.digest || items.length > 1 || alerts.length > 0) return null;
  return rules.get(item.webhookId)?.byEvent ? item : null;
}

/**
 * Counts the events that only repeat what is stored, and returns the others. What repeats a firing alert lets it live longer; what repeats its end
 * changes nothing. Counting twice has the effect of once. Once an event of a series is news, so are those after it.
 */
export async function countRepeated(
  database: Database,
  events: readonly NewEvent[],
  rules: ExpiryRules,
): Promise<NewEvent[]> {
  const candidates = events.flatMap((event): Candidate[] => {
    const item = repeatableItem(event, rules);
    return item ? [{ event, item }] : [];
  });
  const known = await readExpiries(database, [...new Set(candidates.map(({ item }) => item.seriesId))]);
  // Most events are news: their series are not locked here.
  const likely = candidates.filter(({ item }) => known.get(item.seriesId)?.digest === item.digest);
  if (likely.length === 0) return [...events];
  const repeated = await inTransaction(database, (transaction) =>
    count(transaction, candidates, likely, rules),
  );
  return events.filter((event) => !repeated.has(event));
}

async function count(
  transaction: Knex.Transaction,
  all: readonly Candidate[],
  likely: readonly Candidate[],
  rules: ExpiryRules,
): Promise<ReadonlySet<NewEvent>> {
  const ids = [...new Set(likely.map(({ item }) => item.seriesId))].sort();
  const series = await lockStored(
    transaction,
    ids.map((id) => ({ id })),
  );
  const expiries = await readExpiries(transaction, ids);
  const periods = await listeningPeriods(transaction);
  const repeated = new Set<NewEvent>();
  const counts = new Map<string, Repeated>();
  const changed = new Set<string>();
  for (const { event, item } of [...all].sort((one, other) => comparePositions(one.item, other.item))) {
    const { seriesId, receivedAt, expiresAt } = item;
    const expiry = counts.get(seriesId) ?? expiries.get(seriesId);
    const state = series.get(seriesId);
    if (
      !expiry ||
      !state ||
      changed.has(seriesId) ||
      !isRepetition(item, state, expiry, { rules, periods })
    ) {
      changed.add(seriesId);
      continue;
    }
    repeated.add(event);
    if (receivedAt <= expiry.heardAt) continue;
    counts.set(seriesId, {
      ...expiry,
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
  item: NewItem,
  { newest, alert, ended, refoldFrom }: StoredSeries,
  expiry: StoredExpiry,
  { rules, periods }: { rules: ExpiryRules; periods: readonly Period[] },
): boolean {
  const { receivedAt, occurrence } = item;
  if (refoldFrom !== null || expiry.digest !== item.digest) return false;
  if (receivedAt - expiry.receivedAt > countedMs(rules.get(item.webhookId))) return false;
  if (item.status === 'resolved')
    return (
      !alert?.firing &&
      newest?.receivedAt === expiry.receivedAt &&
      (occurrence === null || isNotNewer(occurrence, ended))
    );
  if (item.status !== 'firing' || item.expiresAt == null) return false;
  if (!alert?.firing || alert.newest.receivedAt !== expiry.receivedAt) return false;
  // Of another Prometheus, which began to evaluate earlier. What it says of an occurrence that is over is outdated.
  const isOlder = isNotNewer(occurrence, alert.occurrence) && !isNotNewer(occurrence, ended);
  if (occurrence !== alert.occurrence && !isOlder) return false;
  const expiredAt = heardFor(periods, expiry.heardAt, expiry.expiresAt - expiry.heardAt);
  return expiredAt === null || expiredAt >= receivedAt;
}
