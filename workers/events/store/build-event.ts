import { alertId } from '../../../db/events/alert-id.js';
import type { NewAlert, NewEvent } from '../../../db/events/event-rows.js';
import type { StoredError } from '../../../db/events/events.js';
import { type NormalizedAlert, normalize } from '../../mapping/index.js';
import type { IntakeEvent } from '../../queues/contracts/alert-intake.js';
import type { CurrentMapping } from './current-mappings.js';

const NONE: CurrentMapping = { revision: 0, mapping: null };

/** An event with all that is made of it. Whatever goes wrong is this event's own fault and stays with it. */
export function buildEvent(event: IntakeEvent, current: CurrentMapping = NONE): NewEvent {
  if (event.rejected) return withoutAlerts(event, 'rejected', { field: null, ...event.rejected });
  try {
    const { eventState, alerts, faults } = normalize(current.mapping, event.raw);
    const { id, webhookId, receivedAt } = event;
    return {
      id,
      webhookId,
      receivedAt,
      raw: rawOf(event),
      state: eventState,
      revision: current.revision,
      faults: toJson(faults),
      alerts: alerts.map((alert, number) => toStoredAlert(alertId(id, number), alert)),
    };
  } catch {
    const fault = { field: null, code: 'mapping_failed', message: 'the mapping could not be carried out' };
    return { ...withoutAlerts(event, 'failed', fault), revision: current.revision };
  }
}

/** The event alone, with the reason why it has no alerts. */
export const withoutAlerts = (
  event: IntakeEvent,
  state: 'failed' | 'rejected',
  fault: StoredError,
): NewEvent => {
  const { id, webhookId, receivedAt } = event;
  return {
    id,
    webhookId,
    receivedAt,
    raw: rawOf(event),
    state,
    revision: 0,
    faults: toJson([fault]),
    alerts: [],
  };
};

const rawOf = ({ raw, base64 }: IntakeEvent): string | Buffer => (base64 ? Buffer.from(raw, 'base64') : raw);

/** Field by field: spread from a record, this took as long as the rendering. */
function toStoredAlert(id: string, { state, fields, custom, faults }: NormalizedAlert): NewAlert {
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
    custom: customValues(custom),
    faults: toJson(faults),
  };
}

function customValues(custom: NormalizedAlert['custom']): string | null {
  let members = '';
  for (const name in custom) {
    const value = custom[name]?.value ?? null;
    if (value === null) continue;
    members += `${members && ','}${JSON.stringify(name)}:${JSON.stringify(value)}`;
  }
  return members === '' ? null : `{${members}}`;
}

const toJson = (faults: readonly StoredError[]): string | null =>
  faults.length > 0 ? JSON.stringify(faults) : null;
