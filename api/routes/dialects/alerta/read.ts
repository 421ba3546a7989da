import {
  type AlertFilters,
  countAlerts,
  listAlerts as readAlerts,
} from '../../../../db/events/alerts/alert-list.js';
import type { Alert } from '../../../../db/events/alerts/alerts.js';
import {
  type HeartbeatState,
  heartbeatStates,
  NEW_HEARTBEAT,
} from '../../../../db/heartbeats/heartbeat-states.js';
import { type Heartbeat, listHeartbeats as readHeartbeats } from '../../../../db/heartbeats/heartbeats.js';
import { readWithDeadline } from '../../../lists/read-with-deadline.js';
import { stateOf } from '../../heartbeats/manage.js';
import { invalidEvent, type Received, type Reply } from '../dialect.js';
import { identifierIn } from '../identifier-in.js';
import { alertOf } from './operations.js';
import { DEFAULT_TIMEOUT } from './posted-alert.js';
import { notFound, ok } from './replies.js';

export async function getAlert(received: Received): Promise<Reply> {
  return ok({ total: 1, alert: present(await alertOf(received)) });
}

const [DEFAULT_SIZE, MAX_SIZE, MAX_PAGE] = [50, 100, 10];
const NARROW = 'Filter by `environment`, `service` or `status`.';

/** The severities of Muster as Alerta calls them. */
const SEVERITY_OF: Readonly<Record<string, string>> = {
  critical: 'critical',
  error: 'major',
  warning: 'warning',
  info: 'informational',
};

export async function listAlerts(received: Received): Promise<Reply> {
  const filters = filtersOf(received);
  const { query } = received.address;
  const pageSize = numberOf(query['page-size'], DEFAULT_SIZE, MAX_SIZE);
  const page = numberOf(query.page, 1, MAX_PAGE);
  const alerts = await read(received, (database, withinMs) =>
    readAlerts(database, filters, { limit: page * pageSize, withinMs }),
  );
  const shown = alerts.slice((page - 1) * pageSize).map(present);
  const { total, ...counts } = await counted(received, filters);
  const pages = Math.ceil(total / pageSize);
  return ok({
    ...(shown.length > 0 ? {} : { message: 'not found' }),
    ...{ page, pageSize, pages, more: page < pages, alerts: shown, total, ...counts },
    lastTime: alerts[0]?.lastEventAt.toISOString() ?? new Date().toISOString(),
  });
}

export async function countFound(received: Received): Promise<Reply> {
  return ok(await counted(received, filtersOf(received)));
}

async function counted(received: Received, filters: AlertFilters) {
  const count = (more: AlertFilters) =>
    read(received, (database, withinMs) => countAlerts(database, { ...filters, ...more }, withinMs));
  const open = filters.status === 'resolved' ? 0 : await count({ status: 'firing' });
  const closed = filters.status === 'firing' ? 0 : await count({ status: 'resolved' });
  const severityCounts: Record<string, number> = {};
  for (const [severity, name] of Object.entries(SEVERITY_OF))
    severityCounts[name] = open === 0 ? 0 : await count({ status: 'firing', severity });
  return { total: open + closed, severityCounts, statusCounts: { open, closed }, autoRefresh: true };
}

const read = <T>(
  { services, target }: Received,
  lookup: (database: Parameters<typeof countAlerts>[0], withinMs: number) => Promise<T>,
): Promise<T> => readWithDeadline({ services, apiKeyId: target.webhook.id, narrow: NARROW, read: lookup });

const numberOf = (text: string | string[] | undefined, fallback: number, most: number): number =>
  typeof text === 'string' && /^[1-9]\d{0,8}$/.test(text) ? Math.min(Number(text), most) : fallback;

const STATUS_OF: Readonly<Record<string, AlertFilters['status']>> = {
  open: 'firing',
  closed: 'resolved',
};
/** Parameters that choose no alerts. */
const OTHERS = [
  'page',
  'page-size',
  'limit',
  'sort-by',
  'reverse',
  'api-key',
  'show-raw-data',
  'show-history',
];

