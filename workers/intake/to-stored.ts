import { alertId } from '../../db/alert-id.js';
import type { StoredFault } from '../../db/events.js';
import type { NewAlert, NewEvent } from '../../db/store-events.js';
import { ALERT_FIELDS, type AlertField } from '../mapping/mapping.js';
import { type NormalizedAlert, normalize } from '../mapping/normalize.js';
import type { IntakeEvent } from '../queues/alert-intake.js';
import type { CurrentMapping } from './mapping-cache.js';

const NONE: CurrentMapping = { revision: 0, mapping: null };

/** An event with all that is made of it. Whatever goes wrong is this event's own fault and stays with it. */
export function toStoredEvent(event: IntakeEvent, current: CurrentMapping = NONE): NewEvent {
  if (event.rejected) return withoutAlerts(event, 'rejected', { field: null, ...event.rejected });
  try {
    const { alerts, faults } = normalize(parse(event.raw), current.mapping);
    const state = faults.length > 0 ? 'failed' : 'normalized';
    return {
      ...received(event),
      state,
      revision: current.revision,
      faults: toJson(faults),
      alerts: alerts.map((alert, number) => toStoredAlert(alertId(event.id, number), alert)),
    };
  } catch {
    const fault = { field: null, code: 'mapping_failed', message: 'the mapping could not be carried out' };
    return { ...withoutAlerts(event, 'failed', fault), revision: current.revision };
  }
}

/** A byte order mark is kept with the body, and is no part of the JSON. */
const parse = (raw: string): unknown => JSON.parse(raw.charCodeAt(0) === 0xfeff ? raw.slice(1) : raw);

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
