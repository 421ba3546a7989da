import { BulkTable } from '../bulk/table.js';
import { TEXT_COLUMNS } from '../events/event-tables.js';

const overwrite = (columns: readonly string[]): string =>
  ` ON DUPLICATE KEY UPDATE ${columns.map((name) => `${name} = VALUES(${name})`).join(', ')}`;

const KEY_COLUMNS = { id: 'id', webhook_id: 'id', dedup_key: 'text' } as const;
const STATE_COLUMNS = {
  last_received_at: 'time',
  last_item: 'id',
  firing: 'number',
  alert_received_at: 'time',
  alert_id: 'id',
  alert_last_received_at: 'time',
  alert_last_item: 'id',
  event_count: 'number',
  previous_alert_id: 'id',
  ended: 'text',
  occurrence: 'text',
  severity: 'text',
  providers: 'text',
  alert_bytes: 'number',
  closed_by: 'text',
  peak: 'text',
} as const;

/** Creates series, and locks those that exist. */
export const CREATED_SERIES = new BulkTable('series', KEY_COLUMNS, ' ON DUPLICATE KEY UPDATE id = id');

/** Overwrites the state of series. */
export const SERIES = new BulkTable(
  'series',
  { ...KEY_COLUMNS, ...STATE_COLUMNS },
  overwrite(Object.keys(STATE_COLUMNS)),
);

const ALERT_KEY_COLUMNS = { received_at: 'time', id: 'id', webhook_id: 'id' } as const;
const ALERT_COLUMNS = {
  dedup_key: 'text',
  last_event_at: 'time',
  resolved_at: 'time',
  resolved_by: 'text',
  resolution: 'text',
  peak_severity: 'text',
  peak_at: 'time',
  peak_rank: 'number',
  severity_rank: 'number',
  duration_ms: 'number',
  event_count: 'number',
  previous_alert_id: 'id',
  state: 'text',
  revision: 'number',
  ...TEXT_COLUMNS,
} as const;

/** Inserts alerts of series, and overwrites those that are stored: a remap moves the item that opens an alert to another series. */
export const KEYED_ALERTS = new BulkTable(
  'alerts',
  { ...ALERT_KEY_COLUMNS, ...ALERT_COLUMNS },
  `${overwrite(Object.keys(ALERT_COLUMNS))}, is_test = NULL`,
);

/** Overwrites what had ended before an alert that is stored: late items change it. */
export const SERIES_ALERTS = new BulkTable(
  'series_alerts',
  { series_id: 'id', received_at: 'time', alert_id: 'id', ended_before: 'text' },
  overwrite(['ended_before']),
);
