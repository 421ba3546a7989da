import { hash } from 'node:crypto';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { alertId, isDeliveryId, maxAlerts } from '../../../db/events/alerts/alert-id.js';
import type { StoredError } from '../../../db/events/events.js';
import type { NewAlert, NewEvent, NewItem } from '../../../db/events/new-event.js';
import { seriesId } from '../../../db/series/series.js';
import {
  expiryTime,
  type FilterResult,
  type LookupKeys,
  type LookupSource,
  type Normalized,
  type NormalizedAlert,
  normalize,
  normalizeYielding,
  ownRankOf,
  type ParsedPayload,
  parsePayload,
  ranksOfAlert,
  seriesAlone,
  storedRequest,
} from '../../mapping/index.js';
import type { IntakeEvent } from '../../queues/contracts/alert-intake.js';
import type { Heard } from '../series/repetitions.js';
import type { CurrentMapping } from './current-mappings.js';
import { buildPing } from './own-event.js';

const NO_MAPPING: CurrentMapping = { revision: 0, mapping: null };

/**
 * Maps an event to the rows to store. Never throws: an error of one event must not affect the others.
 * @param source where lookups find rows
 */
export function buildEvent(
  event: IntakeEvent,
  current: CurrentMapping = NO_MAPPING,
  source?: LookupSource,
): NewEvent {
  if (event.rejected) return withoutAlerts(event, 'rejected', { field: null, ...event.rejected });
  if (event.ping) return buildPing(event, event.ping);
  try {
    const request = storedRequest(event.request);
    return toNewEvent(event, current, normalize(current.mapping, event.raw, request, bodyOf(event), source));
  } catch {
    return mappingFailed(event, current);
  }
}

/** What is known of an event before it is mapped. */
export interface ReadEvent {
  payload: ParsedPayload;
  keys: LookupKeys;
}

/** Does the same, with a turn of the event loop for each portion of alerts after the first. */
export function buildYielding(
  event: IntakeEvent,
  current: CurrentMapping = NO_MAPPING,
  source?: LookupSource,
  read?: ReadEvent,
): NewEvent | Promise<NewEvent> {
  if (event.rejected || event.ping) return buildEvent(event);
  try {
    const request = storedRequest(event.request);
    const options = { request, pause: yieldToOthers, body: bodyOf(event), source, keys: read?.keys };
    const normalized = normalizeYielding(current.mapping, read?.payload ?? parsePayload(event.raw), options);
    if (!(normalized instanceof Promise)) return toNewEvent(event, current, normalized);
    return normalized
      .then((all) => toNewEvent(event, current, all))
      .catch(() => mappingFailed(event, current));
  } catch {
    return mappingFailed(event, current);
  }
}

/** Returns what decides whether an event only repeats what is stored, without mapping the rest of it; null if it has to be built. */
export function peekEvent(
  event: IntakeEvent,
  { revision, mapping }: CurrentMapping = NO_MAPPING,
): Heard | null {
  const { id, webhookId, receivedAt, digest } = event;
  if (digest === undefined || event.rejected || event.ping || !mapping) return null;
  try {
    const { value } = event;
    const payload = value ? { value } : parsePayload(event.raw);
    const alone = seriesAlone(mapping, payload, storedRequest(event.request));
    if (!alone) return null;
    const { item, series } = alone;
    return {
      id: alertId(id, item).toLowerCase(),
      webhookId,
      receivedAt,
      seriesId: seriesId(webhookId, series.dedupKey),
      status: series.status,
      occurrence: series.occurrence,
      expiresAt: expiresAtOf(series, receivedAt),
      digest: digestOf(digest, revision),
    };
  } catch {
    return null;
  }
}

/** Returns the body by which repetitions are recognized. With a delivery id, the sender says which events are the same. */
const bodyOf = ({ id, raw }: IntakeEvent): string | null => (isDeliveryId(id) ? null : raw);

function toNewEvent(
  event: IntakeEvent,
  { revision, mapping }: CurrentMapping,
  { eventState, alerts, faults, filter, lookups }: Normalized,
): NewEvent {
  const { id, webhookId, receivedAt } = event;
  const last = alerts.at(-1);
  if (last && last.item >= maxAlerts(id))
    return { ...withoutAlerts(event, 'failed', TOO_MANY_ITEMS), revision };
  const built: NewEvent = {
    id,
    webhookId,
    receivedAt,
    raw: rawOf(event),
    request: event.request ?? null,
    state: eventState,
    revision,
    faults: toJson(faults),
    filter: filter && filterJson(filter),
    ...toRows(alerts, event, { revision, mapping }),
  };
  if (!lookups) return built;
  built.lookups = lookups.kept();
  built.misses = lookups.misses();
  return built;
}

