import type { Knex } from 'knex';
import { fromUuidBinary } from '../bulk/uuid-binary.js';
import { readPrepared } from '../client/statement.js';
import { idLists } from './id-list.js';

/** The texts of an alert as its row has them. */
export interface AlertTexts {
  /** In the order of `ALERT_FIELDS`. */
  values: readonly (string | null)[];
  /** JSON of the texts by name; null if there are none. */
  custom: string | null;
  /** JSON; null if there are none. */
  faults: string | null;
  revision: number;
  /** Of an alert that is resolved. */
  resolution: string | null;
  /** Of its severity, see `rankOf`. */
  severityRank: number;
  /** Milliseconds since 1970. */
  lastEventAt: number;
}

/** Returns the texts of the latest alerts of series, by series. */
export async function textsOfLatestAlerts(
  transaction: Knex.Transaction,
  seriesIds: readonly string[],
): Promise<Map<string, AlertTexts>> {
  const found = new Map<string, AlertTexts>();
  for (const { marks, values } of idLists(seriesIds)) {
    const sql = `SELECT s.id, a.custom, a.faults, a.revision, a.resolution, a.last_event_at, a.severity_rank,
      a.title, a.severity, a.description, a.source, a.service, a.environment, a.team, a.owner_email
      FROM series s FORCE INDEX (PRIMARY) STRAIGHT_JOIN alerts a FORCE INDEX (PRIMARY)
        ON a.received_at = s.alert_received_at AND a.id = s.alert_id
      WHERE s.id IN (${marks})`;
    for (const row of await readPrepared<Row>(transaction, sql, values)) {
      const [id, custom, faults, revision, resolution, lastEventAt, severityRank, ...texts] = row;
      found.set(fromUuidBinary(id), {
        custom,
        faults,
        revision,
        resolution,
        severityRank,
        lastEventAt: lastEventAt.getTime(),
        values: texts,
      });
    }
  }
  return found;
}

type Text = string | null;
type Row = [
  id: Buffer,
  custom: Text,
  faults: Text,
  revision: number,
  resolution: Text,
  lastEventAt: Date,
  severityRank: number,
  ...values: Text[],
];
