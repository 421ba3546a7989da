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
import type { AlertRemapParams } from '../../queues/contracts/alert-remap.js';
import { pacer } from '../../run/pace.js';
import type { WorkerServices } from '../../run/services.js';
import { buildYielding } from '../store/build-event.js';
import type { CurrentMapping } from '../store/current-mappings.js';
import type { RemapEvent } from './write-changes.js';

const PAGE_EVENTS = 100;
/** Approximate limits of one transaction: a body may have megabytes, and an event ten thousand alerts. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_ALERTS = 1_000;

/** The events of a remap. */
export interface Source {
  params: AlertRemapParams;
  mapping: CurrentMapping;
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
  { params, mapping, services: { database }, checkpoint }: Source,
  slice: readonly EventHead[],
  wanted: ReadonlySet<string>,
): AsyncGenerator<readonly RemapEvent[]> {
  const places = slice.filter(({ id }) => wanted.has(id));
  const inputs = await eventInputs(database, places);
  const pace = pacer();
  let [events, size, alerts]: [RemapEvent[], number, number] = [[], 0, 0];
  for (const place of slice) {
    checkpoint();
    const input = inputs.get(place.id);
    const mapped = input ? await mapAgain(place, input, params.webhookId, mapping) : null;
    events.push({ place, mapped });
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

/** Maps an event in the same way as when it was received. */
function mapAgain(
  place: EventHead,
  { raw, request }: StoredInput,
  webhookId: string,
  mapping: CurrentMapping,
): NewEvent | Promise<NewEvent> {
  const text = isUtf8(raw);
  return buildYielding(
    {
      id: place.id,
      webhookId,
      receivedAt: place.receivedAt.getTime(),
      raw: raw.toString(text ? 'utf8' : 'base64'),
      ...(text ? {} : { base64: true }),
      ...(request === null ? {} : { request }),
    },
    mapping,
  );
}