/** @throws RequestError 400 for a filter that Muster does not have */
function filtersOf({ address, target }: Received): AlertFilters {
  const filters: AlertFilters = { webhookId: target.webhook.id };
  for (const [name, value] of Object.entries(address.query)) {
    if (OTHERS.includes(name)) continue;
    const status = name === 'status' && typeof value === 'string' ? STATUS_OF[value] : undefined;
    if (status) filters.status = status;
    else if (name === 'environment' || name === 'service') filters[name] = value;
    else
      throw invalidEvent(400, [
        { field: name, message: 'only `environment`, `service` and `status` open or closed are supported' },
      ]);
  }
  return filters;
}

function present(alert: Alert): object {
  const { id, custom, severity, status, receivedAt, lastEventAt, resolvedAt } = alert;
  const isOver = status === 'resolved';
  const shown = isOver ? 'normal' : (SEVERITY_OF[severity ?? ''] ?? 'unknown');
  const { resource, event, group, value, origin, type, tags, acknowledged, ...attributes } = custom;
  return {
    id,
    href: `/alert/${id}`,
    resource: resource ?? alert.source ?? '',
    event: event ?? alert.title ?? '',
    environment: alert.environment ?? '',
    severity: shown,
    correlate: [],
    status: isOver ? 'closed' : acknowledged === 'yes' ? 'ack' : 'open',
    service: alert.service === null ? [] : [alert.service],
    group: group ?? 'Misc',
    value: value ?? null,
    text: alert.description ?? '',
    tags: tags ? tags.split(', ') : [],
    attributes,
    origin: origin ?? '',
    type: type ?? 'exceptionAlert',
    createTime: receivedAt.toISOString(),
    timeout: DEFAULT_TIMEOUT,
    rawData: null,
    customer: null,
    duplicateCount: alert.eventCount - 1,
    repeat: alert.eventCount > 1,
    previousSeverity: 'indeterminate',
    trendIndication: 'noChange',
    receiveTime: receivedAt.toISOString(),
    lastReceiveId: id,
    lastReceiveTime: lastEventAt.toISOString(),
    updateTime: (resolvedAt ?? lastEventAt).toISOString(),
    history: [],
  };
}

export async function listHeartbeats(received: Received): Promise<Reply> {
  const heartbeats = await presentHeartbeats(received);
  const total = heartbeats.length;
  const page = { page: 1, pageSize: total, pages: Math.min(1, total), more: false };
  return ok({ ...page, ...(total > 0 ? {} : { message: 'not found' }), heartbeats, total });
}

/** The id of a heartbeat is its name. */
export async function getHeartbeat(received: Received): Promise<Reply> {
  const name = identifierIn(received.captures);
  const heartbeat = (await presentHeartbeats(received)).find(({ id }) => id === name);
  if (!heartbeat) throw notFound();
  return ok({ total: 1, heartbeat });
}

async function presentHeartbeats({ services, target }: Received) {
  const states = await heartbeatStates(services.database, target.webhook.id);
  const heartbeats = await readHeartbeats(services.database, target.webhook.id);
  return heartbeats.map((one) => presentHeartbeat(one, states.get(one.name) ?? NEW_HEARTBEAT));
}

function presentHeartbeat({ name, schedule, createdAt }: Heartbeat, state: HeartbeatState) {
  const last =
    Math.max(state.succeededAt ?? 0, state.startedAt ?? 0, state.failedAt ?? 0) || createdAt.getTime();
  return {
    id: name,
    href: `/heartbeat/${name}`,
    origin: name,
    ...{ tags: [], attributes: {}, type: 'Heartbeat' },
    createTime: new Date(last).toISOString(),
    timeout: schedule && 'periodSeconds' in schedule ? schedule.periodSeconds : DEFAULT_TIMEOUT,
    maxLatency: MAX_LATENCY_MS,
    receiveTime: new Date(last).toISOString(),
    customer: null,
    latency: 0,
    since: Math.max(0, Math.round((Date.now() - last) / 1_000)),
    status: ['late', 'overrun', 'failing'].includes(stateOf(state)) ? 'expired' : 'ok',
  };
}

/** Of a heartbeat that is not slow. */
export const MAX_LATENCY_MS = 2_000;
