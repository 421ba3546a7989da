import { isUtf8 } from 'node:buffer';
import type { StoredInput } from '../../db/events/events.js';
import type { EventHead } from '../../db/events/events-to-remap.js';
import {
  asParsed,
  type CompiledMapping,
  type EventRequest,
  eventTypeOf,
  foundPaths,
  type JsonValue,
  keptSource,
  type Normalized,
  normalizeYielding,
  parsePayload,
  parseRequest,
  resultOf,
  usedPaths,
} from '../mapping/index.js';
import type { SeenEvent } from './drift-state.js';

/** Alerts and words that are looked at of one event. */
const MAX_ALERTS = 100;
const MAX_WORDS = 10;

/** Maps a stored event and returns what it says about the mapping; null if it is not JSON, or the mapping makes nothing of it. */
export async function readEvent(
  mapping: CompiledMapping,
  { id, receivedAt }: Pick<EventHead, 'id' | 'receivedAt'>,
  { raw, request: storedRequest, lookups }: StoredInput,
  pause: () => Promise<unknown>,
): Promise<SeenEvent | null> {
  const value = payloadOf(raw);
  if (value === null) return null;
  const request: EventRequest | undefined = parseRequest(storedRequest);
  const options = { request, pause, limit: MAX_ALERTS, source: keptSource(lookups) };
  const normalized = await normalizeYielding(mapping, asParsed(value), options);
  if (normalized.eventState === 'failed') return null;
  const found = foundPaths(mapping, value, request);
  return {
    id,
    at: receivedAt.getTime(),
    paths: usedPaths(mapping, { eventId: id, normalized, found }).map((used) => ({
      ...used,
      nearest: () => nearestOf(normalized, used),
    })),
    words: wordsOf(mapping, normalized),
    type: normalized.eventState === 'filtered' ? null : eventTypeOf(value, request),
  };
}

/** Returns a stored body as JSON; null if it is none. */
export function payloadOf(raw: Buffer): JsonValue {
  const parsed = isUtf8(raw) ? parsePayload(raw) : null;
  return parsed && 'value' in parsed ? parsed.value : null;
}

/** Returns the path that was probably meant, from the first alert that has one. */
function nearestOf({ alerts }: Normalized, { field, path }: { field: string; path: string }): string | null {
  for (const alert of alerts) {
    const near = resultOf(alert, field)?.missing.find((missing) => missing.path === path)?.nearest;
    if (near) return near;
  }
  return null;
}

const UNKNOWN: ReadonlySet<string> = new Set(['unmapped_value', 'unknown_status', 'unknown_severity']);

function wordsOf({ fields, custom }: CompiledMapping, { alerts }: Normalized): SeenEvent['words'] {
  const withWords = [...fields, ...custom.map(({ field }) => field)].filter(
    // A word of the owner is an address, which is nobody's to read in a title.
    ({ name, values }) =>
      name !== 'ownerEmail' && (values !== null || name === 'severity' || name === 'status'),
  );
  return withWords.flatMap(({ name }) => {
    const results = alerts.flatMap((alert) => resultOf(alert, name) ?? []);
    const unknown = results.flatMap(({ warnings }) =>
      warnings.flatMap(({ code, value }) => (UNKNOWN.has(code) && value !== undefined ? value : [])),
    );
    const isSaid = unknown.length > 0 || results.some(({ result }) => result === 'resolved');
    return isSaid ? [{ field: name, unknown: [...new Set(unknown)].slice(0, MAX_WORDS) }] : [];
  });
}