/** Only events that an earlier release accepted have ids that number so few, see `eventIdFor`. */
const TOO_MANY_ITEMS = {
  field: null,
  code: 'too_many_items',
  message:
    'The event has more than 4,095 items, which its id cannot number. Its body is kept: send it again.',
};

const mappingFailed = (event: IntakeEvent, { revision }: CurrentMapping): NewEvent => ({
  ...withoutAlerts(event, 'failed', {
    field: null,
    code: 'mapping_failed',
    message: 'The mapping failed with an internal error.',
  }),
  revision,
});

/** Returns the event alone, with the error that left it without alerts. */
export const withoutAlerts = (
  event: IntakeEvent,
  state: 'failed' | 'rejected',
  error: StoredError,
): NewEvent => {
  const { id, webhookId, receivedAt } = event;
  return {
    id,
    webhookId,
    receivedAt,
    raw: rawOf(event),
    request: event.request ?? null,
    state,
    revision: 0,
    faults: toJson([error]),
    filter: null,
    alerts: [],
    items: [],
  };
};

const rawOf = ({ raw, base64 }: IntakeEvent): string | Buffer => (base64 ? Buffer.from(raw, 'base64') : raw);

/** Returns the stand-alone alerts of an event, and its items that belong to a series. */
function toRows(
  all: readonly NormalizedAlert[],
  event: IntakeEvent,
  { revision, mapping }: CurrentMapping,
): Pick<NewEvent, 'alerts' | 'items'> {
  const alerts: NewAlert[] = [];
  let items: NewItem[] = NO_ITEMS;
  for (const alert of all) {
    const row = toNewAlert(alertId(event.id, alert.item), alert, mapping);
    const { series } = alert;
    if (series === null) alerts.push(row);
    else {
      if (items === NO_ITEMS) items = [];
      items.push(toNewItem(row, series, event, { revision, ranks: ranksOfAlert(alert).text }));
    }
  }
  return { alerts, items };
}

const NO_ITEMS: NewItem[] = [];

function toNewItem(
  row: NewAlert,
  { dedupKey, status, occurrence, final, expiry }: Series,
  { webhookId, receivedAt, digest }: IntakeEvent,
  { revision, ranks }: { revision: number; ranks: string },
): NewItem {
  return {
    // Items are compared by their ids.
    id: row.id.toLowerCase(),
    state: row.state,
    title: row.title,
    severity: row.severity,
    ownRank: row.ownRank ?? null,
    description: row.description,
    source: row.source,
    service: row.service,
    environment: row.environment,
    team: row.team,
    ownerEmail: row.ownerEmail,
    custom: row.custom,
    faults: row.faults,
    receivedAt,
    webhookId,
    dedupKey,
    seriesId: seriesId(webhookId, dedupKey),
    status,
    occurrence,
    final,
    revision,
    expiresAt: expiresAtOf({ status, expiry }, receivedAt),
    digest: digest === undefined ? null : digestOf(digest, revision),
    ranks,
  };
}

type Series = NonNullable<NormalizedAlert['series']>;

const expiresAtOf = ({ status, expiry }: Pick<Series, 'status' | 'expiry'>, receivedAt: number) =>
  status === 'resolved' ? null : expiryTime(expiry, receivedAt);

/** With another mapping, the same is news. */
const digestOf = (digest: string, revision: number): string =>
  hash('sha256', `${revision} ${digest}`).slice(0, 32);

/** Copies field by field: each member after a spread takes V8 2 µs, as much as rendering a field. */
function toNewAlert(
  id: string,
  { state, fields, custom, faults }: NormalizedAlert,
  mapping: CurrentMapping['mapping'],
): NewAlert {
  return {
    id,
    state,
    title: fields.title.value,
    severity: fields.severity.value,
    ownRank: ownRankOf(mapping, fields.severity.value),
    description: fields.description.value,
    source: fields.source.value,
    service: fields.service.value,
    environment: fields.environment.value,
    team: fields.team.value,
    ownerEmail: fields.ownerEmail.value,
    custom: customJson(custom),
    faults: toJson(faults),
    isTest: fields.status?.value === 'test',
  };
}

function customJson(custom: NormalizedAlert['custom']): string | null {
  let members = '';
  for (const name in custom) {
    const value = custom[name]?.value ?? null;
    if (value === null) continue;
    members += `${members && ','}${JSON.stringify(name)}:${JSON.stringify(value)}`;
  }
  return members === '' ? null : `{${members}}`;
}

/** Returns the outcome of a filter as it is stored, see `FilterOutcome`. */
function filterJson({ reason, items, warnings }: FilterResult): string {
  const stored = warnings.map(({ code, message, value }) => ({
    field: 'filter',
    code,
    message,
    ...(value === undefined ? {} : { path: value }),
  }));
  return JSON.stringify({ reason, items, warnings: stored });
}

const toJson = (errors: readonly StoredError[]): string | null =>
  errors.length > 0 ? JSON.stringify(errors) : null;
