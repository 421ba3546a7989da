import type { BulkRows } from '../bulk/rows.js';
import { BulkTable } from '../bulk/table.js';
import { rankOf } from './alerts/severity-rank.js';
import type { NewAlert, NewEvent, NewItem } from './new-event.js';

export const EVENTS = new BulkTable('events', {
  received_at: 'time',
  webhook_id: 'id',
  id: 'id',
  state: 'text',
  revision: 'number',
  alert_count: 'number',
  keyed_count: 'number',
  faults: 'text',
  filter_outcome: 'text',
  raw: 'bytes',
  request: 'text',
  lookups: 'text',
});

/** A delivery that is stored fails the statement. */
export const DELIVERIES = new BulkTable('deliveries', { id: 'id', received_at: 'time' });

/** The texts of an alert or an item, in the order of {@link addTexts}. */
export const TEXT_COLUMNS = {
  title: 'text',
  severity: 'text',
  description: 'text',
  source: 'text',
  service: 'text',
  environment: 'text',
  team: 'text',
  owner_email: 'text',
  custom: 'text',
  faults: 'text',
} as const;
const ALERT_COLUMNS = {
  received_at: 'time',
  webhook_id: 'id',
  id: 'id',
  state: 'text',
  revision: 'number',
  is_test: 'number',
  last_event_at: 'time',
  severity_rank: 'number',
  ...TEXT_COLUMNS,
} as const;
/** Leaves stored alerts as they are. Alerts outlive their events, so an event that is sent again after it expired finds its own. */
export const ALERTS = new BulkTable('alerts', ALERT_COLUMNS, ' ON DUPLICATE KEY UPDATE id = id');

/** An alert of a series becomes one that stands alone. */
const NOT_KEYED = [
  'dedup_key',
  'resolved_at',
  'resolved_by',
  'resolution',
  'peak_severity',
  'peak_at',
  'peak_rank',
  'duration_ms',
  'event_count',
  'previous_alert_id',
].map((name) => `${name} = NULL`);
const values = (...names: string[]): string[] => names.map((name) => `${name} = VALUES(${name})`);
const UPDATED = values('state', 'revision', ...Object.keys(TEXT_COLUMNS));
const UPDATED_ALERT = [...UPDATED, ...values('is_test', 'last_event_at', 'severity_rank')];
/** Overwrites stored alerts, which stand alone from then on. */
export const UPSERTED_ALERTS = new BulkTable(
  'alerts',
  ALERT_COLUMNS,
  ` ON DUPLICATE KEY UPDATE ${[...UPDATED_ALERT, ...NOT_KEYED].join(', ')}`,
);

const ITEM_COLUMNS = {
  received_at: 'time',
  id: 'id',
  series_id: 'id',
  status: 'text',
  state: 'text',
  revision: 'number',
  ...TEXT_COLUMNS,
  ranks: 'text',
  occurrence: 'text',
  is_final: 'number',
  severity_rank: 'number',
} as const;
/** A stored item fails the statement: counting it a second time would change its alert. */
export const ITEMS = new BulkTable('series_items', ITEM_COLUMNS);
/** Overwrites stored items. */
export const UPSERTED_ITEMS = new BulkTable(
  'series_items',
  ITEM_COLUMNS,
  ` ON DUPLICATE KEY UPDATE ${[...UPDATED, ...values('series_id', 'status', 'ranks', 'occurrence', 'is_final', 'severity_rank')].join(', ')}`,
);

/** Appends an event's row. */
export function addEvent(rows: BulkRows, event: NewEvent): void {
  rows.time(event.receivedAt);
  rows.sharedId(event.webhookId);
  rows.id(event.id);
  rows.text(event.state);
  rows.number(event.revision);
  rows.number(event.alerts.length + event.items.length);
  rows.number(event.items.length || null);
  rows.text(event.faults);
  rows.text(event.filter);
  rows.bytes(event.raw);
  rows.text(event.request);
  rows.text(event.lookups ?? null);
  rows.endRow();
}

/** Appends an alert's row, field by field in the order of the columns. Reading each field by its name took five times as long. */
export function addAlert(rows: BulkRows, event: NewEvent, alert: NewAlert): void {
  rows.time(event.receivedAt);
  rows.sharedId(event.webhookId);
  rows.id(alert.id);
  rows.text(alert.state);
  rows.number(event.revision);
  rows.number(alert.isTest ? 1 : null);
  rows.time(event.receivedAt);
  rows.number(rankOf(alert));
  addTexts(rows, alert);
  rows.endRow();
}

/** Appends an item's row. */
export function addItem(rows: BulkRows, item: NewItem): void {
  rows.time(item.receivedAt);
  rows.id(item.id);
  rows.id(item.seriesId);
  rows.text(item.status);
  rows.text(item.state);
  rows.number(item.revision);
  addTexts(rows, item);
  rows.text(item.ranks);
  rows.text(item.occurrence);
  rows.number(item.final ? 1 : 0);
  rows.number(item.ownRank ?? null);
  rows.endRow();
}

/** Appends the cells of {@link TEXT_COLUMNS}. */
export function addTexts(rows: BulkRows, alert: NewAlert): void {
  rows.text(alert.title);
  rows.text(alert.severity);
  rows.text(alert.description);
  rows.text(alert.source);
  rows.text(alert.service);
  rows.text(alert.environment);
  rows.text(alert.team);
  rows.text(alert.ownerEmail);
  rows.text(alert.custom);
  rows.text(alert.faults);
}
