import {
  type AlertFilters,
  countAlerts,
  listAlerts as readAlerts,
} from '../../../../db/events/alerts/alert-list.js';
import type { Alert } from '../../../../db/events/alerts/alerts.js';
import type { Webhook } from '../../../../db/webhooks/webhooks.js';
import { RequestError } from '../../../http/errors.js';
import { readWithDeadline } from '../../../lists/read-with-deadline.js';
import { invalidEvent, type Received, type Reply } from '../dialect.js';
import { alertOf, keyOfAlias } from './identifiers.js';
import { found } from './replies.js';

export async function getAlert(received: Received): Promise<Reply> {
  const { target, exchange, address } = received;
  const one = await alertOf(received);
  if (!one) throw new RequestError(404, 'not_found', 'Alert not found');
  const data = present(one.alert, one.alias, target.webhook);
  // Jira Service Management has the members of an alert at the top.
  return found(data, exchange, address.path.startsWith(JSM_API) ? data : {});
}

const JSM_API = '/jsm/ops/api/';

/** Jira Service Management looks an alert up by `GET /alerts/alias?alias=…`. */
export function getAlertByAlias(received: Received): Promise<Reply> {
  const { address } = received;
  const alias = [address.query.alias ?? ''].flat()[0] ?? '';
  const query = { ...address.query, identifierType: 'alias' };
  return getAlert({ ...received, captures: [encodeURIComponent(alias)], address: { ...address, query } });
}

const [DEFAULT_LIMIT, MAX_LIMIT, MAX_OFFSET] = [20, 100, 1_000];
const NARROW = 'Name an alias in `query`.';

export async function listAlerts(received: Received): Promise<Reply> {
  const { address, exchange, services, target } = received;
  const filters = filtersOf(received);
  const limit = numberOf(address.query.limit, DEFAULT_LIMIT, MAX_LIMIT);
  const offset = numberOf(address.query.offset, 0, MAX_OFFSET);
  const alerts = await readWithDeadline({
    services,
    apiKeyId: target.webhook.id,
    narrow: NARROW,
    read: (database, withinMs) => readAlerts(database, filters, { limit: offset + limit, withinMs }),
  });
  const data = alerts
    .slice(offset)
    .map((alert) => present(alert, alert.custom.alias ?? alert.dedupKey ?? alert.id, target.webhook));
  return found(data, exchange);
}

export async function countFound(received: Received): Promise<Reply> {
  const { exchange, services, target } = received;
  const filters = filtersOf(received);
  const count = await readWithDeadline({
    services,
    apiKeyId: target.webhook.id,
    narrow: NARROW,
    read: (database, withinMs) => countAlerts(database, filters, withinMs),
  });
  return found({ count }, exchange);
}

const numberOf = (text: string | string[] | undefined, fallback: number, most: number): number =>
  typeof text === 'string' && /^\d{1,9}$/.test(text) ? Math.min(Number(text), most) : fallback;

/** A term of a query: `status: open`, `alias = "disk of db-1"`. */
const TERM = /\s*(?:and\s+)?(\w+)\s*[:=]\s*(?:"([^"]*)"|(\S+))\s*/iy;

/** @throws RequestError 422 for anything but an alias and a status */
function filtersOf({ address, target }: Received): AlertFilters {
  const filters: AlertFilters = { webhookId: target.webhook.id };
  const query = [address.query.query ?? ''].flat()[0]?.trim() ?? '';
  TERM.lastIndex = 0;
  while (TERM.lastIndex < query.length) {
    const [, name = '', quoted, plain] = TERM.exec(query) ?? [];
    const value = quoted ?? plain ?? '';
    const status = { open: 'firing', closed: 'resolved' }[value.toLowerCase()];
    if (name.toLowerCase() === 'alias') filters.dedupKey = keyOfAlias(value);
    else if (name.toLowerCase() === 'status' && status) filters.status = status;
    else
      throw invalidEvent(422, [
        { field: 'query', message: 'only `alias: …` and `status: open` or `closed` are supported' },
      ]);
  }
  return filters;
}

const PRIORITY_OF: Readonly<Record<string, string>> = {
  critical: 'P1',
  error: 'P2',
  warning: 'P3',
  info: 'P5',
};

function present(alert: Alert, alias: string, webhook: Pick<Webhook, 'id' | 'name'>): object {
  const { id, title, status, custom, severity, receivedAt, lastEventAt, resolvedAt } = alert;
  const { tags, owner, entity, acknowledged, priority, ...details } = custom;
  return {
    id,
    tinyId: id,
    alias,
    message: title ?? '',
    status: status === 'resolved' ? 'closed' : 'open',
    acknowledged: acknowledged === 'yes',
    isSeen: false,
    tags: tags ? tags.split(', ') : [],
    snoozed: false,
    count: alert.eventCount,
    createdAt: receivedAt.toISOString(),
    lastOccurredAt: lastEventAt.toISOString(),
    updatedAt: (resolvedAt ?? lastEventAt).toISOString(),
    source: alert.source ?? '',
    owner: owner ?? '',
    priority: priority ?? PRIORITY_OF[severity ?? ''] ?? 'P3',
    responders: [],
    integration: { id: webhook.id, name: webhook.name, type: 'API' },
    report: {},
    actions: [],
    entity: entity ?? alert.service ?? '',
    description: alert.description ?? '',
    details,
  };
}
