import { z } from 'zod';
import { EVENT_STATES, type StoredEvent } from '../../../db/events/events.js';
import { lookupSchema } from '../alerts/lookups.js';
import type { EventOutcomes } from './outcomes.js';
import { requestSchema } from './request-schema.js';
import { snsSubscriptionSchema } from './sns-subscription.js';

export const mappingErrorSchema = z.object({
  field: z.string().nullable(),
  code: z.string(),
  message: z.string(),
  path: z.string().optional().meta({ description: 'Path in the payload that was not found' }),
});

/** What a filter dropped of an event, and why. */
export const filterSchema = z.object({
  clause: z.string().meta({ description: 'The clause of the filter that was false' }),
  values: z
    .array(z.object({ path: z.string(), value: z.string().nullable() }))
    .meta({ description: 'The values that the clause read. `null` if a path leads to nothing' }),
  item: z.number().int().nullable().meta({
    description: 'The item that the reason is about, the first that was dropped. `null`: the event',
  }),
  filteredItems: z
    .number()
    .int()
    .meta({ description: 'Items that were dropped. 0 if the filter dropped the whole event' }),
});

export const eventSchema = z
  .object({
    id: z.uuid(),
    webhookId: z.uuid(),
    receivedAt: z.iso.datetime(),
    state: z.enum(EVENT_STATES),
    revision: z
      .number()
      .int()
      .meta({ description: 'Revision of the mapping that was used. 0: there was no mapping' }),
    bytes: z.number().int(),
    alertIds: z
      .array(z.uuid())
      .meta({ description: 'Its alerts, and the alerts that it updated or resolved' }),
    faults: z.array(mappingErrorSchema),
    filter: filterSchema
      .nullable()
      .meta({ description: 'What the filter of the mapping dropped, and why. `null` if it dropped nothing' }),
  })
  .meta({ id: 'Event' });

/** What an item says about its problem. */
export const ITEM_STATUSES = ['firing', 'reopened', 'update', 'resolved'] as const;

/** What an item did to the alerts with the same key. */
export const ITEM_OUTCOMES = [
  'opened',
  'updated',
  'resolved',
  'nothing_to_resolve',
  'nothing_to_update',
  'outdated',
] as const;

const outcomeSchema = z.object({
  item: z.number().int().meta({ description: 'Number of the item in its event, from 0' }),
  dedupKey: z.string().nullable().meta({
    description:
      '`null`: the item has no key, and identical events are counted: `updated` if this one was, else `opened`',
  }),
  status: z.enum(ITEM_STATUSES).nullable().meta({ description: '`null` without a `dedupKey`' }),
  outcome: z.enum(ITEM_OUTCOMES).meta({
    description:
      'The last three change no alert. `nothing_to_resolve`: it is resolved, but no alert with this key was firing. `nothing_to_update`: it is an update, and none was firing. `outdated`: it is about an occurrence that is over',
  }),
  alertId: z.uuid().nullable(),
});

export const receiptSchema = eventSchema
  .extend({
    outcomes: z.array(outcomeSchema).meta({
      description:
        'What its items did that have a `dedupKey`, or whose repetitions are counted. Each other item is an alert of its own',
    }),
    lookups: z.array(lookupSchema).meta({
      description:
        'What was looked up when it was mapped, in tables and for accounts: the first 100 keys, each once. Those that were not looked up, for example with `no_key`, are only in their alerts',
    }),
    raw: z.string().meta({
      description:
        'The body as it was sent, decompressed; for a form, its JSON. For a rejected event, its first 8 KiB',
    }),
    warnings: z.array(mappingErrorSchema).meta({
      description:
        'What is missing in alerts that may still be complete: `missing_title`, `missing_dedup_key`, `missing_status`. Values that are ' +
        'probably wrong: `placeholder`, `unexpanded_macro`, `unknown_status`, `unknown_severity`, `occurrence_not_comparable`. An ' +
        'expression that failed: `expression_error`, also of the key of a lookup. Keys that were not looked up: `too_many_keys`, `too_much_text`, `too_many_comparisons`. A payload of another source: ' +
        '`looks_like_template`. These are left out if the server is too busy. `no_mapping` if the integration had no mapping yet. ' +
        '`payload_truncated`: the sender says that it left something out, such as `truncatedAlerts`. Why the filter could not be ' +
        'decided, so that alerts were kept: `filter_missing`, `filter_error`',
    }),
    rawEncoding: z.enum(['utf-8', 'base64']).meta({ description: '`base64` if the body is not UTF-8' }),
    request: requestSchema
      .nullable()
      .meta({ description: 'The HTTP request without its body. `null` for events of older releases' }),
    snsSubscription: snsSubscriptionSchema,
  })
  .meta({ id: 'Receipt' });

export const presentEvent = (event: StoredEvent & EventOutcomes): z.input<typeof eventSchema> => ({
  id: event.id,
  webhookId: event.webhookId,
  receivedAt: event.receivedAt.toISOString(),
  state: event.state,
  revision: event.revision,
  bytes: event.bytes,
  alertIds: event.alertIds,
  faults: event.faults,
  filter: event.filter?.reason ? { ...event.filter.reason, filteredItems: event.filter.items.length } : null,
});
