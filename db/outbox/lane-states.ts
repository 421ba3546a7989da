import type { Knex } from 'knex';
import { sqlInSeconds, sqlNow } from '../client/now.js';
import type { LaneHealth, LaneWrite } from './lane-write.js';
import { LEASE_S } from './lanes.js';
import { groupsOf, union } from './places.js';

/** Returns when the next messages of lanes that are given back are due, and whether that is now. */
export async function nextDue(
  transaction: Knex.Transaction,
  writes: readonly LaneWrite[],
): Promise<Map<string, Next>> {
  const parts = writes.flatMap(({ lane: { destinationId }, release }) => {
    if (!release) return [];
    const message = {
      sql: `SELECT destination_id AS destinationId, due_at AS dueAt, due_at <= UTC_TIMESTAMP(3) AS isDue FROM messages
        WHERE destination_id = ? AND state = 'waiting' ORDER BY due_at LIMIT 1`,
      values: [destinationId],
    };
    if (release.repeatSeconds === null) return [message];
    const repeat = {
      sql: `SELECT destination_id AS destinationId, MIN(repeat_from) + INTERVAL ? SECOND AS dueAt, 0 AS isDue FROM beliefs
        WHERE destination_id = ? AND firing = 1 AND repeat_from IS NOT NULL GROUP BY destination_id`,
      values: [release.repeatSeconds, destinationId],
    };
    return [message, repeat];
  });
  const next = new Map<string, Next>();
  for (const { destinationId, dueAt, isDue } of await union<Next & { destinationId: string }>(
    transaction,
    parts,
  )) {
    const other = next.get(destinationId);
    const isFirst = other === undefined || dueAt < other.dueAt;
    next.set(destinationId, {
      dueAt: isFirst ? dueAt : other.dueAt,
      isDue: Math.max(isDue, other?.isDue ?? 0),
    });
  }
  return next;
}

export interface Next {
  dueAt: Date;
  isDue: number;
}

/** Returns whether a lane is not given back, because a message is due. */
export const isKept = ({ lane, release }: LaneWrite, next: ReadonlyMap<string, Next>): boolean =>
  release?.unlessDue === true && next.get(lane.destinationId)?.isDue === 1;

/** Writes what is the same for several lanes at once. Those that are not given back are kept for {@link LEASE_S} more. */
export async function updateLanes(
  transaction: Knex.Transaction,
  writes: readonly LaneWrite[],
  { next, revisions }: { next: ReadonlyMap<string, Next>; revisions: ReadonlyMap<string, number> },
): Promise<void> {
  const changes = writes.map((write) => {
    const id = write.lane.destinationId;
    const release = isKept(write, next) ? null : write.release;
    const dueAt = release && (next.get(id)?.dueAt ?? null);
    // What a new setting has sent is looked for at once.
    const isOld = revisions.has(id) && revisions.get(id) !== write.revision;
    return { id, health: write.health, release, dueAt, isOld };
  });
  for (const group of groupsOf(changes, ({ id: _, ...change }) => JSON.stringify(change))) {
    const [{ health, release, dueAt, isOld }] = group;
    const probeAt = probeAtOf(transaction, health, release?.restSeconds ?? 0);
    await transaction('lanes')
      .whereIn(
        'destination_id',
        group.map(({ id }) => id),
      )
      .update({
        ...(release
          ? { lease: null, lease_until: null, due_at: isOld ? sqlNow(transaction) : dueAt }
          : { lease_until: sqlInSeconds(transaction, LEASE_S) }),
        ...(health ? healthColumns(transaction, health) : {}),
        ...(probeAt === undefined ? {} : { probe_at: probeAt }),
      });
  }
}

const healthColumns = (
  transaction: Knex.Transaction,
  { failures, hasSucceeded, stopped, probeInSeconds }: LaneHealth,
) => ({
  failures,
  stopped,
  // A destination that has to be left alone is told nothing either, although nothing has failed.
  failing_since:
    failures === 0 && probeInSeconds === null
      ? null
      : hasSucceeded
        ? sqlNow(transaction)
        : transaction.raw('COALESCE(failing_since, UTC_TIMESTAMP(3))'),
  ...(hasSucceeded ? { succeeded_at: sqlNow(transaction) } : {}),
});

/** Returns when the next attempt is allowed; undefined: as it is. */
function probeAtOf(
  transaction: Knex.Transaction,
  health: LaneHealth | null,
  restSeconds: number,
): Knex.Raw | null | undefined {
  const probeInSeconds = health?.probeInSeconds ?? null;
  const seconds = Math.max(restSeconds, probeInSeconds ?? 0);
  if (health) return seconds > 0 ? sqlInSeconds(transaction, seconds) : null;
  if (seconds <= 0) return undefined;
  return transaction.raw('GREATEST(COALESCE(probe_at, UTC_TIMESTAMP(3)), ?)', [
    sqlInSeconds(transaction, seconds),
  ]);
}
