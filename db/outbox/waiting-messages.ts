import { fromUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { type AgedBelief, toBelief } from './beliefs.js';
import { byDestination, inMessages, marks, union } from './places.js';
import type { StoredTransition } from './transitions.js';

/** A message that waits. */
export interface WaitingMessage {
  transitionId: number;
  keyId: string;
  isFiltered: boolean;
  /** Which clause of the filter it is filtered by, or why the filter could not decide. */
  detail: string | null;
  attempts: number;
  /** Those before it was sent again. */
  attemptsBefore: number;
  /** Whether somebody has it sent again. */
  isReplayed: boolean;
  /** How often it was sent again as a new one. */
  copy: number;
  /** How long ago it was made, or was to be sent again. */
  ageMs: number;
  /** What its attempts so far have sent; null if nothing, or if it was part of a digest. */
  body: Buffer | null;
}

/** A message that is due, with all that decides whether it is sent. */
export interface DueMessage {
  message: WaitingMessage;
  /** Null if it is no longer stored. */
  transition: (StoredTransition & { createdAt: Date }) | null;
  /** What the destination knows of the key. */
  belief: AgedBelief | undefined;
  /** The alert as the destination was told last, as JSON; null if it knows of none that fires. */
  before: string | null;
  /** Whether a newer message about the same key waits too. */
  newerWaits: boolean;
  /** Only of one that is sent again: whether there is a newer message about the same key, whatever became of it. */
  hasNewer: boolean;
  /**
   * Whether the destination may have been told of the key although nobody knows it: by a message since {@link belief} that was sent, and ended without
   * an acceptance. A worker may have been stopped before it noted that, or the response may have come too late. Looked up only where it decides.
   */
  mayBeTold: boolean;
}

/** Which messages of a lane are asked for. */
export interface LaneRead {
  destinationId: string;
  /** Whether only the newest message of a key is sent. */
  isLatest: boolean;
  limit: number;
  /** Keys with a message that is under way are left out. By the number of that message. */
  underWay: ReadonlyMap<number, string>;
}

/** What there is to do in a lane. */
export interface LaneDue {
  due: DueMessage[];
  /** Keys whose messages wait for one that is due later. */
  postponed: { keyId: string; dueAt: Date }[];
  /** Keys of which older messages wait, although only the newest is sent. */
  superseded: { keyId: string; newest: number }[];
  /** Whether there may be more. */
  isFull: boolean;
}

/**
 * Returns messages that are due in lanes: of each key the oldest, or the newest if only that one is sent. One that is due while that one is not
 * waits as long as it does.
 */
export async function readLanes(database: Database, reads: readonly LaneRead[]): Promise<LaneDue[]> {
  const lanes = new Map(
    reads.map((read) => [read.destinationId, { read, keys: new Map<string, Buffer>(), rows: 0 }]),
  );
  for (const { destinationId, key } of await dueKeys(database, reads)) {
    const lane = lanes.get(destinationId);
    lane?.keys.set(fromUuidBinary(key), key);
    if (lane) lane.rows += 1;
  }
  for (const { read, keys } of lanes.values()) for (const keyId of read.underWay.values()) keys.delete(keyId);
  const heads = new Map<string, WaitingKey & { head: number }>();
  for (const key of await waitingKeys(database, [...lanes.values()])) {
    const head = lanes.get(key.destinationId)?.read.isLatest ? key.newest : key.oldest;
    heads.set(`${key.destinationId} ${head}`, { ...key, head });
  }
  const ids = [...heads.values()].map(({ destinationId, head }) => ({ destinationId, transitionId: head }));
  const found = new Map([...lanes].map(([id, lane]) => [id, emptyLane(isFull(lane))]));
  for (const row of await detailsOf(database, byDestination(ids))) {
    const due = found.get(row.destinationId);
    const key = heads.get(`${row.destinationId} ${row.transitionId}`);
    if (!due || !key) continue;
    const message = toDue(row, key.newest > key.head);
    const { keyId } = message.message;
    if (key.oldest < key.head) due.superseded.push({ keyId, newest: key.head });
    if (row.isDue) due.due.push(message);
    else due.postponed.push({ keyId, dueAt: row.dueAt });
  }
  return reads.map(({ destinationId }) => found.get(destinationId) ?? emptyLane(false));
}

const emptyLane = (isFull: boolean): LaneDue => ({ due: [], postponed: [], superseded: [], isFull });

/** A lane, with the keys of messages that are due: the first of them first. */
interface LaneKeys {
  read: LaneRead;
  keys: ReadonlyMap<string, Buffer>;
  /** How many messages were found. */
  rows: number;
}

/** Messages that are looked at, so that many about one key do not hide those about others. */
const LEAST_ROWS = 100;
const rowsOf = ({ limit }: LaneRead): number => Math.max(LEAST_ROWS, limit);

const isFull = ({ read, keys, rows }: LaneKeys): boolean => keys.size > read.limit || rows >= rowsOf(read);

/** Returns the keys of messages that are due, in the order in which they are. */
async function dueKeys(
  database: Database,
  reads: readonly LaneRead[],
): Promise<{ destinationId: string; key: Buffer }[]> {
  const parts = reads.map((read) => {
    const { destinationId, underWay } = read;
    const others = underWay.size === 0 ? '' : ` AND transition_id NOT IN (${marks(underWay.size)})`;
    return {
      sql: `SELECT destination_id AS destinationId, key_id AS \`key\` FROM messages
        WHERE destination_id = ? AND state = 'waiting' AND due_at <= UTC_TIMESTAMP(3)${others}
        ORDER BY due_at, transition_id LIMIT ?`,
      values: [destinationId, ...underWay.keys(), rowsOf(read)],
    };
  });
  return union<{ destinationId: string; key: Buffer }>(database, parts);
}

/** The messages of a key that wait, due or not. */
interface WaitingKey {
  destinationId: string;
  oldest: number;
  newest: number;
}

async function waitingKeys(database: Database, lanes: readonly LaneKeys[]): Promise<WaitingKey[]> {
  const parts = lanes
    .map(({ read: { destinationId, limit }, keys }) => ({
      destinationId,
      keys: [...keys.values()].slice(0, limit),
    }))
    .filter(({ keys }) => keys.length > 0)
    .map(({ destinationId, keys }) => ({
      sql: `SELECT destination_id AS destinationId, MIN(transition_id) AS oldest, MAX(transition_id) AS newest FROM messages
        WHERE destination_id = ? AND state = 'waiting' AND key_id IN (${marks(keys.length)}) GROUP BY destination_id, key_id`,
      values: [destinationId, ...keys],
    }));
  const rows = await union<{ destinationId: string; oldest: number | string; newest: number | string }>(
    database,
    parts,
  );
  return rows.map((row) => ({ ...row, oldest: Number(row.oldest), newest: Number(row.newest) }));
}

/** A message with what it tells of, if that is still stored, and what its destination knows. */
interface Details {
  destinationId: string;
  transitionId: number | string;
  keyId: Buffer;
  isFiltered: number;
  detail: string | null;
  attempts: number;
  attemptsBefore: number;
  replayedAt: Date | null;
  copy: number;
  body: Buffer | null;
  dueAt: Date;
  isDue: number;
  ageMs: number | string | null;
  kind: StoredTransition['kind'] | null;
  createdAt: Date;
  webhookId: Buffer;
  alertId: Buffer;
  alert: string;
  believedAlertId: Buffer;
  firing: number | null;
  severity: string | null;
  toldId: number | string;
  toldAgoMs: number | string;
  before: string | null;
  hasNewer: number | null;
  mayBeTold: number | null;
}

/** A message whose transition is gone is returned too: otherwise its lane would be due for ever. */
async function detailsOf(
  database: Database,
  ids: ReadonlyMap<string, readonly number[]>,
): Promise<Details[]> {
  if (ids.size === 0) return [];
  return database('messages')
    .leftJoin('transitions', 'transitions.id', 'messages.transition_id')
    .leftJoin('beliefs', (on) =>
      on.on('beliefs.destination_id', 'messages.destination_id').on('beliefs.key_id', 'messages.key_id'),
    )
    .leftJoin({ before: 'transitions' }, (on) =>
      on.on('before.id', 'beliefs.transition_id').onVal('beliefs.firing', 1),
    )
    .whereRaw(...inMessages(ids, 'messages.'))
    .orderBy('messages.transition_id')
    .select({
      destinationId: 'messages.destination_id',
      transitionId: 'messages.transition_id',
      keyId: 'messages.key_id',
      isFiltered: 'messages.is_filtered',
      detail: 'messages.detail',
      attempts: 'messages.attempts',
      attemptsBefore: 'messages.attempts_before',
      replayedAt: 'messages.replayed_at',
      copy: 'messages.copy',
      body: database.raw('CASE WHEN messages.digest_id IS NULL THEN messages.body END'),
      dueAt: 'messages.due_at',
      isDue: database.raw('messages.due_at <= UTC_TIMESTAMP(3)'),
      ageMs: database.raw(
        'TIMESTAMPDIFF(MICROSECOND, COALESCE(messages.replayed_at, transitions.created_at), UTC_TIMESTAMP(3)) DIV 1000',
      ),
      kind: 'transitions.kind',
      createdAt: 'transitions.created_at',
      webhookId: 'transitions.webhook_id',
      alertId: 'transitions.alert_id',
      alert: 'transitions.alert',
      believedAlertId: 'beliefs.alert_id',
      firing: 'beliefs.firing',
      severity: 'beliefs.severity',
      toldId: 'beliefs.transition_id',
      toldAgoMs: database.raw('TIMESTAMPDIFF(MICROSECOND, beliefs.told_at, UTC_TIMESTAMP(3)) DIV 1000'),
      before: 'before.alert',
      hasNewer: database.raw(
        `messages.replayed_at IS NOT NULL AND EXISTS (SELECT 1 FROM messages AS later FORCE INDEX (of_key) WHERE later.destination_id = messages.destination_id
          AND later.key_id = messages.key_id AND later.transition_id > messages.transition_id)`,
      ),
      mayBeTold: database.raw(
        `(CASE WHEN transitions.kind = 'resolved' THEN COALESCE(beliefs.firing, 0) = 0
          ELSE COALESCE(beliefs.firing, 0) = 1 OR messages.is_filtered = 1 END) AND EXISTS (
          SELECT 1 FROM messages AS earlier FORCE INDEX (of_key) WHERE earlier.destination_id = messages.destination_id AND earlier.key_id = messages.key_id
            AND earlier.state IN ('waiting', 'superseded', 'expired', 'dead', 'canceled') AND earlier.transition_id > COALESCE(beliefs.transition_id, 0)
            AND earlier.transition_id < messages.transition_id AND earlier.attempts > 0)`,
      ),
    });
}

const toDue = (row: Details, newerWaits: boolean): DueMessage => ({
  message: {
    transitionId: Number(row.transitionId),
    keyId: fromUuidBinary(row.keyId),
    isFiltered: row.isFiltered === 1,
    detail: row.detail,
    attempts: row.attempts,
    attemptsBefore: row.attemptsBefore,
    isReplayed: row.replayedAt !== null,
    copy: row.copy,
    ageMs: Number(row.ageMs),
    body: row.body,
  },
  transition:
    row.kind === null
      ? null
      : {
          id: Number(row.transitionId),
          kind: row.kind,
          createdAt: row.createdAt,
          webhookId: fromUuidBinary(row.webhookId),
          alertId: fromUuidBinary(row.alertId),
          alert: row.alert,
        },
  belief:
    row.firing === null
      ? undefined
      : {
          ageMs: Number(row.toldAgoMs),
          ...toBelief({
            destination_id: row.destinationId,
            key_id: row.keyId,
            alert_id: row.believedAlertId,
            firing: row.firing,
            severity: row.severity,
            transition_id: row.toldId,
          }),
        },
  before: row.before,
  newerWaits,
  hasNewer: Number(row.hasNewer) === 1,
  mayBeTold: Number(row.mayBeTold) === 1,
});

/** Why a message was not sent, or is not sent again. */
export type EndState = 'delivered' | 'digested' | 'superseded' | 'filtered' | 'expired' | 'dead' | 'canceled';
