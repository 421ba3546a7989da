import type { Logger } from 'pino';
import type { Database } from '../../db/client/connect.js';
import {
  hasAttempts,
  lastFailure,
  noteTrouble,
  type Trouble,
  type WatchedLane,
  watchedLanes,
} from '../../db/outbox/trouble.js';
import { type Report, storeReports } from '../events/store/report.js';
import { presetOf } from '../outbox/presets/index.js';
import { troubleOver, troubleReport } from './report-trouble.js';

const MINUTE_MS = 60_000;
/** How long a destination must have failed. */
const FAILING_MS = 15 * MINUTE_MS;
/** So many attempts in a row: otherwise there was just nothing to send. */
const MIN_FAILURES = 5;
/** How long no message may have been given up before that is over: one that rejects some messages would else be in trouble again each minute. */
const DEAD_MS = 15 * MINUTE_MS;

/** For how long messages must have been due without an attempt of any. */
const LEFT_MS = 15 * MINUTE_MS;

interface Services {
  database: Database;
  log: Logger;
  /** Decrypts what belongs to a destination; null if it cannot be read. Null for a worker without a key. */
  open: ((sealed: Buffer, owner: string) => string | null) | null;
}

/** Raises an alert about each destination that is in trouble, and resolves it with its next success. Yields how many of both it stored. */
export async function* watchTrouble(services: Services, now: Date): AsyncGenerator<number, void> {
  const isReadable = await reader(services, now);
  for (const lane of await watchedLanes(services.database)) {
    const { kind, report } = await change(services.database, lane, { isReadable: isReadable(lane), now });
    if (!report) continue;
    // In this order: if the worker is stopped in between, the same is reported again, which is a repetition.
    await storeReports(services, [report]);
    await noteTrouble(services.database, lane.id, kind && { kind, at: now });
    yield 1;
  }
}

interface Change {
  kind: Trouble | null;
  /** Null: nothing has changed. */
  report: Report | null;
}

async function change(
  database: Database,
  lane: WatchedLane,
  { isReadable, now }: { isReadable: boolean; now: Date },
): Promise<Change> {
  if (lane.isDeleted) return over(lane, now, 'The destination was deleted.');
  const kind = troubleOf(lane, isReadable, now);
  if (kind === lane.trouble || (kind !== null && lane.isPaused)) return { kind, report: null };
  if (kind !== null) {
    const outcome = kind === 'unreadable' ? null : await lastFailure(database, lane.id);
    return { kind, report: troubleReport(lane, { kind, at: now, outcome }) };
  }
  if (lane.trouble === 'unreadable') return over(lane, now, 'It can be read again.');
  if (lane.trouble === 'dead')
    return over(lane, now, 'Messages are delivered, and no other one was given up.');
  const { succeededAt, troubleAt } = lane;
  if (!succeededAt || (troubleAt && succeededAt <= troubleAt)) return { kind: lane.trouble, report: null };
  return over(lane, succeededAt, 'A message was delivered.');
}

const over = ({ id }: WatchedLane, at: Date, reason: string): Change => ({
  kind: null,
  report: troubleOver(id, at, reason),
});

/**
 * Returns what tells whether a destination can be read. A worker without a key sees only what others do: if messages are due and no worker
 * sends any, none of them has a key.
 */
async function reader({ database, open }: Services, now: Date): Promise<(lane: WatchedLane) => boolean> {
  if (open)
    return ({ id, preset, url, secret }) =>
      presetOf(preset) !== null && open(url, id) !== null && (secret === null || open(secret, id) !== null);
  const since = new Date(+now - LEFT_MS);
  const isAnySent = await hasAttempts(database, since);
  return ({ trouble, stopped, dueAt }) =>
    isAnySent || (trouble !== 'unreadable' && (stopped !== null || dueAt === null || dueAt > since));
}

/** Returns the trouble that a destination is in now; null for none. */
export function troubleOf(
  {
    stopped,
    failures,
    failingSince,
    succeededAt,
    deadAt,
    dueAt,
  }: Pick<WatchedLane, 'stopped' | 'failures' | 'failingSince' | 'succeededAt' | 'deadAt' | 'dueAt'>,
  isReadable: boolean,
  now: Date,
): Trouble | null {
  if (!isReadable) return 'unreadable';
  if (stopped !== null) return stopped === 'gone' ? 'gone' : 'stopped';
  const isLong = failingSince !== null && +now - +failingSince >= FAILING_MS;
  // Without failures, it asks to be left alone each time, which says nothing once nothing waits.
  if (isLong && (failures >= MIN_FAILURES || (failures === 0 && dueAt !== null))) return 'failing';
  const isRecent = deadAt !== null && +now - +deadAt < DEAD_MS;
  return deadAt && (isRecent || !succeededAt || succeededAt < deadAt) ? 'dead' : null;
}
