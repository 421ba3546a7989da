import { type CompiledMapping, parsePayload, prepareAlerts } from '../../workers/mapping/index.js';
import type { Services } from '../services.js';
import type { Pause } from './one-at-a-time.js';
import { type PreviewPayload, previewPayloads } from './payloads.js';

/** The newest events that a new filter is tried on. */
export const CHECKED_EVENTS = 100;
/** After this time no further event is tried. */
const MAX_MS = 2_000;

/** What a filter would do with the newest stored events. Only numbers, because a key that saves mappings may not read events. */
export interface FilterCheck {
  /** Events that it was tried on. */
  events: number;
  /** Of these, the events that it would drop as a whole. */
  filtered: number;
  /** Items of splits that it would drop. */
  filteredItems: number;
}

/** Tries the filter of a mapping on the newest stored events of an integration. Renders nothing. */
export async function checkFilter(
  services: Services,
  { webhookId, mapping }: { webhookId: string; mapping: CompiledMapping },
  pause: Pause,
): Promise<FilterCheck> {
  const check: FilterCheck = { events: 0, filtered: 0, filteredItems: 0 };
  const { payloads } = await previewPayloads(services, webhookId, { last: CHECKED_EVENTS });
  const end = Date.now() + MAX_MS;
  for await (const payload of payloads) {
    await pause();
    const { numbers, filter } = filterPayload(mapping, payload);
    check.events += 1;
    check.filtered += filter?.reason && numbers.length === 0 ? 1 : 0;
    check.filteredItems += filter?.items.length ?? 0;
    if (Date.now() > end) break;
  }
  return check;
}

const filterPayload = (mapping: CompiledMapping, { parsed, request }: PreviewPayload) =>
  prepareAlerts(mapping, 'value' in parsed ? parsed : parsePayload(parsed.raw), request);
