import type { Database } from '../../../db/client/connect.js';

/**
 * Leaves the alerts of series as the release before `resolution` and `peakSeverity` stored them: where a resolving event provided texts, they
 * replaced those of the alert.
 */
export async function storeAsBefore(database: Database): Promise<void> {
  const replaced = ['title', 'severity', 'description', 'source', 'service', 'environment', 'team']
    .map((name, field) => `a.${name} = IF(SUBSTRING(i.ranks, ${field + 1}, 1) = '2', i.${name}, a.${name})`)
    .join();
  await database.raw(`UPDATE series_alerts s JOIN alerts a ON a.received_at = s.received_at AND a.id = s.alert_id
    JOIN series_items i ON i.series_id = s.series_id AND i.received_at = a.resolved_at AND i.status = 'resolved' AND i.id > a.id
    SET ${replaced}`);
  await database('alerts').whereNotNull('dedup_key').update({
    resolution: null,
    resolved_by: null,
    peak_severity: null,
    peak_at: null,
    peak_rank: null,
    severity_rank: 0,
    duration_ms: null,
  });
  await database('series').update({ peak: null, closed_by: null });
  await database.raw(`UPDATE series s JOIN series_items i ON i.received_at = s.alert_last_received_at AND i.id = s.alert_last_item
    SET s.providers = i.ranks WHERE i.status = 'resolved'`);
}
