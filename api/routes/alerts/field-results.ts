import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Alert } from '../../../db/events/alerts.js';
import {
  type CompiledMapping,
  type NormalizedAlert,
  type PreparedAlerts,
  parsePayload,
  prepareAlerts,
} from '../../../workers/mapping/index.js';
import { serialQueue } from '../../limits/serial-queue.js';
import { compiledRevision } from '../../preview/compiled-revision.js';
import type { Services } from '../../services.js';

export type FieldResults = Pick<NormalizedAlert, 'fields' | 'custom'>;

const inTurn = serialQueue();

/**
 * How each field of an alert was filled: by the worker's function, over the same body and the same revision, so the same
 * results. Null when that revision or this alert is not to be had from it.
 */
export async function fieldResultsOf(
  { database }: Services,
  alert: Alert,
  raw: Buffer,
): Promise<FieldResults | null> {
  const mapping = await compiledRevision(database, alert.webhookId, alert.revision);
  if (!mapping || !isUtf8(raw)) return null;
  return inTurn(() => renderAgain(mapping, alert, raw));
}

async function renderAgain(
  mapping: CompiledMapping,
  alert: Alert,
  raw: Buffer,
): Promise<FieldResults | null> {
  await nextTurn();
  const parsed = parsePayload(raw);
  await nextTurn();
  const alerts = prepareAlerts(mapping, parsed);
  const { fields, custom } = (await renderOne(alerts, alert)) ?? {};
  return fields && custom ? { fields, custom } : null;
}

/**
 * One alert of an event's, by itself: there may be a thousand, and all of them take longer than others should wait. Only
 * of one that lacked budget those before it are rendered too, for they may have spent it; each in a turn of its own.
 */
export async function renderOne(
  alerts: PreparedAlerts,
  { id, faults }: Pick<Alert, 'id' | 'faults'>,
): Promise<NormalizedAlert | null> {
  const number = Number.parseInt(id.slice(-3), 16) - 1;
  if (number < 0 || number >= alerts.count) return null;
  const spent = faults.some(({ code }) => code === 'too_many_steps' || code === 'too_much_output');
  for (let before = 0; spent && before < number; before++) {
    alerts.render(before);
    await nextTurn();
  }
  return alerts.render(number);
}
