import type { Tables } from 'knex/types/tables.js';
import type { Database } from '../client/connect.js';
import { orderByKeyset } from '../client/keyset.js';
import { type Author, authorColumns, type SaveOptions, toAuthor } from './author.js';
import { insertToken, type NewToken } from './new-token.js';
import { parseSilence, type SilenceRule, silenceColumns } from './silences.js';
import { inChange } from './webhook-change.js';
import { toSignature, toSignatureColumns, type WebhookSignature } from './webhook-signature.js';

/** The status for events over the rate limit. Most senders retry after 503, and drop the event after 429. */
export const OVER_LIMIT_STATUSES = [503, 429] as const;
export type OverLimitStatus = (typeof OVER_LIMIT_STATUSES)[number];

/** A handshake with which a sender checks a URL before it sends events to it. */
export const CHALLENGES = ['cloudevents', 'event-grid', 'microsoft-graph', 'okta', 'slack'] as const;
export type Challenge = (typeof CHALLENGES)[number];

/** A webhook integration: a sender, its mapping, signature and rate limit. */
export interface Webhook extends WebhookSignature {
  id: string;
  name: string;
  description: string;
  /** The catalogue entry of its first mapping. */
  template: string | null;
  /** The current revision of the mapping; 0 if there is none yet. */
  mappingRevision: number;
  eventsPerMinute: number | null;
  overLimitStatus: OverLimitStatus;
  /** The handshake that it responds to, or null for none. */
  challenge: Challenge | null;
  /** How many seconds after its last event a firing alert expires; null: never. */
  resolveAfterSeconds: number | null;
  /** The longest time without an event; null: any. */
  silence: SilenceRule | null;
  /** Of the alerts that Muster raises where events no longer fit the mapping; null: it raises none. */
  driftSeverity: string | null;
  /** Until then no destination is told of its alerts; null: they are told. */
  mutedUntil: Date | null;
  /** Where the file is kept from which its settings and mapping come, such as the address of a repository; null: nobody keeps one. */
  managedBy: string | null;
  /** Counts the changes of the settings: every property above except the mapping. */
  revision: number;
  /** Who changed the settings last; null if that was before authors were recorded. */
  savedBy: Author | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface NewWebhook
  extends Omit<Webhook, 'createdAt' | 'updatedAt' | 'mappingRevision' | 'revision' | 'savedBy'> {
  author: Author;
  token: NewToken;
  /** JSON of the first mapping revision, or null for none. */
  mapping: string | null;
}

/** Creates an integration with its first token and, if it has a template, its first mapping revision. */
export async function insertWebhook(database: Database, webhook: NewWebhook): Promise<Webhook> {
  const now = new Date();
  const { id, mapping, token } = webhook;
  const author = authorColumns(webhook.author);
  await inChange(database, async (transaction) => {
    await transaction('webhooks').insert({
      id,
      mapping_revision: mapping === null ? 0 : 1,
      ...settingColumns(webhook),
      ...silenceColumns(transaction, webhook.silence, null),
      created_at: now,
      updated_at: now,
      ...author,
    });
    await insertToken(transaction, id, token, now);
    if (mapping === null) return;
    const first = { webhook_id: id, revision: 1, mapping, created_at: now, ...author };
    await transaction('mapping_revisions').insert(first);
  });
  const created = await findWebhook(database, id);
  if (!created) throw new Error(`integration ${id} was deleted while it was created`);
  return created;
}

/** Returns an integration, or null if there is none or it is deleted. */
export async function findWebhook(database: Database, id: string): Promise<Webhook | null> {
  const row = await database('webhooks').where({ id }).whereNull('deleted_at').first();
  return row ? toWebhook(row) : null;
}

/** Returns the integrations of a name that are not deleted: usually one, because only some ways to create one check its name. */
export async function findWebhooksByName(database: Database, name: string): Promise<Webhook[]> {
  // The collation takes some texts as equal that differ, and a trailing space as none.
  const rows = await database('webhooks')
    .where({ name })
    .whereNull('deleted_at')
    .orderBy(['created_at', 'id']);
  return rows.filter((row) => row.name === name).map(toWebhook);
}

/** Returns the integrations that exist of these ids or names. */
export async function namesOfWebhooks(
  database: Database,
  by: { ids: readonly string[] } | { names: readonly string[] },
): Promise<{ id: string; name: string }[]> {
  const [column, values] = 'ids' in by ? (['id', by.ids] as const) : (['name', by.names] as const);
  if (values.length === 0) return [];
  const rows = await database('webhooks')
    .whereIn(column, [...values])
    .whereNull('deleted_at')
    .select('id', 'name');
  return rows.filter((row) => values.includes(row[column]));
}

/** Returns which of these integrations exist, and which are deleted. */
export async function webhookStates(
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, 'live' | 'deleted'>> {
  if (ids.length === 0) return new Map();
  const rows = await database('webhooks').whereIn('id', ids).select('id', 'deleted_at');
  return new Map(rows.map(({ id, deleted_at }) => [id, deleted_at ? 'deleted' : 'live']));
}

/** Counts the integrations that are not deleted. */
export async function countWebhooks(database: Database): Promise<number> {
  const [row] = await database('webhooks').whereNull('deleted_at').count({ count: '*' });
  return Number(row?.count);
}

/** Returns a page of integrations, the newest first. `after` is the last integration of the previous page. */
export async function listWebhooks(
  database: Database,
  { limit, after }: { limit: number; after?: { createdAt: Date; id: string } | undefined },
): Promise<Webhook[]> {
  const query = database('webhooks').whereNull('deleted_at').limit(limit);
  const position = after && [after.createdAt, after.id];
  orderByKeyset(query, { columns: ['created_at', 'id'], order: 'desc', after: position });
  return (await query).map(toWebhook);
}

/** What a client can change of an integration. */
type Settings = WebhookSignature &
  Pick<
    Webhook,
    | 'name'
    | 'description'
    | 'template'
    | 'eventsPerMinute'
    | 'overLimitStatus'
    | 'challenge'
    | 'resolveAfterSeconds'
    | 'silence'
    | 'driftSeverity'
    | 'mutedUntil'
    | 'managedBy'
  >;

export type WebhookChange = Partial<Settings>;

const settingColumns = (settings: Settings) => ({
  name: settings.name,
  description: settings.description,
  template: settings.template,
  ...toSignatureColumns(settings),
  events_per_minute: settings.eventsPerMinute,
  over_limit_status: settings.overLimitStatus,
  challenge: settings.challenge,
  resolve_after_s: settings.resolveAfterSeconds,
  drift_severity: settings.driftSeverity,
  muted_until: settings.mutedUntil,
  managed_by: settings.managedBy,
});

/**
 * Updates an integration, unless its revision is not the expected one: that is a conflict. `changeOf` returns the properties to
 * change, from the current ones. Returns null if there is no such integration.
 */
export async function updateWebhook(
  database: Database,
  id: string,
  changeOf: (current: Webhook) => WebhookChange,
  { author, isExpected = () => true }: SaveOptions,
): Promise<'saved' | 'conflict' | null> {
  return inChange(database, async (transaction) => {
    const webhook = transaction('webhooks').where({ id }).whereNull('deleted_at');
    const row = await webhook.clone().first().forUpdate();
    if (!row) return null;
    if (!isExpected(row.revision)) return 'conflict';
    const current = toWebhook(row);
    const changed = { ...current, ...changeOf(current) };
    const settings = {
      ...settingColumns(changed),
      ...silenceColumns(transaction, changed.silence, row.silence),
    };
    const saved = { revision: row.revision + 1, ...authorColumns(author), updated_at: new Date() };
    await webhook.update({ ...settings, ...saved });
    return 'saved';
  });
}

/** Deletes an integration and its tokens. Its events and alerts stay. Returns false if there is none. */
export async function deleteWebhook(database: Database, id: string): Promise<boolean> {
  return inChange(database, async (transaction) => {
    const deleted = await transaction('webhooks')
      .where({ id })
      .whereNull('deleted_at')
      .update({ deleted_at: new Date(), signature_secret: null, previous_secret: null });
    if (deleted > 0) await transaction('webhook_tokens').where({ webhook_id: id }).delete();
    return deleted > 0;
  });
}

export const toWebhook = (row: Tables['webhooks']): Webhook => ({
  id: row.id,
  name: row.name,
  description: row.description,
  template: row.template,
  mappingRevision: row.mapping_revision,
  ...toSignature(row),
  eventsPerMinute: row.events_per_minute,
  overLimitStatus: row.over_limit_status,
  challenge: row.challenge,
  resolveAfterSeconds: row.resolve_after_s,
  silence: parseSilence(row.silence),
  driftSeverity: row.drift_severity,
  mutedUntil: row.muted_until,
  managedBy: row.managed_by,
  revision: row.revision,
  savedBy: toAuthor(row),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
