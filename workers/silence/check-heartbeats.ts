import type { Database } from '../../db/client/connect.js';
import { inTransaction } from '../../db/client/transaction.js';
import {
  deleteState,
  type HeartbeatState,
  type KeyedState,
  lockStates,
  saveStates,
} from '../../db/heartbeats/heartbeat-states.js';
import { findHeartbeats, type Heartbeat } from '../../db/heartbeats/heartbeats.js';
import { heardFor, type Period } from '../../db/upkeep/listening.js';
import { heartbeatKey } from '../events/store/own-event.js';
import type { Report } from '../events/store/report.js';
import { describeSchedule, type NextProblem, nextProblem } from '../heartbeats/next-problem.js';
import { dueAt } from '../heartbeats/update-heartbeats.js';
import { duration } from '../text/quantities.js';
import { timeText } from '../text/times.js';

/** What a check of a heartbeat found. */
interface Checked {
  before: KeyedState;
  /** Null: the heartbeat was deleted. */
  after: HeartbeatState | null;
  report: Report | null;
}

/** Up to when Muster knows what came, and when it listened. */
interface Known {
  until: Date;
  periods: readonly Period[];
}

/** Checks heartbeats that are due. What it finds is to be reported first, then saved: a report is stored only once. */
export async function checkStates(
  database: Database,
  due: readonly KeyedState[],
  known: Known,
): Promise<Checked[]> {
  const found = await findHeartbeats(database, due);
  const heartbeats = new Map(found.map((one) => [`${one.webhookId} ${one.name}`, one]));
  return due.map((before) => {
    const heartbeat = heartbeats.get(`${before.webhookId} ${before.name}`);
    return {
      before,
      ...(heartbeat ? checkOne(heartbeat, before.state, known) : checkDeleted(before, known)),
    };
  });
}

/** Saves the new states, but of heartbeats that had a ping since they were read: those are due again by what the ping says. */
export async function saveChecked(database: Database, checked: readonly Checked[]): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const keys = checked.map(({ before }) => before);
    const stored = new Map(
      (await lockStates(transaction, keys)).map(({ webhookId, name, state }) => [
        `${webhookId} ${name}`,
        state,
      ]),
    );
    const unchanged = checked.filter(
      ({ before: { webhookId, name, state } }) =>
        JSON.stringify(stored.get(`${webhookId} ${name}`)) === JSON.stringify(state),
    );
    for (const { before, after } of unchanged) if (!after) await deleteState(transaction, before);
    await saveStates(
      transaction,
      unchanged.flatMap(({ before, after }) => (after ? [{ ...before, state: after }] : [])),
    );
  });
}

function checkOne(heartbeat: Heartbeat, state: HeartbeatState, known: Known): Omit<Checked, 'before'> {
  const next = nextProblem(heartbeat, state);
  const until = known.until.getTime();
  const at = next && heardFor(known.periods, next.since, next.forMs);
  const isDue = next !== null && at !== null && at <= until;
  if (!isDue && state.raised) {
    const after = { ...state, raised: null, clearedAt: until };
    const why = 'A ping that was stored late, or its new settings, show that it has no problem.';
    return { after: { ...after, dueAt: dueAt(heartbeat, after) }, report: resolved(heartbeat, until, why) };
  }
  if (!isDue || state.raised?.problem === next.problem)
    return { after: { ...state, dueAt: dueAt(heartbeat, state) }, report: null };
  // After the end of the alert before: what is older would not open another one.
  const begins = Math.max(at, (state.clearedAt ?? 0) + 1);
  return {
    after: { ...state, raised: { problem: next.problem, at: begins }, clearedAt: null, dueAt: null },
    report: { ...problemReport(heartbeat, state, { ...next, at }), at: begins },
  };
}

/** Resolves its alert, after all that a ping said. Where none fires, that changes nothing. */
function checkDeleted({ webhookId, name, state }: KeyedState, { until }: Known): Omit<Checked, 'before'> {
  const at = Math.max(until.getTime(), (state.failedAt ?? 0) + 1);
  const heartbeat = { webhookId, name, severity: 'info' };
  return { after: null, report: resolved(heartbeat, at, 'The heartbeat was deleted.') };
}

function problemReport(
  heartbeat: Heartbeat,
  { succeededAt }: HeartbeatState,
  { problem, since, forMs, at }: NextProblem & { at: number },
): Report {
  const { webhookId, name, severity } = heartbeat;
  const isLate = problem === 'late';
  const away = Math.round((at - since - forMs) / 1_000);
  const sentences = [
    isLate
      ? `No ping came by ${timeText(at)}. It was expected at ${timeText(since)} (${describeSchedule(heartbeat.schedule)}), and may be ${duration(forMs / 1_000)} late.`
      : `The run that started at ${timeText(since)} has not ended after ${duration(forMs / 1_000)}.`,
    succeededAt === null ? 'It has never succeeded.' : `The last success was at ${timeText(succeededAt)}.`,
    away >= 1
      ? `Muster could not receive pings for ${duration(away)} of that time, which does not count.`
      : '',
  ];
  return {
    webhookId,
    at,
    body: {
      muster: 'heartbeat',
      heartbeat: name,
      problem,
      at: isoTime(at),
      [isLate ? 'expectedAt' : 'startedAt']: isoTime(since),
      lastSuccessAt: succeededAt === null ? null : isoTime(succeededAt),
    },
    item: {
      key: heartbeatKey(name),
      status: 'firing',
      severity,
      title: isLate ? `Heartbeat ${name} is late` : `Heartbeat ${name} runs too long`,
      description: sentences.filter(Boolean).join(' '),
      custom: { heartbeat: name },
    },
  };
}

const resolved = (
  { webhookId, name, severity }: Pick<Heartbeat, 'webhookId' | 'name' | 'severity'>,
  at: number,
  why: string,
): Report => ({
  webhookId,
  at,
  body: { muster: 'heartbeat', heartbeat: name, problem: null, at: isoTime(at), reason: why },
  item: {
    key: heartbeatKey(name),
    status: 'resolved',
    severity,
    title: null,
    description: why,
    custom: { heartbeat: name },
  },
});

const isoTime = (at: number): string => new Date(at).toISOString();
