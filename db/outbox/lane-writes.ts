import type { Knex } from 'knex';
import { toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { sqlInSeconds, sqlNow } from '../client/now.js';
import { inTransaction } from '../client/transaction.js';
import { type Belief, writeBeliefs } from './beliefs.js';
import type { Lane } from './lanes.js';
import { byDestination, chunksOf, groupsOf, inMessages, union } from './places.js';
import type { EndState } from './waiting-messages.js';

/** A request of a message. */
interface Attempt {
  transitionId: number;
  number: number;
}

/** A request that is about to be sent. */
export interface BegunAttempt extends Attempt {
  /** The bytes that all attempts of the message have, except those of a digest; null if they are stored. */
  body: Buffer | null;
  /** Other messages that the request tells too. */
  digested: readonly number[];
}

type ToldBelief = Pick<Belief, 'keyId' | 'alertId' | 'isFiring' | 'severity'>;

/** What became of an attempt. */
export interface AttemptResult extends Attempt {
  tookMs: number;
  outcome: string;
  status: number | null;
  response: string | null;
  /** Null: the message ends, as `end` says. */
  againInSeconds: number | null;
  end: EndState | null;
  /** What the destination knows now; null if it is the same as before. */
  belief: ToldBelief | null;
  /** Other messages that the request told too. */
  digested: readonly { transitionId: number; belief: ToldBelief | null }[];
  /** Whether the attempt counts: whether it was the message's or the destination's turn to fail. */
  isCounted: boolean;
}

/** How attempts in a lane go. */
export interface LaneHealth {
  /** How many failed in a row. */
  failures: number;
  /** Whether one has succeeded since this was written last. */
  hasSucceeded: boolean;
  /** In how many seconds the next one is allowed; null: at once. */
  probeInSeconds: number | null;
  /** Why none is made until somebody resumes it. */
  stopped: string | null;
}

/** What a worker writes about its lane at once. */
export interface LaneWrite {
  lane: Pick<Lane, 'destinationId' | 'lease'>;
  results: readonly AttemptResult[];
  /** Messages that end without a request. */
  ended: readonly { transitionId: number; state: EndState; reason: string; detail?: string }[];
  /** Keys whose messages before the newest end. */
  superseded: readonly { keyId: string; newest: number }[];
  /** Keys whose messages are not due before a time. */
  postponed: readonly { keyId: string; dueAt: Date }[];
  /** Requests that are sent after this is written. They are made for this revision of the destination. */
  begun: readonly BegunAttempt[];
  revision: number;
  /** Requests of {@link begun} that were not sent after all. */
  unsent: readonly (Attempt & { digested: readonly number[] })[];
  /** Null: as it is. */
  health: LaneHealth | null;
  /** Gives the lane back, with the time when its next message is due. */
  release: {
    /** Nobody takes it for so many seconds. */
    restSeconds: number;
    /** Not if a message is due now. */
    unlessDue: boolean;
    /** After how long the destination is told again of an alert that still fires; null: never. */
    repeatSeconds: number | null;
  } | null;
}

/**
 * What became of it. `lost`: another worker has the lane, so nothing was written, and that one decides. `changed`: the destination was deleted or
 * changed, such as paused, so nothing may be sent; all else was written. `kept`: the lane was not given back, because a message is due.
 */
export type Written = 'written' | 'kept' | 'changed' | 'lost';

/** Writes about lanes, in one transaction. Returns what became of each, in the same order. */
export function writeLanes(database: Database, writes: readonly LaneWrite[]): Promise<Written[]> {
  return inTransaction(database, async (transaction) => {
    const leases = await lockLanes(transaction, writes);
    const held = writes.filter(({ lane }) => leases.get(lane.destinationId) === lane.lease);
    const revisions = await revisionsOf(transaction, held);
    const isChanged = ({ begun, health, lane, revision }: LaneWrite) =>
      (begun.length > 0 || health !== null) && revisions.get(lane.destinationId) !== revision;
    // What a request finds out about a destination does not count for what it is now.
    const own = held.map((write) => (isChanged(write) ? { ...write, begun: [], health: null } : write));
    await writeResults(transaction, own);
    await endMessages(transaction, own);
    await noteDead(transaction, own);
    await takeBack(transaction, own);
    await writeBegun(transaction, own);
    const next = await nextDue(transaction, own);
    await updateLanes(transaction, own, { next, revisions });
    return writes.map((write) => {
      if (!held.includes(write)) return 'lost';
      if (isKept(write, next)) return 'kept';
      return isChanged(write) ? 'changed' : 'written';
    });
  });
}

/** Locks lanes for this transaction: messages that come from now on set their times after it. Returns their leases. */
async function lockLanes(
  transaction: Knex.Transaction,
  writes: readonly LaneWrite[],
): Promise<Map<string, string | null>> {
  const ids = writes.map(({ lane }) => lane.destinationId).sort();
  const rows = await transaction('lanes')
    .whereIn('destination_id', ids)
    .orderBy('destination_id')
    .forUpdate()
    .select('destination_id', 'lease');
  return new Map(rows.map((row) => [row.destination_id, row.lease]));
}

async function revisionsOf(
  transaction: Knex.Transaction,
  writes: readonly LaneWrite[],
): Promise<Map<string, number>> {
  const ids = writes
    .filter(({ begun, health, release }) => begun.length > 0 || health || release)
    .map(({ lane }) => lane.destinationId);
  if (ids.length === 0) return new Map();
  const rows = await transaction('destinations')
    .whereIn('id', ids)
    .whereNull('deleted_at')
    .select('id', 'revision');
  return new Map(rows.map(({ id, revision }) => [id, revision]));
}

/** Returns what is written about lanes, each with its destination. */
const eachOf = <One>(writes: readonly LaneWrite[], of: (write: LaneWrite) => readonly One[]) =>
  writes.flatMap((write) => of(write).map((one) => ({ ...one, destinationId: write.lane.destinationId })));

/** Messages by their primary key. An index with the state would also lock those that are just being inserted. */
const messagesIn = (
  transaction: Knex.Transaction,
  messages: readonly { destinationId: string; transitionId: number }[],
) => transaction('messages').whereRaw(...inMessages(byDestination(messages)));
const IS_WAITING = "CONCAT(state, '') = 'waiting'";

async function writeResults(transaction: Knex.Transaction, writes: readonly LaneWrite[]): Promise<void> {
  const results = eachOf(writes, (write) => write.results);
  for (const group of chunksOf(results))
    await transaction('message_attempts')
      .insert(
        group.map((result) => ({
          destination_id: result.destinationId,
          transition_id: result.transitionId,
          number: result.number,
          began_at: sqlNow(transaction),
          took_ms: result.tookMs,
          outcome: result.outcome,
          status: result.status,
          response: result.response,
        })),
      )
      .onConflict()
      .merge(['took_ms', 'outcome', 'status', 'response']);
  for (const result of results) {
    if (result.end !== null) continue;
    await messagesIn(transaction, toldBy(result))
      .whereRaw(IS_WAITING)
      .update({
        due_at: sqlInSeconds(transaction, result.againInSeconds ?? 0),
        ...(result.isCounted ? {} : { attempts: transaction.raw('attempts - 1') }),
      });
  }
  await writeBeliefs(
    transaction,
    results
      .flatMap(toldBy)
      .flatMap(({ belief, destinationId, transitionId }) =>
        belief ? { ...belief, destinationId, transitionId } : [],
      ),
  );
}

/** Returns all messages that a request has told. */
const toldBy = ({
  destinationId,
  transitionId,
  belief,
  digested,
}: AttemptResult & { destinationId: string }) => [
  { destinationId, transitionId, belief },
  ...digested.map((one) => ({ ...one, destinationId })),
];

async function endMessages(transaction: Knex.Transaction, writes: readonly LaneWrite[]): Promise<void> {
  const ended = [
    ...eachOf(writes, (write) => write.ended),
    ...eachOf(writes, (write) => write.results).flatMap((result) => {
      const { end, outcome, digested, destinationId } = result;
      if (end === null) return [];
      const own = { state: end, reason: end === 'delivered' ? null : outcome, detail: undefined };
      const others = end === 'delivered' ? { ...own, state: 'digested' as const, reason: 'digested' } : own;
      return [
        { destinationId, transitionId: result.transitionId, ...own },
        ...digested.map(({ transitionId }) => ({ destinationId, transitionId, ...others })),
      ];
    }),
  ];
  for (const group of groupsOf(ended, ({ state, reason, detail }) => `${state} ${reason} ${detail}`)) {
    const [{ state, reason, detail }] = group;
    await messagesIn(transaction, group)
      .whereRaw(IS_WAITING)
      .update({ state, reason, ...(detail !== undefined && { detail }), ended_at: sqlNow(transaction) });
  }
  for (const { destinationId, keyId, newest } of eachOf(writes, (write) => write.superseded))
    await ofKey(transaction, destinationId, keyId)
      .where('transition_id', '<', newest)
      .update({ state: 'superseded', reason: 'superseded', ended_at: sqlNow(transaction) });
  for (const { destinationId, keyId, dueAt } of eachOf(writes, (write) => write.postponed))
    await ofKey(transaction, destinationId, keyId).where('due_at', '<', dueAt).update({ due_at: dueAt });
}

/** Notes in which lanes a message was given up. */
async function noteDead(transaction: Knex.Transaction, writes: readonly LaneWrite[]): Promise<void> {
  const dead = writes.filter(
    ({ results, ended }) =>
      results.some(({ end }) => end === 'dead') || ended.some(({ state }) => state === 'dead'),
  );
  if (dead.length === 0) return;
  const ids = dead.map(({ lane }) => lane.destinationId);
  await transaction('lanes')
    .whereIn('destination_id', ids)
    .update({ dead_at: sqlNow(transaction) });
}

const ofKey = (transaction: Knex.Transaction, destinationId: string, keyId: string) =>
  transaction('messages').where({
    destination_id: destinationId,
    key_id: toUuidBinary(keyId),
    state: 'waiting',
  });

/** Forgets requests that were not sent. */
async function takeBack(transaction: Knex.Transaction, writes: readonly LaneWrite[]): Promise<void> {
  const unsent = eachOf(writes, (write) => write.unsent);
  if (unsent.length === 0) return;
  for (const group of groupsOf(unsent, ({ number }) => `${number}`))
    await transaction('message_attempts')
      .whereRaw(...inMessages(byDestination(group)))
      .where('number', group[0].number)
      .delete();
  const messages = unsent.flatMap(({ destinationId, transitionId, digested }) =>
    [transitionId, ...digested].map((id) => ({ destinationId, transitionId: id })),
  );
  await messagesIn(transaction, messages).update({ attempts: transaction.raw('attempts - 1') });
}

async function writeBegun(transaction: Knex.Transaction, writes: readonly LaneWrite[]): Promise<void> {
  const begun = eachOf(writes, (write) => write.begun);
  for (const group of chunksOf(begun))
    await transaction('message_attempts')
      .insert(
        group.map(({ destinationId, transitionId, number }) => ({
          destination_id: destinationId,
          transition_id: transitionId,
          number,
          began_at: sqlNow(transaction),
        })),
      )
      .onConflict()
      .merge(['began_at']);
  const attempts = transaction.raw('attempts + 1');
  const again = begun.filter(({ body }) => body === null);
  if (again.length > 0) await messagesIn(transaction, again).update({ attempts, digest_id: null });
  const first = begun.flatMap(({ body, ...message }) => (body ? { ...message, body } : []));
  for (const group of chunksOf(first, BODIES, ({ body }) => body.length)) {
    const cases = group.map(() => 'WHEN transition_id = ? AND destination_id = ? THEN ?').join(' ');
    const values = group.flatMap(({ transitionId, destinationId, body }) => [
      transitionId,
      destinationId,
      body,
    ]);
    const body = transaction.raw(`CASE ${cases} END`, values);
    await messagesIn(transaction, group).update({ attempts, body, digest_id: null });
  }
  for (const { destinationId, transitionId, digested } of begun) {
    if (digested.length === 0) continue;
    const others = digested.map((id) => ({ destinationId, transitionId: id }));
    await messagesIn(transaction, [{ destinationId, transitionId }]).update({ digest_id: transitionId });
    await messagesIn(transaction, others).update({ attempts, digest_id: transitionId });
  }
}

/** Bodies in one statement, which finds the one of a message by looking at one after the other. */
const BODIES = 50;

/** Returns when the next messages of lanes that are given back are due, and whether that is now. */
async function nextDue(
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

interface Next {
  dueAt: Date;
  isDue: number;
}

const isKept = ({ lane, release }: LaneWrite, next: ReadonlyMap<string, Next>): boolean =>
  release?.unlessDue === true && next.get(lane.destinationId)?.isDue === 1;

/** Writes what is the same for several lanes at once. */
async function updateLanes(
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
    if (!health && !release) continue;
    const probeAt = probeAtOf(transaction, health, release?.restSeconds ?? 0);
    await transaction('lanes')
      .whereIn(
        'destination_id',
        group.map(({ id }) => id),
      )
      .update({
        ...(release ? { lease: null, lease_until: null, due_at: isOld ? sqlNow(transaction) : dueAt } : {}),
        ...(health ? healthColumns(transaction, health) : {}),
        ...(probeAt === undefined ? {} : { probe_at: probeAt }),
      });
  }
}

const healthColumns = (transaction: Knex.Transaction, { failures, hasSucceeded, stopped }: LaneHealth) => ({
  failures,
  stopped,
  failing_since:
    failures === 0
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
