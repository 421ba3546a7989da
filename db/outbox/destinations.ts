import type { Tables } from 'knex/types/tables.js';
import type { Database } from '../client/connect.js';
import { asTransaction } from '../client/driver.js';
import { orderByKeyset } from '../client/keyset.js';
import { inTransaction } from '../client/transaction.js';

/** Who saved something. */
interface Author {
  id: string;
  name: string;
}

/** What draws the bodies of messages. */
export interface BodySettings {
  contentType: 'application/json' | 'text/plain';
  template?: string | undefined;
  expression?: string | undefined;
}

/** What a person sets of a destination. */
export interface DestinationSettings {
  name: string;
  description: string;
  preset: string;
  /** Encrypted. */
  url: Buffer;
  /** The host of the URL, which may be shown. */
  host: string;
  /** Encrypted; null for presets without one. */
  secret: Buffer | null;
  previousSecret: Buffer | null;
  previousSecretExpiresAt: Date | null;
  /** Encrypted JSON, see `workers/outbox/custom-headers.ts`; null: none. */
  headers: Buffer | null;
  /** Null: all. */
  webhookIds: string[] | null;
  types: string[];
  severityAtLeast: string | null;
  /** A condition in CEL; null: none. */
  filter: string | null;
  /** Null: as the preset has it. */
  body: BodySettings | null;
  mode: 'every' | 'latest';
  /** How long a new alert waits, so that one that is over by then is not told. */
  settleSeconds: number;
  ratePerMinute: number | null;
  /** After how long it is told again of an alert that still fires; null: never, unless its preset needs it. */
  repeatEveryMinutes: number | null;
  /** If more messages are due, they are sent as one; null: never. */
  digestAbove: number | null;
  pausedAt: Date | null;
  /** Where the file is kept from which it comes, such as the address of a repository; null: nobody keeps one. */
  managedBy: string | null;
}

/** Who is told of alerts. */
export interface Destination extends DestinationSettings {
  id: string;
  revision: number;
  createdAt: Date;
  updatedAt: Date;
  savedBy: Author | null;
}

/** What changes; `undefined` changes nothing. */
export type DestinationChange = {
  [Name in keyof DestinationSettings]?: DestinationSettings[Name] | undefined;
};

function withChange<Settings extends object>(
  current: Settings,
  change: { [Name in keyof Settings]?: Settings[Name] | undefined },
): Settings {
  const changed = { ...current };
  for (const name in change) {
    const value = change[name];
    if (value !== undefined) changed[name] = value;
  }
  return changed;
}

/** Creates a destination, with the lane of its messages. */
export async function insertDestination(
  database: Database,
  { id, author, ...settings }: DestinationSettings & { id: string; author: Author },
): Promise<void> {
  const now = new Date();
  await inTransaction(database, async (transaction) => {
    await transaction('destinations').insert({
      id,
      ...toColumns(settings),
      revision: 1,
      created_at: now,
      updated_at: now,
      saved_by_id: author.id,
      saved_by_name: author.name,
    });
    await transaction('lanes').insert({ destination_id: id, failures: 0 });
  });
}

/** Updates a destination, unless its revision is not the expected one: that is a conflict. Null: there is none. */
export async function updateDestination(
  database: Database,
  id: string,
  changeOf: (current: Destination) => DestinationChange,
  { author, isExpected = () => true }: { author: Author; isExpected?: (revision: number) => boolean },
): Promise<'saved' | 'conflict' | null> {
  return inTransaction(database, async (transaction) => {
    const own = transaction('destinations').where({ id }).whereNull('deleted_at');
    const row = await own.clone().first().forUpdate();
    if (!row) return null;
    if (!isExpected(row.revision)) return 'conflict';
    const current = toDestination(row);
    await own.update({
      ...toColumns(withChange<DestinationSettings>(current, changeOf(current))),
      revision: row.revision + 1,
      updated_at: new Date(),
      saved_by_id: author.id,
      saved_by_name: author.name,
    });
    // The new settings may have something sent, such as repetitions.
    await transaction('lanes')
      .where({ destination_id: id })
      .update({ due_at: transaction.raw('LEAST(COALESCE(due_at, UTC_TIMESTAMP(3)), UTC_TIMESTAMP(3))') });
    return 'saved';
  });
}

/** Deletes a destination with its secrets. Upkeep ends its messages. */
export async function deleteDestination(database: Database, id: string): Promise<boolean> {
  const change = {
    deleted_at: new Date(),
    url: Buffer.alloc(0),
    secret: null,
    previous_secret: null,
    headers: null,
  };
  return (await database('destinations').where({ id }).whereNull('deleted_at').update(change)) > 0;
}

