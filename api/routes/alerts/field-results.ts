import { isUtf8 } from 'node:buffer';
import { isStatementTimeout, isTooSlow } from '../../../db/client/errors.js';
import { eventIdOf, itemNumberOf } from '../../../db/events/alerts/alert-id.js';
import type { Alert } from '../../../db/events/alerts/alerts.js';
import { findEvent, type StoredInput } from '../../../db/events/events.js';
import {
  type CompiledMapping,
  type EventRequest,
  type FieldResult,
  keptSource,
  MAPPED_FIELDS,
  type NormalizedAlert,
  type PreparedAlerts,
  parsePayload,
  parseRequest,
  prepareAlerts,
} from '../../../workers/mapping/index.js';
import { compiledRevision } from '../../preview/compiled-revision.js';
import { type Asker, oneAtATime, type Pause, unlessBusy } from '../../preview/one-at-a-time.js';
import type { ApiServices } from '../../services.js';
import { isKeyed, type KeyedAlert } from './items.js';
import { type FieldNames, providersOf } from './providers.js';

/** How each field of an alert was filled, and the event that its value comes from. */
export interface FieldResults {
  fields: Record<string, FieldResult & { eventId: string }>;
  custom: Record<string, FieldResult & { eventId: string }>;
  /** What was looked up for the newest of these events, by the name of the lookup. */
  lookups?: NormalizedAlert['lookups'];
}

/** An item that is rendered again: with its revision and its errors. */
type Item = Pick<Alert, 'id' | 'webhookId' | 'revision' | 'faults'>;

/** The request for an alert. */
type Input = Asker & { services: ApiServices };

/** The values of an alert may come from as many events as it has fields. Of more than this, the results are left out. */
const MAX_EVENTS = 10;

/**
 * Returns how each field of an alert was filled. Renders the events that its values come from again with the worker's function, from
 * the same bodies and revisions, so the results are the same. Returns null if none of these events or revisions exists any more, or if the
 * database takes too long to find them, or too many previews wait.
 *
 * @param first the first event of the alert, if it is still stored
 */
export async function fieldResultsOf(
  input: Input,
  alert: Alert,
  first: StoredInput | null,
): Promise<FieldResults | null> {
  const results = isKeyed(alert) ? mergedResults(input, alert) : singleResults(input, alert, first);
  return unlessBusy(results);
}

async function singleResults(
  input: Input,
  alert: Alert,
  first: StoredInput | null,
): Promise<FieldResults | null> {
  const made = first && (await renderItem(input, alert, first));
  return made && { ...inOrder([pick(made, alert.eventId, null)]), ...withLookups(made.lookups) };
}

async function mergedResults(input: Input, alert: KeyedAlert): Promise<FieldResults | null> {
  const { database } = input.services;
  const parts: FieldResults[] = [];
  let newest: { eventId: string; lookups: NormalizedAlert['lookups'] } | null = null;
  const providers = await providersOf(database, alert).catch((error: unknown) => {
    if (isTooSlow(error) || isStatementTimeout(error)) return [];
    throw error;
  });
  for (const [{ id, revision, errors }, names] of [...providers].slice(0, MAX_EVENTS)) {
    const eventId = eventIdOf(id);
    const stored = await findEvent(database, eventId);
    const item = { id, webhookId: alert.webhookId, revision, faults: [...errors] };
    const made = stored && (await renderItem(input, item, stored));
    if (!made) continue;
    parts.push(pick(made, eventId, names));
    if (!newest || eventId > newest.eventId) newest = { eventId, lookups: made.lookups };
  }
  return parts.length > 0 ? { ...inOrder(parts), ...withLookups(newest?.lookups) } : null;
}

const withLookups = (lookups: NormalizedAlert['lookups']): Pick<FieldResults, 'lookups'> =>
  lookups ? { lookups } : {};

/** Returns the results of some fields, or of all. */
function pick({ fields, custom }: NormalizedAlert, eventId: string, names: FieldNames | null): FieldResults {
  const some = (results: Record<string, FieldResult | undefined>, chosen: string[] | undefined) =>
    Object.fromEntries(
      (chosen ?? Object.keys(results)).flatMap((name) => {
        const result = results[name];
        return result ? [[name, { ...result, eventId }]] : [];
      }),
    );
  return { fields: some(fields, names?.fields), custom: some(custom, names?.custom) };
}

function inOrder(parts: readonly FieldResults[]): FieldResults {
  const fields = Object.assign({}, ...parts.map((part) => part.fields));
  const custom = Object.assign({}, ...parts.map((part) => part.custom));
  const known = MAPPED_FIELDS.filter((name) => name in fields);
  return {
    fields: Object.fromEntries(known.map((name) => [name, fields[name]])),
    custom: parts.length === 1 ? custom : Object.fromEntries(Object.entries(custom).sort(byName)),
  };
}

const byName = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1);

async function renderItem(
  input: Input,
  item: Item,
  { raw, request, lookups }: StoredInput,
): Promise<NormalizedAlert | null> {
  if (!isUtf8(raw)) return null;
  return oneAtATime(input, async (pause) => {
    const mapping = await compiledRevision(input.services.database, item.webhookId, item.revision);
    return mapping && renderAgain(mapping, item, { raw, request: parseRequest(request), lookups }, pause);
  });
}

async function renderAgain(
  mapping: CompiledMapping,
  item: Item,
  { raw, request, lookups }: { raw: Buffer; request: EventRequest | undefined; lookups: string | null },
  pause: Pause,
): Promise<NormalizedAlert | null> {
  await pause();
  const parsed = parsePayload(raw);
  await pause();
  return renderOne(
    prepareAlerts(mapping, parsed, request, null, { source: keptSource(lookups) }),
    item,
    pause,
  );
}

/**
 * Renders one alert of an event: there may be a thousand, and rendering all would block other requests. If this one ran out of
 * budget, the alerts before it are rendered first, one per turn of the event loop, because they may have used the budget.
 */
export async function renderOne(
  alerts: PreparedAlerts,
  { id, faults }: Pick<Alert, 'id' | 'faults'>,
  pause: Pause,
): Promise<NormalizedAlert | null> {
  const number = itemNumberOf(id);
  if (!alerts.numbers.includes(number)) return null;
  const spent = faults.some(({ code }) => code === 'too_many_steps' || code === 'too_much_output');
  for (const before of spent ? alerts.numbers : []) {
    if (before === number) break;
    alerts.render(before);
    await pause();
  }
  return alerts.render(number);
}
