import { z } from 'zod';
import type { CompiledMapping } from '../../../workers/mapping/index.js';
import { RequestError } from '../../http/errors.js';
import { CHECKED_EVENTS, checkFilter, type FilterCheck } from '../../preview/filter-check.js';
import { type Asker, oneAtATime } from '../../preview/one-at-a-time.js';
import type { Services } from '../../services.js';

/** The query parameter that confirms a filter that drops everything. */
export const confirmQuery = z.strictObject({
  confirm: z.enum(['drops-all']).optional().meta({
    description: 'Saves a filter even if it drops all stored events that it is tried on',
  }),
});

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
  input: Asker & { services: Services },
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
