import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { itemNumberOf } from '../../../db/events/alert-id.js';
import type { Alert } from '../../../db/events/alerts.js';
import type { StoredInput } from '../../../db/events/events.js';
import {
  type CompiledMapping,
  type EventRequest,
  type NormalizedAlert,
  type PreparedAlerts,
  parsePayload,
  parseRequest,
  prepareAlerts,
} from '../../../workers/mapping/index.js';
import { serialQueue } from '../../limits/serial-queue.js';
import { compiledRevision } from '../../preview/compiled-revision.js';
import type { Services } from '../../services.js';

export type FieldResults = Pick<NormalizedAlert, 'fields' | 'custom'>;

const inTurn = serialQueue();

/**
 * Returns how each field of an alert was filled. Renders it again with the worker's function, from the same body and revision,
 * so the results are the same. Returns null if the revision, or this alert in it, does not exist.
 */
export async function fieldResultsOf(
  { database }: Services,
  alert: Alert,
  { raw, request }: StoredInput,
): Promise<FieldResults | null> {
  const mapping = await compiledRevision(database, alert.webhookId, alert.revision);
  if (!mapping || !isUtf8(raw)) return null;
  return inTurn(() => renderAgain(mapping, alert, raw, parseRequest(request)));
}

async function renderAgain(
  mapping: CompiledMapping,
  alert: Alert,
  raw: Buffer,
  request: EventRequest | undefined,
): Promise<FieldResults | null> {
  await nextTurn();
  const parsed = parsePayload(raw);
  await nextTurn();
  const alerts = prepareAlerts(mapping, parsed, request);
  const { fields, custom } = (await renderOne(alerts, alert)) ?? {};
  return fields && custom ? { fields, custom } : null;
}

/**
 * Renders one alert of an event: there may be a thousand, and rendering all would block other requests. If this one ran out of
 * budget, the alerts before it are rendered first, one per turn of the event loop, because they may have used the budget.
 */
export async function renderOne(
  alerts: PreparedAlerts,
  { id, faults }: Pick<Alert, 'id' | 'faults'>,
): Promise<NormalizedAlert | null> {
  const number = itemNumberOf(id);
  if (!alerts.numbers.includes(number)) return null;
  const spent = faults.some(({ code }) => code === 'too_many_steps' || code === 'too_much_output');
  for (const before of spent ? alerts.numbers : []) {
    if (before === number) break;
    alerts.render(before);
    await nextTurn();
  }
  return alerts.render(number);
}