export async function findDestination(database: Database, id: string): Promise<Destination | null> {
  const row = await database('destinations').where({ id }).whereNull('deleted_at').first();
  return row ? toDestination(row) : null;
}

/** Returns the destinations of a name. In a transaction they are locked until it ends. */
export async function findDestinationsByName(database: Database, name: string): Promise<Destination[]> {
  const transaction = asTransaction(database);
  const ids = await database('destinations').where({ name }).whereNull('deleted_at').pluck('id');
  // By their ids: all rows that are read are locked, and no index has names.
  const query = database('destinations')
    .whereIn('id', ids)
    .whereNull('deleted_at')
    .orderBy(['created_at', 'id']);
  const rows = ids.length === 0 ? [] : await (transaction ? query.forUpdate() : query);
  // The collation takes some texts as equal that differ.
  return rows.filter((row) => row.name === name).map(toDestination);
}

/** Returns destinations by id, without those that were deleted. */
export async function findDestinations(
  database: Database,
  ids: readonly string[],
): Promise<Map<string, Destination>> {
  const rows = await database('destinations')
    .whereIn('id', [...ids])
    .whereNull('deleted_at');
  return new Map(rows.map((row) => [row.id, toDestination(row)]));
}

const known = new WeakMap<object, { version: string; destinations: Destination[] }>();

/**
 * Returns all destinations. There may be ten thousand, so they are read again only after one of them has changed.
 * @param database whose transaction it is: it remembers them
 */
export async function allDestinations(database: Database, transaction: Database): Promise<Destination[]> {
  const active = () => transaction('destinations').whereNull('deleted_at');
  const [row] = await active().select({
    count: transaction.raw('COUNT(*)'),
    sum: transaction.raw("SUM(CRC32(CONCAT(id, ' ', revision)))"),
  });
  const version = `${row?.count} ${row?.sum}`;
  const before = known.get(database);
  if (before?.version === version) return before.destinations;
  const destinations = (await active().orderBy('created_at')).map(toDestination);
  known.set(database, { version, destinations });
  return destinations;
}

/** Returns a page of destinations, the newest first. */
export async function listDestinations(
  database: Database,
  { limit, after }: { limit: number; after?: { createdAt: Date; id: string } | undefined },
): Promise<Destination[]> {
  const query = database('destinations').whereNull('deleted_at').limit(limit);
  const position = after && [after.createdAt, after.id];
  orderByKeyset(query, { columns: ['created_at', 'id'], order: 'desc', after: position });
  return (await query).map(toDestination);
}

const toColumns = (settings: DestinationSettings) => ({
  name: settings.name,
  description: settings.description,
  preset: settings.preset,
  url: settings.url,
  host: settings.host,
  secret: settings.secret,
  previous_secret: settings.previousSecret,
  previous_secret_expires_at: settings.previousSecretExpiresAt,
  headers: settings.headers,
  webhook_ids: settings.webhookIds && JSON.stringify(settings.webhookIds),
  types: settings.types.join(),
  severity_at_least: settings.severityAtLeast,
  filter: settings.filter,
  body: settings.body && JSON.stringify(settings.body),
  mode: settings.mode,
  settle_s: settings.settleSeconds,
  rate_per_minute: settings.ratePerMinute,
  repeat_every_minutes: settings.repeatEveryMinutes,
  digest_above: settings.digestAbove,
  paused_at: settings.pausedAt,
  managed_by: settings.managedBy,
});

const toDestination = (row: Tables['destinations']): Destination => ({
  id: row.id,
  name: row.name,
  description: row.description,
  preset: row.preset,
  url: row.url,
  host: row.host,
  secret: row.secret,
  previousSecret: row.previous_secret,
  previousSecretExpiresAt: row.previous_secret_expires_at,
  headers: row.headers,
  webhookIds: row.webhook_ids === null ? null : JSON.parse(row.webhook_ids),
  types: row.types === '' ? [] : row.types.split(','),
  severityAtLeast: row.severity_at_least,
  filter: row.filter,
  body: row.body === null ? null : JSON.parse(row.body),
  mode: row.mode,
  settleSeconds: row.settle_s,
  ratePerMinute: row.rate_per_minute,
  repeatEveryMinutes: row.repeat_every_minutes,
  digestAbove: row.digest_above,
  pausedAt: row.paused_at,
  managedBy: row.managed_by,
  revision: row.revision,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  savedBy: row.saved_by_id === null ? null : { id: row.saved_by_id, name: row.saved_by_name ?? '' },
});
