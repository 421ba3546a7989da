import { isUtf8 } from 'node:buffer';
import type { StoredInput } from '../../../db/events/events.js';
import {
  type EventHead,
  eventInputs,
  eventsWithIncompleteAlerts,
  nextEvents,
} from '../../../db/events/events-to-remap.js';
import { MAX_ROW_BYTES, type NewEvent, rowSize } from '../../../db/events/new-event.js';
import type { TimePosition } from '../../../db/events/newest-first.js';
import { eventsOfIncompleteAlerts } from '../../../db/series/keyed-items.js';
import type { IntakeEvent } from '../../queues/contracts/alert-intake.js';
import type { AlertRemapParams } from '../../queues/contracts/alert-remap.js';
import { pacer } from '../../run/pace.js';
import type { WorkerServices } from '../../run/services.js';
import { buildYielding } from '../store/build-event.js';
import type { CurrentMapping } from '../store/current-mappings.js';
import type { EventLookups, PreparedLookups } from '../store/event-lookups.js';
import type { RemapEvent } from './write-changes.js';

const PAGE_EVENTS = 100;
/** Approximate limits of one transaction: a body may have megabytes, and an event ten thousand alerts. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_ALERTS = 1_000;

/** The events of a remap. */
export interface Source {
  params: AlertRemapParams;
  mapping: CurrentMapping;
  lookups: EventLookups;
  services: WorkerServices;
  /** Called after each event. Throws to stop. */
  checkpoint(): void;
}

/**
 * Maps the events of a remap again, oldest first, from the first one after a place on. Yields as many at a time as one transaction should
 * write.
 */
export async function* mappedEvents(
  source: Source,
  start: TimePosition | null,
): AsyncGenerator<readonly RemapEvent[]> {
  const { params, services } = source;
  const { database } = services;
  for (let after = start; ; ) {
    const page = await nextEvents(database, params, { limit: PAGE_EVENTS, after });
    const last = page.at(-1);
    if (!last) return;
    for (const slice of slices(page)) yield* mapSlice(source, slice, await wantedOf(source, slice));
    after = last;
  }
}

/** Returns the ids of those events of a slice that are to be mapped again. */
async function wantedOf(
  { params, services: { database } }: Source,
  slice: readonly EventHead[],
): Promise<ReadonlySet<string>> {
  if (!params.onlyIncomplete) return new Set(slice.map(({ id }) => id));
  const { webhookId } = params;
  const keyed = slice.filter(({ keyedCount }) => keyedCount > 0);
  const incomplete = await eventsWithIncompleteAlerts(database, webhookId, slice);
  const inSeries = await eventsOfIncompleteAlerts(database, keyed);
  return new Set([
    ...incomplete,
    ...inSeries,
    ...slice.flatMap(({ id, state }) => (state === 'failed' ? [id] : [])),
  ]);
}

/** Splits a page into slices that are small enough to be read at once. */
function* slices(page: readonly EventHead[]): Generator<EventHead[]> {
  let slice: EventHead[] = [];
  let [bytes, alerts] = [0, 0];
  for (const event of page) {
    if (slice.length > 0 && (bytes + event.bytes > MAX_BYTES || alerts + event.alertCount > MAX_ALERTS)) {
      yield slice;
      [slice, bytes, alerts] = [[], 0, 0];
    }
    slice.push(event);
    bytes += event.bytes;
    alerts += event.alertCount;
  }
  yield slice;
}

/** Maps a slice again, in several parts if it makes many alerts. */
async function* mapSlice(
  { params: { webhookId }, mapping, lookups, services: { database }, checkpoint }: Source,
  slice: readonly EventHead[],
  wanted: ReadonlySet<string>,
): AsyncGenerator<readonly RemapEvent[]> {
  const places = slice.filter(({ id }) => wanted.has(id));
  const inputs = await eventInputs(database, places);
  const prepared = await lookups.begin(new Map([[webhookId, mapping]]));
  await prepared?.prepare(
    slice.flatMap((place) => {
      const input = inputs.get(place.id);
      return input ? intakeEvent(place, input, webhookId) : [];
    }),
  );
  const pace = pacer();
  let [events, size, alerts]: [RemapEvent[], number, number] = [[], 0, 0];
  for (const place of slice) {
    checkpoint();
    const input = inputs.get(place.id);
    const event = input && intakeEvent(place, input, webhookId);
    const mapped = event ? await (prepared?.build(event) ?? buildYielding(event, mapping)) : null;
    const changedByLookups =
      prepared && event && mapped ? await countByLookups(prepared, event, mapped, input.lookups) : 0;
    events.push({ place, mapped, changedByLookups });
    size += mapped ? rowSize(mapped) : 0;
    alerts += mapped ? mapped.alerts.length + mapped.items.length : 0;
    if (size >= MAX_ROW_BYTES || alerts >= MAX_ALERTS) {
      yield events;
      [events, size, alerts] = [[], 0, 0];
    }
    await pace();
  }
  if (events.length > 0) yield events;
}

/** Returns an event as it was received. */
function intakeEvent(
  { id, receivedAt }: EventHead,
  { raw, request }: StoredInput,
  webhookId: string,
): IntakeEvent {
  const text = isUtf8(raw);
  return {
    id,
    webhookId,
    receivedAt: receivedAt.getTime(),
    raw: raw.toString(text ? 'utf8' : 'base64'),
    ...(text ? {} : { base64: true }),
    ...(request === null ? {} : { request }),
  };
}

/** Returns how many alerts of an event are other ones because tables or owners have changed since it was mapped last. */
async function countByLookups(
  prepared: PreparedLookups,
  event: IntakeEvent,
  mapped: NewEvent,
  kept: string | null,
): Promise<number> {
  if (kept === null || kept === mapped.lookups) return 0;
  const [now, before] = [mapped, await prepared.buildAsKept(event, kept)].map(
    ({ alerts, items }) => new Map([...alerts, ...items].map((one) => [one.id, JSON.stringify(one)])),
  );
  const ids = new Set([...(now?.keys() ?? []), ...(before?.keys() ?? [])]);
  return [...ids].filter((id) => now?.get(id) !== before?.get(id)).length;
}
