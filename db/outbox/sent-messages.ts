import type { Knex } from 'knex';
import { toUuidBinary } from '../bulk/uuid-binary.js';
import { executeText, type Values } from '../client/statement.js';
import { writeBeliefs } from './beliefs.js';
import type { AttemptResult, LaneWrite } from './lane-write.js';
import { byDestination, chunksOf, groupsOf, inMessages } from './places.js';

/** Returns what is written about lanes, each with its destination. */
const eachOf = <One>(writes: readonly LaneWrite[], of: (write: LaneWrite) => readonly One[]) =>
  writes.flatMap((write) => of(write).map((one) => ({ ...one, destinationId: write.lane.destinationId })));

/** A message by its primary key. */
interface Place {
  destinationId: string;
  transitionId: number;
}

/**
 * Changes messages, found by their primary key.
 * @param changes such as `attempts = attempts + 1`
 */
async function updateMessages(
  transaction: Knex.Transaction,
  messages: readonly Place[],
  { changes, values = [], where = '' }: { changes: string; values?: Values; where?: string },
): Promise<void> {
  if (messages.length === 0) return;
  const [condition, ids] = inMessages(byDestination(messages));
  await executeText(transaction, `UPDATE messages SET ${changes} WHERE ${condition}${where}`, [
    ...values,
    ...ids,
  ]);
}
/** An index with the state would also lock messages that are just being inserted. */
const IS_WAITING = " AND CONCAT(state, '') = 'waiting'";

/** Notes that requests are about to be sent, with their bodies. Only a message of which this is noted may have been told. */
export async function noteBegun(transaction: Knex.Transaction, writes: readonly LaneWrite[]): Promise<void> {
  const begun = eachOf(writes, (write) => write.begun);
  const again = begun.filter(({ body }) => body === null);
  await updateMessages(transaction, again, { changes: 'attempts = attempts + 1, digest_id = NULL' });
  const first = begun.flatMap(({ body, ...message }) => (body ? { ...message, body } : []));
  for (const group of chunksOf(first, BODIES, ({ body }) => body.length))
    await updateMessages(transaction, group, {
      changes: `attempts = attempts + 1, digest_id = NULL,
        body = CASE ${group.map(() => 'WHEN transition_id = ? AND destination_id = ? THEN ?').join(' ')} END`,
      values: group.flatMap(({ transitionId, destinationId, body }) => [transitionId, destinationId, body]),
    });
  for (const { destinationId, transitionId, digested } of begun) {
    if (digested.length === 0) continue;
    const values = [transitionId];
    await updateMessages(transaction, [{ destinationId, transitionId }], {
      changes: 'digest_id = ?',
      values,
    });
    const others = digested.map((id) => ({ destinationId, transitionId: id }));
    await updateMessages(transaction, others, { changes: 'attempts = attempts + 1, digest_id = ?', values });
  }
}

/** Bodies in one statement, which finds the one of a message by looking at one after the other. */
const BODIES = 50;

/** Forgets requests that were not sent. */
export async function takeBack(transaction: Knex.Transaction, writes: readonly LaneWrite[]): Promise<void> {
  const messages = eachOf(writes, (write) => write.unsent).flatMap(
    ({ destinationId, transitionId, digested }) =>
      [transitionId, ...digested].map((id) => ({ destinationId, transitionId: id })),
  );
  await updateMessages(transaction, messages, { changes: 'attempts = attempts - 1' });
}

/** Stores what became of requests, and what destinations know since then. Whether their messages end, {@link endMessages} says. */
export async function writeResults(
  transaction: Knex.Transaction,
  writes: readonly LaneWrite[],
): Promise<void> {
  const results = eachOf(writes, (write) => write.results);
  for (const group of chunksOf(results)) {
    const rows = group.map(() => '(?,?,?,UTC_TIMESTAMP(3) - INTERVAL ? MICROSECOND,?,?,?,?)').join();
    const values = group.flatMap((result) => [
      ...[result.destinationId, result.transitionId, result.number, Math.round(result.agoMs * 1_000)],
      ...[result.tookMs, result.outcome, result.status, result.response],
    ]);
    // The number of one that did not count is used again.
    const sql = `INSERT INTO message_attempts (destination_id, transition_id, number, began_at, took_ms, outcome, status, response)
      VALUES ${rows} ON DUPLICATE KEY UPDATE began_at = VALUES(began_at), took_ms = VALUES(took_ms), outcome = VALUES(outcome),
      status = VALUES(status), response = VALUES(response)`;
    await executeText(transaction, sql, values);
  }
  for (const result of results) {
    if (result.end !== null) continue;
    await updateMessages(transaction, toldBy(result), {
      changes: `due_at = UTC_TIMESTAMP(3) + INTERVAL ? SECOND${result.isCounted ? '' : ', attempts = attempts - 1'}`,
      values: [result.againInSeconds ?? 0],
      where: IS_WAITING,
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
const toldBy = ({ destinationId, transitionId, belief, digested }: AttemptResult & Place) => [
  { destinationId, transitionId, belief },
  ...digested.map((one) => ({ ...one, destinationId })),
];

/** Ends messages: those that were sent, that are given up, and that are not sent at all. */
export async function endMessages(
  transaction: Knex.Transaction,
  writes: readonly LaneWrite[],
): Promise<void> {
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
    await updateMessages(transaction, group, {
      changes: `state = ?, reason = ?, ended_at = UTC_TIMESTAMP(3)${detail === undefined ? '' : ', detail = ?'}`,
      values: [state, reason, ...(detail === undefined ? [] : [detail])],
      where: IS_WAITING,
    });
  }
  for (const { destinationId, keyId, newest } of eachOf(writes, (write) => write.superseded))
    await executeText(
      transaction,
      `UPDATE messages SET state = 'superseded', reason = 'superseded', ended_at = UTC_TIMESTAMP(3) ${OF_KEY} AND transition_id < ?`,
      [destinationId, toUuidBinary(keyId), newest],
    );
  for (const { destinationId, keyId, dueAt } of eachOf(writes, (write) => write.postponed))
    await executeText(transaction, `UPDATE messages SET due_at = ? ${OF_KEY} AND due_at < ?`, [
      dueAt,
      destinationId,
      toUuidBinary(keyId),
      dueAt,
    ]);
  await noteDead(transaction, [
    ...new Set(ended.flatMap(({ state, destinationId }) => (state === 'dead' ? destinationId : []))),
  ]);
}

const OF_KEY = "WHERE destination_id = ? AND key_id = ? AND state = 'waiting'";

/** Notes in which lanes a message was given up. */
async function noteDead(transaction: Knex.Transaction, destinationIds: string[]): Promise<void> {
  if (destinationIds.length === 0) return;
  await executeText(transaction, 'UPDATE lanes SET dead_at = UTC_TIMESTAMP(3) WHERE destination_id IN (?)', [
    destinationIds,
  ]);
}
