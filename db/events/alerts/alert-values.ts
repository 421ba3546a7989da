import type { Knex } from 'knex';
import { toUuidBinary } from '../../bulk/uuid-binary.js';
import type { Database } from '../../client/connect.js';
import { tableByIndex } from '../../client/driver.js';
import { type FilterValues, valuesOf } from '../filter-values.js';
import {
  COMMON_STATE,
  MAX_MERGED_ROWS,
  readWithin,
  type TimeFilters,
  type TimePage,
} from '../newest-first.js';
import type { SourceFilters } from './alert-source.js';
import { type RankedSeverity, rankBelow } from './severity-rank.js';

/** The fields of alerts that have an index in the order of the list. */
const INDEXES = {
  team: 'by_team',
  owner_email: 'by_owner',
  severity: 'by_severity',
  severity_rank: 'by_rank',
  state: 'by_state',
  webhook_id: 'by_webhook',
} as const;

/** The filters that decide whether alerts are read by a value. */
interface ValueFilters extends SourceFilters {
  team?: FilterValues | undefined;
  ownerEmail?: FilterValues | undefined;
  severity?: FilterValues | undefined;
  severityAtLeast?: RankedSeverity | undefined;
  search?: string | undefined;
}

/** The alerts with any of some values, and the index that they are read by. Without values there are none. */
export interface ValueSource {
  field: keyof typeof INDEXES;
  index: string;
  values: readonly (string | number | Buffer)[];
}

/** How many rows of an index are counted at most: more of them do not make a value rare. They cost the database 0.2 ms. */
const MAX_COUNTED = 2_000;
/** Each spelling of a severity is a range of the index, and the page is merged from them. */
const MAX_SPELLINGS = 20;
/** Different severities that are compared: a mapping may write free text into the field. */
const MAX_SEVERITIES = 50;

/**
 * Returns the value among the filters by whose index the page is read: the only one, or the one that the fewest alerts of the time have. Null if
 * the alerts of the integration, or of the time, are read instead. Reading the newest ones until enough match would read all alerts
 * of the time if few match.
 */
export async function rarestValue(
  database: Database,
  filters: ValueFilters,
  page: TimePage,
): Promise<ValueSource | null> {
  const { dedupKey, status, webhookId, search } = filters;
  if (dedupKey !== undefined || valuesOf(status).join() === 'firing') return null;
  const sources = (await valueSources(database, filters, page)).filter(
    ({ values }) => values.length * page.limit <= MAX_MERGED_ROWS,
  );
  if (sources.length > 0) sources.push(...stateSources(filters));
  const none = sources.find(({ values }) => values.length === 0);
  if (none) return none;
  const others = webhookId !== undefined || search !== undefined;
  if (sources.length < 2 && !others) return sources[0] ?? null;
  if (sources.length === 0) return null;
  const counts = await countRows(database, sources, filters, page);
  const fewest = Math.min(...counts);
  // Looking up each row by its index costs more than reading the rows in order.
  if (fewest === MAX_COUNTED && others) return null;
  return sources[counts.indexOf(fewest)] ?? null;
}

/** So many rows of an index are sorted at most. Reading and sorting them takes the database about 100 ms. */
const MAX_SORTED = 20_000;

/**
 * Returns the value or integration among the filters that the fewest alerts of the time have, if these are few enough to be sorted. Null if they
 * are not.
 */
export async function sortableSource(
  database: Database,
  filters: ValueFilters,
  page: TimePage,
): Promise<ValueSource | null> {
  const sources = [...(await valueSources(database, filters, page)), ...stateSources(filters)];
  const webhooks = valuesOf(filters.webhookId).map(toUuidBinary);
  if (webhooks.length > 0) sources.push({ field: 'webhook_id', index: INDEXES.webhook_id, values: webhooks });
  if (sources.length === 0) return null;
  const none = sources.find(({ values }) => values.length === 0);
  if (none) return none;
  const counts = await countRows(database, sources, filters, page, MAX_SORTED);
  const fewest = Math.min(...counts);
  return fewest < MAX_SORTED ? (sources[counts.indexOf(fewest)] ?? null) : null;
}

