import type { Database } from '../client/connect.js';
import type { Lane } from './lanes.js';

/**
 * What keeps a destination from being told: its receiver is gone, it was stopped after three days, it has failed for some time, its URL or secret cannot
 * be decrypted, or a message was given up.
 */
export const TROUBLES = ['gone', 'stopped', 'failing', 'unreadable', 'dead'] as const;
export type Trouble = (typeof TROUBLES)[number];

/** A destination, with what shows whether it is in trouble. */
export interface WatchedLane {
  id: string;
  name: string;
  preset: string;
  host: string;
  /** Encrypted. */
  url: Buffer;
  /** Encrypted. */
  secret: Buffer | null;
  isDeleted: boolean;
  isPaused: boolean;
  /** Of its next message; null: none waits. */
  dueAt: Date | null;
  stopped: string | null;
  failures: number;
  failingSince: Date | null;
  succeededAt: Date | null;
  deadAt: Date | null;
  /** What an alert has been raised about. */
  trouble: Trouble | null;
  troubleAt: Date | null;
}

/** Returns all destinations, with those that were deleted while there was an alert about them. */
export async function watchedLanes(database: Database): Promise<WatchedLane[]> {
  const rows = await database('lanes')
    .join('destinations', 'destinations.id', 'lanes.destination_id')
    .where((any) => any.whereNull('deleted_at').orWhereNotNull('trouble'))
    .select({
      id: 'id',
      name: 'name',
      preset: 'preset',
      host: 'host',
      url: 'url',
      secret: 'secret',
      deletedAt: 'deleted_at',
      pausedAt: 'paused_at',
      dueAt: 'due_at',
      stopped: 'stopped',
      failures: 'failures',
      failingSince: 'failing_since',
      succeededAt: 'succeeded_at',
      deadAt: 'dead_at',
      trouble: 'trouble',
      troubleAt: 'trouble_at',
    });
  return rows.map(({ deletedAt, pausedAt, ...row }) => ({
    ...row,
    isDeleted: deletedAt !== null,
    isPaused: pausedAt !== null,
  }));
}

/** Notes what an alert has been raised about; null: it is over. */
export async function noteTrouble(
  database: Database,
  destinationId: string,
  trouble: { kind: Trouble; at: Date } | null,
): Promise<void> {
  await database('lanes')
    .where({ destination_id: destinationId })
    .update({ trouble: trouble?.kind ?? null, trouble_at: trouble?.at ?? null });
}

/** Returns whether any request was made since a time. */
export const hasAttempts = async (database: Database, since: Date): Promise<boolean> =>
  (await database('message_attempts').where('began_at', '>=', since).first('number')) !== undefined;

/** Returns the outcome of the last attempt of a message that was not delivered; null if there is none. */
export async function lastFailure(database: Database, destinationId: string): Promise<string | null> {
  const message = await database('messages')
    .where({ destination_id: destinationId })
    .whereIn('state', ['waiting', 'dead'])
    .whereExists(
      database('message_attempts as own')
        .whereRaw(
          'own.destination_id = messages.destination_id AND own.transition_id = messages.transition_id',
        )
        .select('own.number'),
    )
    .orderBy('due_at', 'desc')
    .first('transition_id');
  if (!message) return null;
  const attempt = await database('message_attempts')
    .where({ destination_id: destinationId, transition_id: message.transition_id })
    .whereNotNull('outcome')
    .orderBy('number', 'desc')
    .first('outcome');
  return attempt?.outcome ?? null;
}

/** Returns whether so many messages have not been delivered since a destination began to fail. */
export async function hasUndelivered(
  database: Database,
  { destinationId }: Pick<Lane, 'destinationId'>,
  atLeast: number,
): Promise<boolean> {
  const since = database('lanes').where({ destination_id: destinationId }).select('failing_since');
  const rows = await database('messages')
    .where({ destination_id: destinationId })
    .whereIn('state', ['waiting', 'dead', 'expired'])
    .where((any) => any.whereNull('ended_at').orWhere('ended_at', '>=', since))
    .limit(atLeast)
    .select('transition_id');
  return rows.length >= atLeast;
}
