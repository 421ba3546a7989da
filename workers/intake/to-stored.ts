import { alertId } from '../../db/alert-id.js';
import type { StoredFault } from '../../db/events.js';
import type { NewAlert, NewEvent } from '../../db/store-events.js';
import { ALERT_FIELDS, type AlertField, type NormalizedAlert, normalize } from '../mapping/index.js';
import type { IntakeEvent } from '../queues/alert-intake.js';
import type { CurrentMapping } from './current-mappings.js';

const NONE: CurrentMapping = { revision: 0, mapping: null };

/** An event with all that is made of it. Whatever goes wrong is this event's own fault and stays with it. */
export function toStoredEvent(event: IntakeEvent, current: CurrentMapping = NONE): NewEvent {
  if (event.rejected) return withoutAlerts(event, 'rejected', { field: null, ...event.rejected });
  try {
    const { eventState, alerts, faults } = normalize(current.mapping, event.raw);
    return {
      ...received(event),
      state: eventState,
      revision: current.revision,
      faults: toJson(faults),
      alerts: alerts.map((alert, number) => toStoredAlert(alertId(event.id, number), alert)),
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
  fault: StoredFault,
): NewEvent => ({ ...received(event), state, revision: 0, faults: toJson([fault]), alerts: [] });

const received = ({ id, webhookId, receivedAt, raw, base64 }: IntakeEvent) => ({
  id,
  webhookId,
  receivedAt,
  raw: base64 ? Buffer.from(raw, 'base64') : raw,
});

function toStoredAlert(id: string, { state, fields, custom, faults }: NormalizedAlert): NewAlert {
  const texts = {} as Record<AlertField, string | null>;
  for (const field of ALERT_FIELDS) texts[field] = fields[field].value;
  return { id, state, ...texts, custom: customValues(custom), faults: toJson(faults) };
}

function customValues(custom: NormalizedAlert['custom']): string | null {
  const filled = Object.entries(custom).flatMap(([name, { value }]) =>
    value === null ? [] : [[name, value]],
  );
  return filled.length > 0 ? JSON.stringify(Object.fromEntries(filled)) : null;
}

const toJson = (faults: readonly StoredFault[]): string | null =>
  faults.length > 0 ? JSON.stringify(faults) : null;
