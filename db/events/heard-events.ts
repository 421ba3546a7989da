import type { Tables } from 'knex/types/tables.js';
import { toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { type EventState, parseStoredErrors } from './events.js';

/** The states of events that break the silence of a source: what is filtered or rejected tells nobody anything. */
const HEARD = ['normalized', 'failed'] as const satisfies readonly EventState[];

/** A time range: `from` is exclusive, `to` inclusive. */
interface Range {
  from: Date;
  to: Date;
}

const inRange = (database: Database, webhookId: string, { from, to }: Range) =>
  database<Tables['events']>('events')
    .where('webhook_id', toUuidBinary(webhookId))
    .where('received_at', '>', from)
    .where('received_at', '<=', to);

/** Returns when the first or the last event of a time came that was kept; null if there was none. */
export async function heardAt(
  database: Database,
  webhookId: string,
  range: Range,
  which: 'first' | 'last',
): Promise<Date | null> {
  const row = await inRange(database, webhookId, range)
    .whereIn('state', HEARD)
    .orderBy('received_at', which === 'first' ? 'asc' : 'desc')
    .first('received_at');
  return row?.received_at ?? null;
}

/** How many events of a time were not kept, and the reason of the last one that was rejected. */
export interface Unheard {
  filtered: number;
  rejected: number;
  lastRejection: string | null;
}

/** Counts the events of a time that were filtered or rejected. */
export async function unheardBetween(database: Database, webhookId: string, range: Range): Promise<Unheard> {
  const rows = await inRange(database, webhookId, range)
    .whereIn('state', ['filtered', 'rejected'])
    .groupBy('state')
    .select('state')
    .count({ count: '*' });
  const count = (state: EventState): number => Number(rows.find((row) => row.state === state)?.count ?? 0);
  const last = await inRange(database, webhookId, range)
    .where('state', 'rejected')
    .orderBy('received_at', 'desc')
    .first('faults');
  return {
    filtered: count('filtered'),
    rejected: count('rejected'),
    lastRejection: parseStoredErrors(last?.faults ?? null)[0]?.message ?? null,
  };
}

/** Returns when the newest events of a time came that were kept, the newest first. */
export async function heardTimes(
  database: Database,
  webhookId: string,
  range: Range,
  limit: number,
): Promise<Date[]> {
  const rows = await inRange(database, webhookId, range)
    .whereIn('state', HEARD)
    .orderBy('received_at', 'desc')
    .limit(limit)
    .select('received_at');
  return rows.map((row) => row.received_at);
}