async function valueSources(
  database: Database,
  { team, ownerEmail, severity, severityAtLeast }: ValueFilters,
  page: TimePage,
): Promise<ValueSource[]> {
  const sources: ValueSource[] = [];
  if (team !== undefined) {
    // The server ignores spaces at the end, and the rows of a value must be merged only once.
    const teams = new Set(valuesOf(team).map(withoutEndSpaces));
    sources.push({ field: 'team', index: INDEXES.team, values: [...teams] });
  }
  if (ownerEmail !== undefined) {
    const values = [...new Set(valuesOf(ownerEmail))];
    sources.push({ field: 'owner_email', index: INDEXES.owner_email, values });
  }
  const spellings = severity === undefined ? null : await spellingsOf(database, severity, page);
  if (spellings) sources.push({ field: 'severity', index: INDEXES.severity, values: spellings });
  const ranks = severityAtLeast && (await ranksAbove(database, rankBelow(severityAtLeast), page));
  if (ranks) sources.push({ field: 'severity_rank', index: INDEXES.severity_rank, values: ranks });
  return sources;
}

/** A pattern would take time that grows with the square of the spaces. */
function withoutEndSpaces(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ') end -= 1;
  return text.slice(0, end);
}

/** A state is a source only next to others: alone, the server finds its index itself. Nearly all alerts are complete. */
function stateSources({ state }: ValueFilters): ValueSource[] {
  const values = valuesOf(state);
  if (values.length === 0 || values.includes(COMMON_STATE.alerts)) return [];
  return [{ field: 'state', index: INDEXES.state, values }];
}

/** A stored severity, and 1 if it is one of those that are looked for. */
interface Spelling {
  severity: string;
  same: number;
}

/**
 * Returns how stored alerts spell these severities: upper and lower case differ. Null if there are too many. Skips from one severity of the index
 * to the next. With DISTINCT, the server does the same only if its statistics are up to date, and else reads the whole index.
 */
async function spellingsOf(
  database: Database,
  severity: FilterValues,
  page: TimePage,
): Promise<string[] | null> {
  const spellings: string[] = [];
  const any = valuesOf(severity).map(() => 'LOWER(?)');
  const same = database.raw(`LOWER(severity) IN (${any.join(', ')}) AS same`, [...valuesOf(severity)]);
  let last: string | null = null;
  for (let read = 0; read < MAX_SEVERITIES; read++) {
    const query: Knex.QueryBuilder = database(tableByIndex(database, 'alerts', INDEXES.severity))
      .where('severity', last === null ? '>=' : '>', last ?? '')
      .orderBy('severity')
      .limit(1)
      .select('severity', same);
    const [row]: Spelling[] = await readWithin(database, query, page);
    if (!row) return spellings.length > MAX_SPELLINGS ? null : spellings;
    if (row.same === 1) spellings.push(row.severity);
    last = row.severity;
  }
  return null;
}

/** Returns the ranks of stored alerts above one, as `spellingsOf` finds severities. Null if there are too many. */
async function ranksAbove(database: Database, rank: number, page: TimePage): Promise<number[] | null> {
  const ranks: number[] = [];
  for (let last = rank; ranks.length <= MAX_SPELLINGS; ) {
    const query = database(tableByIndex(database, 'alerts', INDEXES.severity_rank))
      .where('severity_rank', '>', last)
      .orderBy('severity_rank')
      .limit(1)
      .select('severity_rank');
    const [row] = await readWithin<{ severity_rank: number }>(database, query, page);
    if (!row) return ranks;
    ranks.push(row.severity_rank);
    last = row.severity_rank;
  }
  return null;
}

/** Returns how many alerts of the time each source has, up to a limit. */
async function countRows(
  database: Database,
  sources: readonly ValueSource[],
  filters: TimeFilters,
  page: TimePage,
  limit = MAX_COUNTED,
): Promise<number[]> {
  const queries = sources.map((source, number) => {
    const some = fromSource(database, source, filters, page).select('id').limit(limit);
    return database
      .from(some.as('counted'))
      .select(database.raw('? AS number', [number]))
      .count({ count: '*' });
  });
  const rows = await readWithin<{ number: number; count: number }>(
    database,
    database.unionAll(queries, true),
    page,
  );
  const counts = new Map(rows.map(({ number, count }) => [Number(number), Number(count)]));
  return sources.map((_, number) => counts.get(number) ?? 0);
}

/** Selects the alerts of a source and of the time of the page. */
function fromSource(
  database: Database,
  { field, index, values }: ValueSource,
  { from, to }: TimeFilters,
  { after }: TimePage,
): Knex.QueryBuilder {
  const query = database(tableByIndex(database, 'alerts', index)).whereIn(field, values);
  if (from) query.where('received_at', '>=', from);
  if (to) query.where('received_at', '<', to);
  if (after) query.where('received_at', '<=', after.receivedAt);
  // The ranks are the highest ones. Without an order, the server may read the index from the lowest one on.
  return field === 'severity_rank' ? query.orderBy(field, 'desc') : query;
}
