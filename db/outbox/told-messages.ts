import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import type { Resume } from './lanes.js';
import type { MessageState, StoredTransition } from './transitions.js';
import type { Trouble } from './trouble.js';

/** A message, with what became of it. */
export interface ListedMessage {
  destinationId: string;
  transitionId: number;
  kind: StoredTransition['kind'];
  /** The alert or, if the kind is `finished`, the job that it is about. */
  alertId: string;
  /** Of the alert as it was then. */
  alertTitle: string | null;
  /** Null if it is about an alert. */
  jobType: string | null;
  webhookId: string;
  createdAt: Date;
  state: MessageState;
  /** Why it was not sent, or the outcome of its last attempt. */
  reason: string | null;
  /** More about the reason, or why the filter could not decide. */
  detail: string | null;
  /** The number of the message that was sent instead. */
  digestedInto: number | null;
  attempts: number;
  /** When it is sent next; only while it waits. */
  dueAt: Date;
  endedAt: Date | null;
  /** When somebody had it sent again. */
  replayedAt: Date | null;
  /** How often it was sent again as a new one, with another id. */
  copy: number;
}

/** A request of a message. */
export interface ListedAttempt {
  number: number;
  /** This and all that follows: null while it goes on, or if the worker that sent it was stopped. */
  beganAt: Date | null;
  tookMs: number | null;
  outcome: string | null;
  status: number | null;
  response: string | null;
}

/** Selects messages in any order. */
export const listedMessages = (database: Database) =>
  database('messages')
    .join('transitions', 'transitions.id', 'messages.transition_id')
    .select({
      destinationId: 'messages.destination_id',
      transitionId: 'messages.transition_id',
      kind: 'transitions.kind',
      alertId: 'transitions.alert_id',
      alertTitle: database.raw("CAST(JSON_EXTRACT(transitions.alert, '$.title') AS CHAR)"),
      jobType: database.raw("CAST(JSON_EXTRACT(transitions.alert, '$.job.type') AS CHAR)"),
      webhookId: 'transitions.webhook_id',
      createdAt: 'transitions.created_at',
      state: 'messages.state',
      reason: 'messages.reason',
      // A message that the filter is false for is sent to who was told before: the clause did not decide.
      detail: database.raw(
        "IF(messages.is_filtered = 0 OR messages.reason IN ('filter', 'body'), messages.detail, NULL)",
      ),
      digestedInto: database.raw("CASE WHEN messages.state = 'digested' THEN messages.digest_id END"),
      attempts: 'messages.attempts',
      dueAt: 'messages.due_at',
      endedAt: 'messages.ended_at',
      replayedAt: 'messages.replayed_at',
      copy: 'messages.copy',
    });

const messages = (database: Database) => listedMessages(database).orderBy('messages.transition_id', 'desc');

type Row = Omit<ListedMessage, 'alertId' | 'webhookId'> & { alertId: Buffer; webhookId: Buffer };

export const toListed = (row: Row): ListedMessage => ({
  ...row,
  transitionId: Number(row.transitionId),
  digestedInto: row.digestedInto === null ? null : Number(row.digestedInto),
  alertId: fromUuidBinary(row.alertId),
  alertTitle: parseText(row.alertTitle),
  jobType: parseText(row.jobType),
  webhookId: fromUuidBinary(row.webhookId),
});

/** @param json a text or null as JSON: its characters are as they were only after they are parsed */
function parseText(json: string | null): string | null {
  const text: unknown = json === null ? null : JSON.parse(json);
  return typeof text === 'string' ? text : null;
}

/** Returns the messages of a destination, the newest first, before one of them. */
export async function messagesOfDestination(
  database: Database,
  destinationId: string,
  {
    limit,
    before,
    state,
    reason,
  }: {
    limit: number;
    before?: number | undefined;
    state?: MessageState | undefined;
    reason?: string | undefined;
  },
): Promise<ListedMessage[]> {
  const query = messages(database).where('messages.destination_id', destinationId).limit(limit);
  if (before !== undefined) query.where('messages.transition_id', '<', before);
  if (state !== undefined) query.where('messages.state', state);
  if (reason !== undefined) query.where('messages.reason', reason);
  return (await query).map(toListed);
}

