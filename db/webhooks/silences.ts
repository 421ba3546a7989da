import type { Knex } from 'knex';
import type { Database } from '../client/connect.js';

/** Hours in which events are expected: from one time of the day to another, on some days of the week, 1 for Monday to 7 for Sunday. */
export interface OpenHours {
  days: number[];
  /** `08:00` */
  from: string;
  /** Up to `24:00`. A time that is not after `from` is on the next day. */
  to: string;
  timeZone: string;
}

/** The longest time that an integration promises to have no event. */
export interface SilenceRule {
  afterSeconds: number;
  /** Of the alert. */
  severity: string;
  /** Null: always. */
  schedule: OpenHours | null;
}

/** An integration with a rule. */
export interface Watched {
  id: string;
  name: string;
  rule: SilenceRule;
  /** Since when the rule holds. */
  since: Date;
}

export const parseSilence = (text: string | null): SilenceRule | null =>
  text === null ? null : JSON.parse(text);

/** Returns the integrations with a rule. */
export async function watchedWebhooks(database: Database): Promise<Watched[]> {
  const rows = await database('webhooks')
    .whereNotNull('silence')
    .whereNull('deleted_at')
    .select('id', 'name', 'silence', 'silence_since', 'updated_at');
  return rows.flatMap(({ id, name, silence, silence_since, updated_at }) => {
    const rule = parseSilence(silence);
    return rule ? [{ id, name, rule, since: silence_since ?? updated_at }] : [];
  });
}

/** Returns since when integrations are silent, by id. */
export async function listSilences(database: Database): Promise<Map<string, Date>> {
  const rows = await database('silences');
  return new Map(rows.map(({ webhook_id, began_at }) => [webhook_id, began_at]));
}

/** Notes that an integration is silent. */
export async function beginSilence(database: Database, webhookId: string, beganAt: Date): Promise<void> {
  await database('silences').insert({ webhook_id: webhookId, began_at: beganAt }).onConflict().ignore();
}

/** Notes that an integration is no longer silent. */
export const endSilence = (database: Database, webhookId: string): Promise<number> =>
  database('silences').where('webhook_id', webhookId).delete();

/** Returns the last request to an integration that was not accepted, and why; null if there was none since a time. */
export async function lastRefusal(
  database: Database,
  webhookId: string,
  since: Date,
): Promise<{ at: Date; code: string } | null> {
  const row = await database('webhook_tokens')
    .where('webhook_id', webhookId)
    .where('refused_at', '>', since)
    .orderBy('refused_at', 'desc')
    .first('refused_at', 'refused_code');
  return row?.refused_at ? { at: row.refused_at, code: row.refused_code ?? '' } : null;
}

/** Returns the columns of a rule. Where it changes, it holds from now on. */
export const silenceColumns = (
  database: Knex,
  rule: SilenceRule | null,
  before: string | null,
): { silence?: string | null; silence_since?: Knex.Raw | null } => {
  const silence = rule && JSON.stringify(rule);
  if (silence === before) return {};
  return { silence, silence_since: silence === null ? null : database.raw('UTC_TIMESTAMP(3)') };
};
