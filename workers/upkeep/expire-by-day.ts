import { systemOrigin } from '../../db/audit/entry.js';
import { writeAudit } from '../../db/audit/write-audit.js';
import { inTransaction } from '../../db/client/transaction.js';
import {
  addPartitions,
  dropPartition,
  listPartitions,
  type Partition,
  type PartitionedTable,
  whyUnchanged,
} from '../../db/events/day-partitions.js';
import { deleteOldest, type ReceivedBetween } from '../../db/events/delete-oldest.js';
import { hasSeriesIn, refoldAlertsIn } from '../../db/series/series-expiry.js';
import type { Subject } from '../../db/upkeep/horizons.js';
import { DAY_MS } from '../../db/upkeep/horizons.js';
import { describeError } from '../process/describe-error.js';
import type { WorkerServices } from '../run/services.js';
import type { Turn } from './begin-turn.js';
import type { UpkeepTask } from './task.js';

type Database = WorkerServices['database'];

/** Every list looks into each partition, so a long retention gets longer partitions. */
const MAX_PARTITIONS = 60;
/** Partitions that exist before they are needed. */
const AHEAD = 2;
/** Rows per DELETE, which then holds its locks for some milliseconds. */
const ROWS = 1_000;

/** Returns the length of new partitions in milliseconds: expired rows may stay for so long, because they are dropped together. */
export const partitionSpan = (days: number): number => Math.ceil(days / MAX_PARTITIONS) * DAY_MS;

/** How the rows of a table expire. */
export interface Expiry {
  table: PartitionedTable;
  subject: Subject;
  /** After so many days. */
  days: number;
  /** Returns whether rows that were received in a time must be kept, although they are old enough. */
  keepsRows(database: Database, from: Date, before: Date): Promise<boolean>;
  /** Restores rows of a time that were dropped, because they were stored after `keepsRows` had returned false. */
  restoreRows(database: Database, from: Date, before: Date): Promise<void>;
}

/**
 * Drops the partitions of a table that have expired, and creates those of the next days. Deletes rows in steps where a partition cannot be dropped:
 * if it also has rows that stay, if it has more than its days (rows of an earlier release), if the account may not change the table, or while other
 * transactions use it for long. Yields the number of rows of each step.
 */
export async function* expireByDay(
  services: WorkerServices,
  turn: Turn,
  expiry: Expiry,
): AsyncGenerator<number, void> {
  const { database } = services;
  const { table, days } = expiry;
  const spanMs = partitionSpan(days);
  const partitions = await listPartitions(database, table);
  // Not by a clock that may be wrong: what arrives until then would share one partition.
  const today = turn.ago(0);
  const canAlter = await addAhead(services, table, partitions, { today, spanMs });
  const before = turn.expiry(expiry.subject);
  let from = new Date(0);
  for (const partition of partitions) {
    const until = partition.before;
    if (!until || until > before) {
      // Rows of the first days of a partition only wait until it is dropped, unless it has more days than others.
      const rowsBefore = canAlter && until ? Math.min(+before, +until - spanMs) : +before;
      yield* inSteps(database, table, { from, before: new Date(rowsBefore) });
      return;
    }
    const dropped =
      canAlter &&
      !(await expiry.keepsRows(database, from, until)) &&
      (await changed(services, table, () => dropPartition(database, table, partition)));
    if (dropped) {
      await expiry.restoreRows(database, from, until);
      services.log.info({ table, partition: partition.name }, 'upkeep dropped a partition of expired rows');
      await recordDrop(services, { table, until });
      yield 0;
      continue;
    }
    yield* inSteps(database, table, { from, before: until });
    from = until;
  }
}

/** Writes an entry into the audit log for a partition, whose rows are not counted. */
async function recordDrop(
  { database }: WorkerServices,
  { table, until }: { table: PartitionedTable; until: Date },
): Promise<void> {
  const drop = { kind: table, id: null, name: null, before: { receivedBefore: until }, after: null };
  await inTransaction(database, (transaction) =>
    writeAudit(transaction, systemOrigin('upkeep', `expire-${table}`), [drop]),
  );
}

