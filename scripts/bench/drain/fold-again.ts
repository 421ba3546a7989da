import type { Database } from '../../../db/client/connect.js';
import type { BenchContext } from '../benchmark.js';
import { ReplayedSeries, type Row } from './replayed-series.js';
import { empty, GROUP_EVENTS, type WriteGroup, writeGroups } from './write-groups.js';

/** The tables of events with keys, and the columns that their rows are read in the order of. */
export const KEYED_TABLES = {
  events: ['received_at', 'id'],
  alerts: ['received_at', 'id'],
  series_items: ['received_at', 'id'],
  series: ['id'],
  series_alerts: ['series_id', 'received_at', 'alert_id'],
} as const;
type Rows = Record<keyof typeof KEYED_TABLES, Row[]>;

/** The columns that one more event of an alert changes. */
const ALERT_COLUMNS = ['last_event_at', 'resolved_at', 'event_count'];
/** The columns that are not the same for all states of a series. */
const SERIES_COLUMNS = [
  ...['last_received_at', 'last_item', 'firing', 'alert_received_at', 'alert_id', 'alert_last_received_at'],
  ...['alert_last_item', 'event_count', 'previous_alert_id', 'severity', 'providers', 'alert_bytes'],
];

/**
 * Writes the existing events with keys again, and returns the seconds. Each group of events inserts its rows, then writes the state of each
 * of its alerts and series after the group, once. Any worker must write as much: it acknowledges a group when this is committed, and
 * does not know the groups that follow. All of it is known before, so nothing is mapped, read, locked or folded meanwhile.
 */
export async function foldAgain(database: Database, context: BenchContext): Promise<number> {
  const rows = await readRows(database);
  const groups = toGroups(rows);
  await empty(database, Object.keys(KEYED_TABLES));
  return writeGroups(database, context, groups);
}

async function readRows(database: Database): Promise<Rows> {
  const read = Object.entries(KEYED_TABLES).map(async ([table, order]) => [
    table,
    await database(table).orderBy([...order]),
  ]);
  return Object.fromEntries(await Promise.all(read));
}

/** @throws Error unless each event has one item, and the items lead to the rows of series and alerts that are stored */
function toGroups({ events, alerts, series_items: items, series }: Rows): WriteGroup[] {
  if (items.length !== events.length) throw new Error(`${events.length} events have ${items.length} items`);
  const alertsById = new Map(alerts.map((row) => [hex(row.id), row]));
  const replayed = new Map(series.map((row) => [hex(row.id), new ReplayedSeries(row, alertsById)]));
  const groups: WriteGroup[] = [];
  for (let at = 0; at < events.length; at += GROUP_EVENTS)
    groups.push(toGroup(events.slice(at, at + GROUP_EVENTS), items.slice(at, at + GROUP_EVENTS), replayed));
  for (const one of replayed.values()) one.check();
  return groups;
}

function toGroup(
  events: readonly Row[],
  items: readonly Row[],
  replayed: ReadonlyMap<string, ReplayedSeries>,
): WriteGroup {
  const series = new Map<string, ReplayedSeries>();
  const changed = new Set<Row>();
  const starts: unknown[][] = [];
  for (const item of items) {
    const id = hex(item.series_id);
    const one = replayed.get(id) as ReplayedSeries;
    series.set(id, one);
    const outcome = one.add(item);
    if (outcome !== 'nothing_to_resolve') changed.add(one.alert as Row);
    if (outcome === 'opened') starts.push([item.series_id, item.received_at, item.id, null]);
  }
  return {
    inserts: [
      { table: 'events', rows: events.map(cells) },
      { table: 'series_items', rows: items.map(cells) },
    ],
    inSequence: [
      { table: 'alerts', rows: [...changed].map(cells), overwrites: ALERT_COLUMNS },
      { table: 'series_alerts', rows: starts },
      {
        table: 'series',
        rows: [...series.keys()].sort().map((id) => cells((series.get(id) as ReplayedSeries).row)),
        overwrites: SERIES_COLUMNS,
      },
    ],
  };
}

const hex = (id: unknown): string => (id as Buffer).toString('hex');
const cells = (row: Row): unknown[] => Object.values(row);