/** The most messages about one alert or job that are returned: the newest. */
const MAX_ABOUT = 500;

/** Returns the messages about an alert or a job, the newest first. */
export async function messagesAbout(database: Database, alertId: string): Promise<ListedMessage[]> {
  const query = messages(database).where('transitions.alert_id', toUuidBinary(alertId)).limit(MAX_ABOUT);
  return (await query).map(toListed);
}

/** Returns the attempts of a message, or of the digest that has told it, in order, with the body that they sent; null if there is no such message. */
export async function attemptsOf(
  database: Database,
  destinationId: string,
  transitionId: number,
): Promise<{ body: Buffer | null; attempts: ListedAttempt[] } | null> {
  const messageOf = (id: number) =>
    database('messages')
      .where({ destination_id: destinationId, transition_id: id })
      .first('state', 'attempts', 'body', 'digest_id');
  const told = await messageOf(transitionId);
  const digestId = told?.state === 'digested' ? Number(told.digest_id) : null;
  const message = digestId === null ? told : await messageOf(digestId);
  if (!message) return null;
  const place = { destination_id: destinationId, transition_id: digestId ?? transitionId };
  const stored: ListedAttempt[] = await database('message_attempts').where(place).orderBy('number').select({
    number: 'number',
    beganAt: 'began_at',
    tookMs: 'took_ms',
    outcome: 'outcome',
    status: 'status',
    response: 'response',
  });
  const numbers = new Set(stored.map(({ number }) => number));
  for (let number = 1; number <= message.attempts; number++)
    if (!numbers.has(number))
      stored.push({ number, beganAt: null, tookMs: null, outcome: null, status: null, response: null });
  return { body: message.body, attempts: stored.sort((one, other) => one.number - other.number) };
}

/** How the messages of destinations are doing. */
export interface LaneState {
  waiting: number;
  failures: number;
  failingSince: Date | null;
  succeededAt: Date | null;
  /** Why nothing is sent until somebody resumes it: `gone`, `failing`. */
  stopped: string | null;
  /** What an alert has been raised about, and since when. */
  trouble: { kind: Trouble; at: Date } | null;
}

/** Returns how the messages of destinations are doing, by id. */
export async function laneStates(
  database: Database,
  ids: readonly string[],
): Promise<Map<string, LaneState>> {
  const lanes = await database('lanes').whereIn('destination_id', [...ids]);
  const counts = await database('messages')
    .whereIn('destination_id', [...ids])
    .where('state', 'waiting')
    .groupBy('destination_id')
    .select('destination_id')
    .count({ count: '*' });
  const waiting = new Map(counts.map((row) => [row.destination_id, Number(row.count)]));
  return new Map(
    lanes.map((lane) => [
      lane.destination_id,
      {
        waiting: waiting.get(lane.destination_id) ?? 0,
        failures: lane.failures,
        failingSince: lane.failing_since,
        succeededAt: lane.succeeded_at,
        stopped: lane.stopped,
        trouble: lane.trouble && lane.trouble_at && { kind: lane.trouble, at: lane.trouble_at },
      },
    ]),
  );
}

/** Returns why a lane was stopped; null if it was not. */
export const findStopped = async (database: Database, destinationId: string): Promise<string | null> =>
  (await database('lanes').where({ destination_id: destinationId }).first('stopped'))?.stopped ?? null;

/**
 * Lets a lane that was stopped, or waits because its destination fails, go on at once.
 * @param deliver what is sent of the messages that wait now
 */
export async function resumeLane(
  database: Database,
  destinationId: string,
  deliver: Resume | 'all' = 'all',
): Promise<void> {
  const waiting = database('messages').where({ destination_id: destinationId, state: 'waiting' });
  const [newest] = deliver === 'all' ? [] : await waiting.max({ id: 'transition_id' });
  await database('lanes')
    .where({ destination_id: destinationId })
    .update({
      stopped: null,
      probe_at: null,
      failures: 0,
      failing_since: null,
      due_at: database.raw('UTC_TIMESTAMP(3)'),
      resume: deliver === 'all' ? null : deliver,
      resume_up_to: newest?.id ?? null,
    });
}