/** Creates the partitions of the next days. Returns whether the account may. */
async function addAhead(
  services: WorkerServices,
  table: PartitionedTable,
  partitions: readonly Partition[],
  { today, spanMs }: { today: Date; spanMs: number },
): Promise<boolean> {
  const midnight = Math.floor(+today / DAY_MS) * DAY_MS;
  let last = Math.max(midnight, ...partitions.map(({ before }) => before?.getTime() ?? 0));
  const midnights: Date[] = [];
  while (last < midnight + AHEAD * spanMs) {
    last += spanMs;
    midnights.push(new Date(last));
  }
  if (midnights.length === 0) return true;
  return changed(services, table, () => addPartitions(services.database, table, midnights));
}

const UNCHANGED = {
  busy: 'partitions were not changed, because other transactions use the table; the next turn retries it',
  denied:
    'the account may not change partitions, so rows are deleted one by one: run npm run migrate with --worker-account',
};

/** Changes the partitions of a table. Returns false if that must be left to a later turn, or to an account that may do it. */
async function changed(
  { log }: WorkerServices,
  table: PartitionedTable,
  change: () => Promise<void>,
): Promise<boolean> {
  try {
    await change();
    return true;
  } catch (error) {
    const why = whyUnchanged(error);
    if (why === null) throw error;
    log.warn({ table, error: describeError(error) }, UNCHANGED[why]);
    return false;
  }
}

/** Deletes rows in steps, and yields the number of each. */
export async function* inSteps(
  database: Database,
  table: Parameters<typeof deleteOldest>[1],
  { from: start, before }: ReceivedBetween,
): AsyncGenerator<number, void> {
  let from = start;
  while (from === null || from < before) {
    const deleted = await deleteOldest(database, table, { from, before }, ROWS);
    yield deleted.count;
    if (!deleted.next) return;
    from = deleted.next;
  }
}

/** Removes events that are older than `EVENT_RETENTION_DAYS`. */
export const expireEvents: UpkeepTask = {
  name: 'expire-events',
  removes: 'events',
  run: (services, turn) =>
    expireByDay(services, turn, {
      table: 'events',
      subject: 'events',
      days: services.settings.eventRetentionDays,
      keepsRows: async () => false,
      restoreRows: async () => {},
    }),
};

/**
 * Deletes the ids of deliveries whose events and alerts have expired, and can no longer be in a partition. Before that, a redelivery would be a second
 * event or alert with the same id.
 */
export const expireDeliveries: UpkeepTask = {
  name: 'expire-deliveries',
  async *run({ database, settings: { eventRetentionDays, alertRetentionDays } }, turn) {
    const days = Math.max(eventRetentionDays, alertRetentionDays);
    const expiry = Math.min(+turn.expiry('events'), +turn.expiry('alerts'));
    const before = new Date(expiry - partitionSpan(days));
    yield* inSteps(database, 'deliveries', { from: null, before });
  },
};

/** Deletes the confirmations of SNS subscriptions whose events have expired. */
export const expireSnsConfirmations: UpkeepTask = {
  name: 'expire-sns-confirmations',
  async *run({ database }, turn) {
    yield* inSteps(database, 'sns_confirmations', { from: null, before: turn.expiry('events') });
  },
};

/** Removes stand-alone alerts that are older than `ALERT_RETENTION_DAYS`. Alerts of series expire with their items. */
export const expireAlerts: UpkeepTask = {
  name: 'expire-alerts',
  removes: 'alerts',
  run: (services, turn) => expireByDay(services, turn, alertExpiry(services)),
};

export const alertExpiry = ({ settings }: WorkerServices): Expiry => ({
  table: 'alerts',
  subject: 'alerts',
  days: settings.alertRetentionDays,
  keepsRows: hasSeriesIn,
  restoreRows: refoldAlertsIn,
});
