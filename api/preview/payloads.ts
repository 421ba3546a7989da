import { isUtf8 } from 'node:buffer';
import { findEvent, newestEventIds, ownEventIds } from '../../db/events/events.js';
import { type JsonValue, parsePayload } from '../../workers/mapping/index.js';
import { badRequest } from '../http/errors.js';
import type { Services } from '../services.js';

/** What a preview is asked to look at: one of the three. */
export interface PreviewSubject {
  payload?: unknown;
  eventIds?: string[] | undefined;
  last?: number | undefined;
}

/** A payload to be mapped; parsed, or what the worker is handed when it is no JSON. */
export interface PreviewPayload {
  /** Null of one that came with the request. */
  eventId: string | null;
  parsed: { value: JsonValue } | { raw: string };
}

/** How many payloads there are, and they one by one, read as they are wanted: each may have a megabyte or more. */
export async function previewPayloads(
  services: Services,
  webhookId: string,
  subject: PreviewSubject,
): Promise<{ count: number; payloads: AsyncIterable<PreviewPayload> }> {
  if (subject.payload !== undefined) {
    return { count: 1, payloads: one({ eventId: null, parsed: { value: subject.payload as JsonValue } }) };
  }
  const ids = await wantedIds(services, webhookId, subject);
  return { count: ids.length, payloads: stored(services, ids) };
}

async function* one(payload: PreviewPayload): AsyncIterable<PreviewPayload> {
  yield payload;
}

async function* stored({ database }: Services, ids: readonly string[]): AsyncIterable<PreviewPayload> {
  for (const eventId of ids) {
    // It may have expired since.
    const found = await findEvent(database, eventId);
    if (found) yield { eventId, parsed: parseStored(found.raw) };
  }
}

/** As the worker has it: what is no UTF-8 comes to it as base64, and so is no JSON. */
function parseStored(raw: Buffer): PreviewPayload['parsed'] {
  if (!isUtf8(raw)) return { raw: raw.toString('base64') };
  const parsed = parsePayload(raw);
  return 'value' in parsed ? parsed : { raw: raw.toString() };
}

async function wantedIds(
  { database }: Services,
  webhookId: string,
  { eventIds, last = 1 }: PreviewSubject,
): Promise<string[]> {
  if (!eventIds) return newestEventIds(database, webhookId, last);
  const found = await ownEventIds(database, webhookId, eventIds);
  const known = new Set(found);
  const unknown = eventIds.flatMap((id, index) =>
    known.has(id) ? [] : [{ index, field: 'eventIds', code: 'unknown_event', message: `there is no ${id}` }],
  );
  if (unknown.length === 0) return found;
  throw badRequest('unknown_event', 'Not all of these are stored events of this integration.', unknown);
}
