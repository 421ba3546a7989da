import { z } from 'zod';
import {
  type CompiledMapping,
  type LookupSource,
  parsePayload,
  prepareAlerts,
} from '../../../workers/mapping/index.js';
import { RequestError } from '../../http/errors.js';
import { foundRows } from '../../preview/found-rows.js';
import { type Asker, oneAtATime, type Pause } from '../../preview/one-at-a-time.js';
import { type PreviewPayload, previewPayloads } from '../../preview/payloads.js';
import type { ApiServices } from '../../services.js';

/** The query parameter that confirms a filter that drops everything. */
export const confirmQuery = z.strictObject({
  confirm: z.enum(['drops-all']).optional().meta({
    description: 'Saves a filter even if it drops all stored events that it is tried on',
  }),
});

/** The newest events that a new filter is tried on. */
const CHECKED_EVENTS = 100;

/** What a new filter would do, in the response of a saved mapping. */
export const filterCheckSchema = z
  .object({
    events: z
      .number()
      .int()
      .meta({ description: `Newest stored events that the filter was tried on, up to ${CHECKED_EVENTS}` }),
    filtered: z.number().int().meta({ description: 'Of these, the events that it would drop as a whole' }),
    filteredItems: z.number().int().meta({ description: 'Items of splits that it would drop' }),
  })
  .optional()
  .meta({
    description: 'What the filter would do. Absent if the mapping has none, or the filter is not new',
  });

/** Returns whether a mapping has a filter that differs from that of the current one. */
export function isNewFilter(current: unknown, mapping: unknown): boolean {
  const filter = filterOf(mapping);
  return Boolean(filter) && filterOf(current) !== filter;
}

const withFilter = z.object({ filter: z.string().trim().optional() });

const filterOf = (mapping: unknown): string | undefined => withFilter.safeParse(mapping).data?.filter;

interface Change {
  webhookId: string;
  mapping: CompiledMapping;
  isConfirmed: boolean;
}

/**
 * Tries a new filter on the newest stored events, within `oneAtATime`.
 * @throws RequestError 409 `filter_drops_all` if it would drop all of them and that is not confirmed
 */
export async function confirmFilter(
  input: Asker & { services: ApiServices },
  { webhookId, mapping, isConfirmed }: Change,
): Promise<FilterCheck> {
  const check = await oneAtATime(input, (pause) =>
    checkFilter(input.services, { webhookId, mapping }, pause),
  );
  if (isConfirmed || check.events === 0 || check.filtered < check.events) return check;
  const message = `must keep at least one of the last ${check.events} events; it drops all of them`;
  throw new RequestError(
    409,
    'filter_drops_all',
    `The filter would drop all of the last ${check.events} events. Nothing was saved. To save it nevertheless, repeat the ` +
      'request with `confirm=drops-all`.',
    { errors: [{ field: 'filter', code: 'filter_drops_all', message }] },
  );
}

/** After this time no further event is tried. */
const MAX_MS = 2_000;

/** What a filter would do with the newest stored events. Only numbers, because a key that saves mappings may not read events. */
interface FilterCheck {
  /** Events that it was tried on. */
  events: number;
  /** Of these, the events that it would drop as a whole. */
  filtered: number;
  /** Items of splits that it would drop. */
  filteredItems: number;
}

/** Tries the filter of a mapping on the newest stored events of an integration. Renders nothing. */
async function checkFilter(
  services: ApiServices,
  { webhookId, mapping }: { webhookId: string; mapping: CompiledMapping },
  pause: Pause,
): Promise<FilterCheck> {
  const check: FilterCheck = { events: 0, filtered: 0, filteredItems: 0 };
  const { payloads } = await previewPayloads(services, webhookId, { last: CHECKED_EVENTS });
  const rows = await foundRows(services.database, [mapping]);
  const end = Date.now() + MAX_MS;
  for await (const payload of payloads) {
    await pause();
    const filtered = (source?: LookupSource) => filterPayload(mapping, payload, source);
    const { numbers, filter } = await (rows?.settle(filtered) ?? filtered());
    check.events += 1;
    check.filtered += filter?.reason && numbers.length === 0 ? 1 : 0;
    check.filteredItems += filter?.items.length ?? 0;
    if (Date.now() > end) break;
  }
  return check;
}

const filterPayload = (
  mapping: CompiledMapping,
  { parsed, request }: PreviewPayload,
  source: LookupSource | undefined,
) => prepareAlerts(mapping, 'value' in parsed ? parsed : parsePayload(parsed.raw), request, null, { source });
