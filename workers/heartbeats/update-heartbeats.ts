import type { Knex } from 'knex';
import type { ReceivedPing } from '../../db/events/event-rows.js';
import {
  type HeartbeatState,
  type KeyedState,
  lockStates,
  NEW_HEARTBEAT,
  saveStates,
} from '../../db/heartbeats/heartbeat-states.js';
import { findHeartbeats, type Heartbeat } from '../../db/heartbeats/heartbeats.js';
import { type HeartbeatRule, nextProblem } from './next-problem.js';

/** States in one statement. */
const PAGE = 500;
/** Before every time: to be checked in the next turn of upkeep. `checkNow` writes it. */
const NOW = 0;

/**
 * Notes what pings say in the states of their heartbeats. The order in which they are stored does not matter, and pings of heartbeats that were
 * deleted meanwhile are left out.
 */
export async function updateHeartbeats(
  transaction: Knex.Transaction,
  pings: readonly ReceivedPing[],
): Promise<void> {
  if (pings.length === 0) return;
  const found = new Map<string, ReceivedPing[]>();
  for (const ping of pings) {
    const key = keyOf(ping);
    const all = found.get(key);
    if (all) all.push(ping);
    else found.set(key, [ping]);
  }
  const keys = [...found.values()].flatMap(([ping]) => ping ?? []);
  for (let start = 0; start < keys.length; start += PAGE) {
    const heartbeats = await findHeartbeats(transaction, keys.slice(start, start + PAGE));
    const sorted = heartbeats.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
    const stored = new Map((await lockStates(transaction, sorted)).map((one) => [keyOf(one), one.state]));
    const states = sorted.map((heartbeat): KeyedState => {
      const { webhookId, name } = heartbeat;
      const before = stored.get(keyOf(heartbeat)) ?? NEW_HEARTBEAT;
      return { webhookId, name, state: afterPings(heartbeat, before, found.get(keyOf(heartbeat)) ?? []) };
    });
    await saveStates(transaction, states);
  }
}

const keyOf = ({ webhookId, name }: Pick<Heartbeat, 'webhookId' | 'name'>): string => `${webhookId} ${name}`;

/** Returns the state of a heartbeat after more pings. */
export function afterPings(
  rule: HeartbeatRule,
  before: HeartbeatState,
  pings: readonly Pick<ReceivedPing, 'result' | 'exitStatus' | 'receivedAt'>[],
): HeartbeatState {
  const state = { ...before };
  for (const { result, exitStatus, receivedAt } of pings) {
    if (result === 'success') state.succeededAt = Math.max(receivedAt, state.succeededAt ?? 0);
    else if (result === 'start') state.startedAt = Math.max(receivedAt, state.startedAt ?? 0);
    else if (result === 'failure' && receivedAt >= (state.failedAt ?? 0)) {
      state.failedAt = receivedAt;
      state.exitStatus = exitStatus;
    }
  }
  const endedAt = Math.max(state.succeededAt ?? 0, state.failedAt ?? 0);
  const { raised } = state;
  if (raised && endedAt > raised.at) state.raised = null;
  // A ping that was stored late may show that what was raised was never so.
  const mayBeWrong = state.raised !== null && pings.some(({ receivedAt }) => receivedAt <= state.raised!.at);
  // So may new settings, which are still to be checked.
  state.dueAt = mayBeWrong || before.dueAt === NOW ? NOW : dueAt(rule, state);
  return state;
}

/** Returns when a heartbeat is to be checked next, if Muster listens until then; null: after its next ping. */
export function dueAt(rule: HeartbeatRule, state: HeartbeatState): number | null {
  const next = nextProblem(rule, state);
  if (!next || isRaised(state, next.problem)) return null;
  return next.since + next.forMs;
}

/** Returns whether a problem was raised already, after the last ping. */
const isRaised = ({ raised }: HeartbeatState, problem: string): boolean => raised?.problem === problem;
