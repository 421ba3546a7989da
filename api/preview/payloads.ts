import { isUtf8 } from 'node:buffer';
import { isDeliveryId } from '../../db/events/alerts/alert-id.js';
import { findEvent, newestEventIds, ownEventIds } from '../../db/events/events.js';
import {
  type EventRequest,
  type JsonValue,
  parsePayload,
  parseRequest,
} from '../../workers/mapping/index.js';
import { badRequest } from '../http/errors.js';
import type { ApiServices } from '../services.js';

/** The payloads of a preview: exactly one of the three is given. */
export interface PreviewSubject {
  payload?: unknown;
  /** The request of the payload. */
  request?: EventRequest | undefined;
  eventIds?: string[] | undefined;
  last?: number | undefined;
}

/** A payload to map: parsed, or the text that the worker gets if it is not JSON. */
export interface PreviewPayload {
  /** Null for a payload from the request. */
  eventId: string | null;
  /** ISO 8601; null for a payload from the request. */
  receivedAt: string | null;
  parsed: { value: JsonValue } | { raw: string };
  /** By which repetitions are recognized, see `prepareAlerts`. */
  body: Buffer | string | null;
  request: EventRequest | undefined;
}

/** Returns the number of payloads, and an iterator that reads them one by one: each may have a megabyte or more. */
export async function previewPayloads(
  services: ApiServices,
  webhookId: string,
  subject: PreviewSubject,
): Promise<{ count: number; payloads: AsyncIterable<PreviewPayload> }> {
  if (subject.payload !== undefined) {
    const parsed = { value: subject.payload as JsonValue };
    return {
      count: 1,
      payloads: one({ eventId: null, receivedAt: null, parsed, body: '', request: subject.request }),
    };
  }
  const ids = await wantedIds(services, webhookId, subject);
  return { count: ids.length, payloads: stored(services, ids) };
}

async function* one(payload: PreviewPayload): AsyncIterable<PreviewPayload> {
  yield payload;
}

async function* stored({ database }: ApiServices, ids: readonly string[]): AsyncIterable<PreviewPayload> {
  for (const eventId of ids) {
    // The event may have expired since.
    const found = await findEvent(database, eventId);
    if (!found) continue;
    yield {
      eventId,
      receivedAt: found.event.receivedAt.toISOString(),
      parsed: parseStored(found.raw),
      body: isDeliveryId(eventId) ? null : found.raw,
      request: parseRequest(found.request),
    };
  }
}

/** Parses a body like the worker, which gets a body that is not UTF-8 as base64, and therefore not as JSON. */
function parseStored(raw: Buffer): PreviewPayload['parsed'] {
  if (!isUtf8(raw)) return { raw: raw.toString('base64') };
  const parsed = parsePayload(raw);
  return 'value' in parsed ? parsed : { raw: raw.toString() };
}

async function wantedIds(
  { database }: ApiServices,
  webhookId: string,
  { eventIds, last = 1 }: PreviewSubject,
): Promise<string[]> {
  if (!eventIds) return newestEventIds(database, webhookId, last);
  const found = await ownEventIds(database, webhookId, eventIds);
  const known = new Set(found);
  const unknown = eventIds.flatMap((id, index) =>
    known.has(id)
      ? []
      : [
          {
            index,
            field: 'eventIds',
            code: 'unknown_event',
            message: `must be stored events of this integration; ${id} is not`,
          },
        ],
  );
  if (unknown.length === 0) return found;
  throw badRequest('unknown_event', 'Some of `eventIds` are not stored events of this integration.', unknown);
}
