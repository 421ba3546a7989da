import { alertId } from '../../../db/events/alert-id.js';
import type { StoredError } from '../../../db/events/events.js';
import type { NewAlert, NewEvent } from '../../../db/events/new-event.js';
import { type FilterResult, type NormalizedAlert, normalize, storedRequest } from '../../mapping/index.js';
import type { IntakeEvent } from '../../queues/contracts/alert-intake.js';
import type { CurrentMapping } from './current-mappings.js';

const NO_MAPPING: CurrentMapping = { revision: 0, mapping: null };

/** Maps an event to the rows to store. Never throws: an error of one event must not affect the others. */
export function buildEvent(event: IntakeEvent, current: CurrentMapping = NO_MAPPING): NewEvent {
  if (event.rejected) return withoutAlerts(event, 'rejected', { field: null, ...event.rejected });
  try {
    const { eventState, alerts, faults, filter } = normalize(
      current.mapping,
      event.raw,
      storedRequest(event.request),
    );
    const { id, webhookId, receivedAt } = event;
    return {
      id,
      webhookId,
      receivedAt,
      raw: rawOf(event),
      request: event.request ?? null,
      state: eventState,
      revision: current.revision,
      faults: toJson(faults),
      filter: filter && filterJson(filter),
      alerts: alerts.map((alert) => toNewAlert(alertId(id, alert.item), alert)),
    };
  } catch {
    const error = {
      field: null,
      code: 'mapping_failed',
      message: 'The mapping failed with an internal error.',
    };
    return { ...withoutAlerts(event, 'failed', error), revision: current.revision };
  }
}

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
  };
};

const rawOf = ({ raw, base64 }: IntakeEvent): string | Buffer => (base64 ? Buffer.from(raw, 'base64') : raw);

/** Copies field by field: spreading a record took as long as rendering the alert. */
function toNewAlert(id: string, { state, fields, custom, faults }: NormalizedAlert): NewAlert {
  return {
    id,
    state,
    title: fields.title.value,
    severity: fields.severity.value,
    description: fields.description.value,
    source: fields.source.value,
    service: fields.service.value,
    environment: fields.environment.value,
    team: fields.team.value,
    custom: customJson(custom),
    faults: toJson(faults),
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
