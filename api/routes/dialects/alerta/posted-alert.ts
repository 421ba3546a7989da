import { truncate } from '../../../../workers/mapping/index.js';
import { type Body, invalidEvent, isObject } from '../dialect.js';

/** How severe Alerta takes its severities, from 0, the most severe. Others may be configured. */
const RANKS: Readonly<Record<string, number>> = {
  ...{ security: 0, critical: 1, major: 2, minor: 3, warning: 4, indeterminate: 5, informational: 6 },
  ...{ normal: 7, ok: 7, cleared: 7, debug: 8, trace: 9, unknown: 10 },
};
const NORMAL = ['normal', 'ok', 'cleared'];
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,6}Z$/;

/** How long an alert or heartbeat lives that does not say so, in seconds. */
export const DEFAULT_TIMEOUT = 86_400;

const fault = (field: string, message: string) => invalidEvent(400, [{ field, message }]);

/** @throws RequestError 400 for what Alerta accepts in no alert */
export function checkAlert(body: Body): void {
  for (const name of ['correlate', 'service', 'tags']) checkList(body, name);
  checkCommon(body);
  for (const name of ['resource', 'event']) {
    const value = body[name];
    if (!value) throw fault(name, `Missing mandatory value for "${name}"`);
    // As a text, all of them would be the same.
    if (typeof value === 'object') throw fault(name, `${name} must be a string`);
  }
}

/** @throws RequestError 400 for what Alerta accepts in no heartbeat */
export function checkHeartbeat(body: Body): void {
  checkList(body, 'tags');
  checkCommon(body);
}

function checkList(body: Body, name: string): void {
  if (body[name] !== undefined && !Array.isArray(body[name])) throw fault(name, `${name} must be a list`);
}

function checkCommon({ attributes, timeout, customer, createTime }: Body): void {
  if (attributes !== undefined && !isObject(attributes))
    throw fault('attributes', 'attributes must be a JSON object');
  if ((timeout ?? null) !== null && !Number.isInteger(timeout))
    throw fault('timeout', 'timeout must be an integer');
  if (customer === '') throw fault('customer', 'customer must not be an empty string');
  if (typeof createTime === 'string' && (!TIME.test(createTime) || Number.isNaN(Date.parse(createTime))))
    throw fault('createTime', 'dates must be ISO 8601 date format YYYY-MM-DDThh:mm:ss.sssZ');
  if (Object.keys(attributes ?? {}).some((name) => /[.$]/.test(name)))
    throw fault('attributes', 'Attribute keys must not contain "." or "$"');
  if (Number(timeout ?? 0) < 0) throw fault('timeout', `Invalid negative 'timeout' value (${timeout})`);
}

const textOf = (value: unknown): string =>
  typeof value === 'object' || value === undefined ? '' : String(value);

/**
 * Returns the key of an alert. Alerta finds the alert of an event among those of the same environment and resource: with this event, or with one that is
 * listed as correlated. Here, events are the same problem if their lists are the same.
 */
export function keyOfAlert({ customer, environment, resource, event, correlate }: Body): string {
  const events = Array.isArray(correlate) ? correlate.map(textOf) : [];
  const parts = [...(customer ? [customer] : []), environment, resource].map((value) =>
    textOf(value).replaceAll('~', '~0').replaceAll('/', '~1'),
  );
  const all = [...new Set([...events, textOf(event)])].sort().join(',');
  return truncate([...parts, all].join('/'), 'key');
}

/** Returns the severity of an alert, which is one word for all that end it. */
function severityOf({ severity }: Body): string {
  const word = textOf(severity) || 'normal';
  return NORMAL.includes(word.toLowerCase()) ? 'normal' : word;
}

function statusOf({ status }: Body, severity: string): string {
  if (severity === 'normal') return 'closed';
  return textOf(status) || 'open';
}

function trendOf(severity: string): string {
  const [before, after] = [RANKS.indeterminate ?? 0, RANKS[severity]];
  if (after === undefined || after === before) return 'noChange';
  return after < before ? 'moreSevere' : 'lessSevere';
}

/** Returns an alert as Alerta shows it that was just sent. */
export function presentPosted(body: Body, id: string, now: number): object {
  const time = new Date(now).toISOString();
  const severity = severityOf(body);
  const correlate = Array.isArray(body.correlate) ? body.correlate : [];
  const isListed = correlate.length === 0 || correlate.includes(body.event);
  return {
    id,
    href: `/alert/${id}`,
    resource: body.resource,
    event: body.event,
    environment: body.environment || '',
    severity,
    correlate: isListed ? correlate : [...correlate, body.event],
    status: statusOf(body, severity),
    service: body.service ?? [],
    group: body.group || 'Misc',
    value: typeof body.value === 'number' ? String(body.value) : (body.value ?? null),
    text: body.text || '',
    tags: body.tags ?? [],
    attributes: body.attributes ?? {},
    origin: body.origin || 'muster',
    type: body.type || 'exceptionAlert',
    createTime: timeOf(body, now),
    timeout: body.timeout ?? DEFAULT_TIMEOUT,
    rawData: body.rawData ?? null,
    customer: body.customer ?? null,
    duplicateCount: 0,
    repeat: false,
    previousSeverity: 'indeterminate',
    trendIndication: trendOf(severity),
    receiveTime: time,
    lastReceiveId: id,
    lastReceiveTime: time,
    updateTime: time,
    history: [],
  };
}

/** Returns the time that a body states, or the given one. */
export const timeOf = ({ createTime }: Body, now: number): string =>
  new Date(typeof createTime === 'string' ? createTime : now).toISOString();
